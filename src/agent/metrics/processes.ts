/** How many processes run, from the names in /proc. */

/** Counts the process folders; undefined when there is none (the process itself would be one). */
export function countProcesses(namesInProc: readonly string[]): number | undefined {
  const count = namesInProc.filter((name) => /^\d+$/u.test(name)).length;
  return count === 0 ? undefined : count;
}
