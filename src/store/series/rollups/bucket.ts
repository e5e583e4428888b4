/** Arithmetic of spans. */
import type { RollupBucket } from "./rollups.ts";

/** Numbers a column: count, least, greatest, sum. */
export const STATS = 4;

/** Creates a span without values. */
export function createStats(columns: number): Float64Array {
  return new Float64Array(columns * STATS);
}

function addStat(
  stats: Float64Array,
  base: number,
  more: { count: number; min: number; max: number; sum: number },
): void {
  const count = stats[base] ?? 0;
  if (count === 0 || more.min < (stats[base + 1] ?? 0)) stats[base + 1] = more.min;
  if (count === 0 || more.max > (stats[base + 2] ?? 0)) stats[base + 2] = more.max;
  stats[base] = count + more.count;
  stats[base + 3] = (stats[base + 3] ?? 0) + more.sum;
}

/** Counts a row in; columns without a value are NaN. */
export function addValues(stats: Float64Array, values: ArrayLike<number>): void {
  const columns = Math.min(values.length, stats.length / STATS);
  for (let column = 0; column < columns; column += 1) {
    const value = values[column] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const base = column * STATS;
    const count = stats[base] ?? 0;
    // Written out: this is the path of every number of every report.
    if (count === 0 || value < (stats[base + 1] ?? 0)) stats[base + 1] = value;
    if (count === 0 || value > (stats[base + 2] ?? 0)) stats[base + 2] = value;
    stats[base] = count + 1;
    stats[base + 3] = (stats[base + 3] ?? 0) + value;
  }
}

/** Adds one span to another that has at least as many columns. */
function addStats(into: Float64Array, from: Float64Array): void {
  for (let base = 0; base < from.length; base += STATS) {
    const count = from[base] ?? 0;
    if (count === 0) continue;
    addStat(into, base, {
      count,
      min: from[base + 1] ?? 0,
      max: from[base + 2] ?? 0,
      sum: from[base + 3] ?? 0,
    });
  }
}

function sum(left: Float64Array, right: Float64Array): Float64Array {
  const [longer, shorter] = left.length >= right.length ? [left, right] : [right, left];
  const result = longer.slice();
  addStats(result, shorter);
  return result;
}

/**
 * Adds up spans of the same time, sorted; what is given is left as it is. With `stepMs` the spans are first
 * widened to it.
 */
export function mergeBuckets(
  buckets: Iterable<RollupBucket>,
  options: { readonly stepMs?: number } = {},
): RollupBucket[] {
  const { stepMs } = options;
  const byTime = new Map<number, { stats: Float64Array; isOwn: boolean }>();
  for (const { at, stats } of buckets) {
    const start = stepMs === undefined ? at : Math.floor(at / stepMs) * stepMs;
    const known = byTime.get(start);
    if (known === undefined) byTime.set(start, { stats, isOwn: false });
    else if (known.isOwn && known.stats.length >= stats.length) addStats(known.stats, stats);
    else byTime.set(start, { stats: sum(known.stats, stats), isOwn: true });
  }
  return [...byTime].map(([at, { stats }]) => ({ at, stats })).sort((a, b) => a.at - b.at);
}
