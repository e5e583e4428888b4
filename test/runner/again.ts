/**
 * Files that failed beside others are run once more, each alone: one that passes then is a fault of that test, which is
 * named and to be mended, and holds no change up.
 */
import type { FileResult } from "./results.ts";

/** More that failed are no accident: nothing is run again. Those that a process lost with one that failed do not count. */
const MOST = 5;

/** One file on one runtime. */
interface Failed<R> {
  readonly runtime: R;
  readonly file: string;
  readonly lost: boolean;
}

type Results<R> = ReadonlyMap<R, ReadonlyMap<string, FileResult>>;

function hasFailed(result: FileResult | undefined): boolean {
  return result === undefined || result.counts.failed > 0;
}

/** What is worth another run: the files that failed, unless they are too many. */
export function listFailed<R>(results: Results<R>): Failed<R>[] {
  const failed = [...results].flatMap(([runtime, files]) =>
    [...files.values()].filter(hasFailed).map(({ file, lost = false }) => ({ runtime, file, lost })),
  );
  return failed.filter(({ lost }) => !lost).length > MOST ? [] : failed;
}

/** Which of those that failed have passed since, as in "deno test/a.test.ts". */
export function findUnsteady<R extends { readonly name: string }>(
  failed: readonly Failed<R>[],
  results: Results<R>,
): string[] {
  return failed
    .filter(({ runtime, file, lost }) => !lost && !hasFailed(results.get(runtime)?.get(file)))
    .map(({ runtime, file }) => `${runtime.name} ${file}`);
}
