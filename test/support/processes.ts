/** Processes on Linux, read from /proc. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The processes that run and are so; one that ends meanwhile is not. */
function findProcesses(isWanted: (folder: string) => boolean): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .filter((name) => {
      try {
        return isWanted(`/proc/${name}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** What the kernel says of a process or thread: its state, its parent, and more. */
function readStat(folder: string): string[] {
  const stat = readFileSync(`${folder}/stat`, "utf8");
  // The name, in parentheses, may hold anything.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The ids of the processes that `pid` has started and that run. */
export function childrenOf(pid: number): number[] {
  return findProcesses((folder) => Number(readStat(folder)[1]) === pid);
}

/** The ids of the processes that have a file below a folder open. */
export function usersOf(folder: string): number[] {
  return findProcesses((process) =>
    readdirSync(`${process}/fd`).some((name) => {
      try {
        return readlinkSync(`${process}/fd/${name}`).startsWith(`${folder}/`);
      } catch {
        return false; // closed meanwhile
      }
    }),
  );
}

/** What reads of something in /proc; true when it has ended. */
function isGoneOr(read: () => boolean): boolean {
  try {
    return read();
  } catch {
    return true;
  }
}

/** Whether SIGSTOP has reached every thread of a process, so that none is in a call of the system; true when it has ended. */
export function isStopped(pid: number): boolean {
  const threads = `/proc/${pid}/task`;
  // A thread that ends meanwhile says nothing of the others.
  return isGoneOr(() =>
    readdirSync(threads).every((id) =>
      isGoneOr(() => ["T", "Z"].includes(readStat(`${threads}/${id}`)[0] ?? "")),
    ),
  );
}
