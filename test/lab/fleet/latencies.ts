/** Latencies of millions of answers in a few kilobytes. */

export interface Latencies {
  add(ms: number): void;
  /** The latency that `share` (0 to 1) of all stay within, in milliseconds; null when there are none. */
  quantile(share: number): number | null;
  readonly count: number;
}

const SMALLEST_MS = 0.05;
const GROWTH = 1.04;
const BUCKETS = 400;

/** Creates an empty collection. */
export function createLatencies(): Latencies {
  const buckets = new Uint32Array(BUCKETS);
  let count = 0;
  return {
    add(ms) {
      const index = Math.ceil(Math.log(Math.max(ms, SMALLEST_MS) / SMALLEST_MS) / Math.log(GROWTH));
      const bucket = Math.min(BUCKETS - 1, index);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      count += 1;
    },
    quantile(share) {
      let left = Math.ceil(count * share);
      for (const [index, size] of buckets.entries()) {
        left -= size;
        if (left <= 0 && count > 0) return Math.round(SMALLEST_MS * GROWTH ** index * 100) / 100;
      }
      return null;
    },
    get count() {
      return count;
    },
  };
}
