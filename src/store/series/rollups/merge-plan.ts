/**
 * Which runs are merged next. The newest runs of a segment are merged once there are enough of them, together with
 * each older one that is not much larger than what is merged already: so a span is written again about as often as
 * the segment doubles, and a segment never has many runs.
 */
import type { Run } from "./run-file.ts";

/** Fewer runs than this are left alone. */
const FAN_IN = 4;
const MAX_RATIO = 2;
/** One merge reads so many runs at most; after an outage there may be more. */
const MAX_SOURCES = 32;

function planSegment(runs: readonly Run[]): readonly Run[] {
  const sorted = runs.toSorted((a, b) => b.first - a.first);
  const chosen: Run[] = [];
  let bytes = 0;
  for (const run of sorted) {
    const isClose = chosen.length < 2 || run.sizeBytes <= MAX_RATIO * bytes;
    if (!isClose || chosen.length === MAX_SOURCES) break;
    chosen.push(run);
    bytes += run.sizeBytes;
  }
  return chosen.length < FAN_IN ? [] : chosen.reverse();
}

/** Runs to merge, oldest first; empty when nothing is to be done. */
export function planMerge(runs: readonly Run[]): readonly Run[] {
  const segments = new Map<string, Run[]>();
  for (const run of runs) {
    const place = `${run.tier}.${run.segment}`;
    const known = segments.get(place);
    if (known === undefined) segments.set(place, [run]);
    else known.push(run);
  }
  for (const group of segments.values()) {
    const plan = planSegment(group);
    if (plan.length > 0) return plan;
  }
  return [];
}
