/** CPU and memory of another process, from /proc. */
import { readFileSync } from "node:fs";

export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}

/** Ticks a second, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** What the process has used, or undefined when it is gone or cannot be seen. */
export function readProcessUsage(pid: number): ProcessUsage | undefined {
  try {
    // The name in parentheses may hold spaces and parentheses itself: proc_pid_stat(5).
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const columns = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const rss = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    const ticks = Number(columns[11]) + Number(columns[12]);
    if (rss === undefined || !Number.isFinite(ticks)) return undefined;
    return { cpuSeconds: ticks / TICKS_PER_SECOND, rssBytes: Number(rss) * 1024 };
  } catch {
    return undefined;
  }
}
