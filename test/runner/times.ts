/** What a run took: its slowest files, and the time of processors. */
import { readFileSync } from "node:fs";
import process from "node:process";
import type { FileResult } from "./results.ts";

/** Fewer files show by themselves which are slow. */
const SLOWEST = 10;

/** As in "12.3 s". */
export function toSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A line with the slowest files of a run, on whatever runtime; none where all of them can be seen at once. */
export function toSlowest(
  results: ReadonlyMap<{ readonly name: string }, ReadonlyMap<string, FileResult>>,
): string[] {
  const all = [...results].flatMap(([runtime, files]) =>
    Array.from(files.values(), ({ file, seconds }) => ({ name: `${runtime.name} ${file}`, seconds })),
  );
  if (all.length <= SLOWEST) return [];
  const slowest = all.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  return [
    `Slowest: ${slowest.map(({ name, seconds }) => `${name} ${toSeconds(seconds * 1000)}`).join(", ")}`,
  ];
}

/** Processor time of this process and all that it has waited for, as Linux counts it in hundredths; none elsewhere. */
export function toProcessorTime(): string[] {
  if (process.platform !== "linux") return [];
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name, in parentheses, may hold anything; the times are the twelfth to fifteenth word after it.
  const times = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15);
  const hundredths = times.reduce((sum, time) => sum + Number(time), 0);
  return [`${toSeconds(hundredths * 10)} of processor time`];
}
