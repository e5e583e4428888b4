/** Gathers points into at most so many buckets of equal width. */

/** One point of a chart. `at` is the time of a single report, or the start of the bucket. */
export interface HistoryPoint {
  readonly at: number;
  readonly min: number;
  readonly avg: number;
  readonly max: number;
}

/** A tier's values at one time; `count` reports, 1 in the raw tier. */
export interface TierPoint extends HistoryPoint {
  readonly count: number;
}

/** Widths that people read easily; beyond a day, whole days. */
const stepsMs: readonly number[] = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 3_000, 5_000, 6_000, 10_000, 15_000, 20_000, 30_000,
  60_000, 120_000, 180_000, 300_000, 600_000, 900_000, 1_200_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000,
  14_400_000, 21_600_000, 43_200_000, 86_400_000,
];
const DAY_MS = 86_400_000;

function countBuckets(from: number, to: number, stepMs: number): number {
  return Math.floor((to - 1) / stepMs) - Math.floor(from / stepMs) + 1;
}

/**
 * The narrowest readable width at which whole buckets that touch [from, to) number at most `points`; a multiple
 * of `multipleOf`, the width of what is gathered, so that none of it straddles two buckets.
 */
export function chooseStep(
  range: { readonly from: number; readonly to: number; readonly multipleOf?: number },
  points: number,
): number {
  for (const stepMs of stepsMs) {
    if (stepMs % (range.multipleOf ?? 1) !== 0) continue;
    if (countBuckets(range.from, range.to, stepMs) <= points) return stepMs;
  }
  let days = Math.max(2, Math.floor((range.to - range.from) / DAY_MS / points));
  // Buckets begin at multiples of the width, so one more than fits may be touched, but not with one bucket.
  while (countBuckets(range.from, range.to, days * DAY_MS) > Math.max(points, 2)) days += 1;
  return days * DAY_MS;
}

/** Thousandths are finer than any report, and hide that fractions are kept as float32. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

interface Bucket {
  at: number;
  min: number;
  max: number;
  sum: number;
  count: number;
}

function toPoint({ at, min, max, sum, count }: Bucket): HistoryPoint {
  return { at, min: round(min), avg: round(sum / count), max: round(max) };
}

/** Gathers points, which come sorted by time, into buckets of `stepMs`; 0 leaves each by itself. Empty ones are left out. */
export function gather(source: Iterable<TierPoint>, stepMs: number): HistoryPoint[] {
  const result: HistoryPoint[] = [];
  let bucket: Bucket | undefined;
  for (const point of source) {
    const at = stepMs === 0 ? point.at : Math.floor(point.at / stepMs) * stepMs;
    if (bucket === undefined || bucket.at !== at) {
      if (bucket !== undefined) result.push(toPoint(bucket));
      bucket = { at, min: point.min, max: point.max, sum: 0, count: 0 };
    }
    bucket.min = Math.min(bucket.min, point.min);
    bucket.max = Math.max(bucket.max, point.max);
    bucket.sum += point.avg * point.count;
    bucket.count += point.count;
  }
  if (bucket !== undefined) result.push(toPoint(bucket));
  return result;
}
