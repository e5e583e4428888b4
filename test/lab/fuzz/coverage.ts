/** Which code has run, by V8's precise coverage: finds inputs that reach what none before them has reached. */
import { Session } from "node:inspector";

type Interval = readonly [start: number, end: number];

/** Parts of both. */
function intersect(one: readonly Interval[], other: readonly Interval[]): Interval[] {
  const both: Interval[] = [];
  for (const [a, b] of one)
    for (const [c, d] of other) {
      const [start, end] = [Math.max(a, c), Math.min(b, d)];
      if (start < end) both.push([start, end]);
    }
  return both;
}

const lengthOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, [start, end]) => sum + end - start, 0);

/** The parts of a function that did not run: ranges lie within each other, and the innermost counts. */
function findUnrun(
  ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[],
): Interval[] {
  const unrun: Interval[] = [];
  for (const { startOffset, endOffset, count } of ranges) {
    if (count > 0) {
      // Runs within a part that does not run as a whole.
      const around = unrun.findIndex(([start, end]) => start <= startOffset && endOffset <= end);
      const part = unrun[around];
      if (part === undefined) continue;
      unrun.splice(around, 1, [part[0], startOffset], [endOffset, part[1]]);
    } else unrun.push([startOffset, endOffset]);
  }
  return unrun.filter(([start, end]) => start < end);
}

export interface Coverage {
  /** Whether code ran since the last call that never ran before. */
  takeNew(): boolean;
  /** Functions that have run, and bytes of them that have not. */
  summarize(): { readonly functions: number; readonly unrun: number };
  /** Forgets all. */
  reset(): void;
}

/** Counts what files do whose URL matches. */
export function startCoverage(files: RegExp): Coverage {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const known = new Map<string, Interval[]>();
  return {
    takeNew() {
      let isNew = false;
      session.post("Profiler.takePreciseCoverage", (_, { result }) => {
        for (const { url, functions } of result) {
          if (!files.test(url)) continue;
          for (const { ranges } of functions) {
            const [whole] = ranges;
            if (whole === undefined || whole.count === 0) continue;
            const key = `${url} ${whole.startOffset} ${whole.endOffset}`;
            const unrun = findUnrun(ranges);
            const before = known.get(key);
            const left = before === undefined ? unrun : intersect(before, unrun);
            if (before !== undefined && lengthOf(left) === lengthOf(before)) continue;
            known.set(key, left);
            isNew = true;
          }
        }
      });
      return isNew;
    },
    summarize: () => ({
      functions: known.size,
      unrun: [...known.values()].reduce((sum, parts) => sum + lengthOf(parts), 0),
    }),
    reset: () => known.clear(),
  };
}
