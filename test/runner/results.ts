/** What came of each test file of a process. */
import type { ProcessResult } from "../support/process.ts";
import { type FileCounts, noTests, sumCounts, type TestCounts } from "./counts.ts";

/** A file counts as one more test that failed when something is wrong with it. */
export interface FileResult extends FileCounts {
  /** What is wrong with the file as a whole, beyond the tests that failed. */
  readonly problem?: string;
  /** It shared a process that ended before it had reported on this file, and most likely because of another. */
  readonly lost?: boolean;
}

const oneFailed: TestCounts = { passed: 0, failed: 1, skipped: 0 };

function findProblem(
  run: ProcessResult,
  counts: TestCounts | undefined,
  timeoutMs: number,
): string | undefined {
  if (run.timedOut) return `hung: cut off after ${timeoutMs / 1000} s`;
  if (run.signal !== undefined) return `ended by ${run.signal}`;
  if (counts === undefined) return `holds no test, or stopped before its end (exit ${run.code ?? "unknown"})`;
  if (counts.passed + counts.failed + counts.skipped === 0) return "ran no test";
  if (run.code !== 0 && counts.failed === 0) return `exit ${run.code ?? "unknown"} though no test failed`;
  return undefined;
}

/** A task with one file. */
export function toFileResult(
  file: string,
  options: { counts: TestCounts | undefined; run: ProcessResult; timeoutMs: number },
): FileResult {
  const { counts = noTests, run } = options;
  const problem = findProblem(run, options.counts, options.timeoutMs);
  if (problem === undefined) return { file, counts, seconds: run.seconds };
  return {
    file,
    counts: sumCounts([counts, oneFailed]),
    seconds: run.seconds,
    problem,
  };
}

/** Which of the files that did not come to their end their process was at: the last whose name it wrote. */
function findCulprit(files: readonly string[], output: string): string | undefined {
  return files.findLast((file) => output.includes(file)) ?? files[0];
}

/**
 * A task with several files: one that did not come to its end, and those after it, have failed.
 * @param options.ended what the process reported
 */
export function toFileResults(
  files: readonly string[],
  options: { ended: readonly FileCounts[]; run: ProcessResult; timeoutMs: number },
): FileResult[] {
  const { run } = options;
  const ended = new Map(options.ended.map((result) => [result.file, result]));
  const culprit = findCulprit(
    files.filter((file) => !ended.has(file)),
    run.output,
  );
  const results = files.map((file): FileResult => {
    const result = ended.get(file);
    if (result === undefined) {
      const problem = findProblem(run, undefined, options.timeoutMs) ?? "did not come to its end";
      return { file, counts: oneFailed, seconds: 0, problem, lost: file !== culprit };
    }
    const { passed, failed, skipped } = result.counts;
    if (passed + failed + skipped > 0) return result;
    return { ...result, counts: oneFailed, problem: "ran no test" };
  });
  const [last] = results.slice(-1);
  const all = sumCounts(results.map(({ counts }) => counts));
  const problem = all.failed === 0 ? findProblem(run, all, options.timeoutMs) : undefined;
  if (last === undefined || problem === undefined) return results;
  // Any of them may be at fault: each runs once more, alone.
  return results.map((result) => ({
    ...result,
    counts: sumCounts([result.counts, oneFailed]),
    problem,
    lost: result !== last,
  }));
}

/** As in "3 passed, 1 failed". */
export function toCountsText({ passed, failed, skipped }: TestCounts): string {
  const parts = [
    `${passed} passed`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  return parts.join(", ");
}
