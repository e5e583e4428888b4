/** Processes on Linux, read from /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** The ids of the processes that `pid` has started and that run. */
export function childrenOf(pid: number): number[] {
  const found: number[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/u.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // The name, in parentheses, may hold anything; the parent is the second word after it.
      if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid) found.push(Number(name));
    } catch {
      continue; // it ended in between
    }
  }
  return found;
}
