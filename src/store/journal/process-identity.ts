/** The identity of a process, beyond its pid: pids repeat after a restart of the machine or of a container. */
import { readFile, readlink } from "node:fs/promises";
import process from "node:process";

export interface ProcessIdentity {
  readonly pid: number;
  /** Changes with each start of the machine. */
  readonly bootId?: string;
  /** The pid namespace: in another one the same pid means another process. */
  readonly namespace?: string;
  /** When the process started, in clock ticks since the machine did (proc(5), field 22 of stat). */
  readonly startTicks?: string;
}

/** When a process started; undefined for a zombie, which no longer holds files. */
async function readStartTicks(pid: number | "self"): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name in parentheses and may hold anything, also spaces and ")".
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

/** This process, as far as the system and the permissions show. */
export async function readOwnIdentity(): Promise<ProcessIdentity> {
  const { pid } = process;
  try {
    const bootId = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    const namespace = await readlink("/proc/self/ns/pid");
    const startTicks = await readStartTicks("self");
    return startTicks === undefined ? { pid } : { pid, bootId, namespace, startTicks };
  } catch {
    return { pid };
  }
}

/** Whether `other` still runs, or "unknown" when this process cannot find out. */
export async function isRunning(other: ProcessIdentity, own: ProcessIdentity): Promise<boolean | "unknown"> {
  if (own.bootId === undefined || other.bootId === undefined) return "unknown";
  if (own.bootId !== other.bootId) return false;
  if (own.namespace !== other.namespace) return "unknown";
  try {
    return (await readStartTicks(other.pid)) === other.startTicks;
  } catch {
    return false;
  }
}
