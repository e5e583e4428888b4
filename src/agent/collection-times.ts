/** Times of collection, which identify reports: they only grow, whatever the clock does. */

/** The service refuses what is collected more than 24 h in its future; an hour is left for the way. */
const FURTHEST_AHEAD_MS = 23 * 3_600_000;

/** Goes on after `last`, the newest time that an earlier run is known to have used. */
export function createCollectionTimes(last: number | undefined) {
  let newest = last;
  return {
    /** The time for a report collected at `nowUnixMs`: that, or just after the last one. */
    next(nowUnixMs: number): number {
      // After a clock that was years ahead, all reports would be rejected: start again.
      const follows = newest === undefined || newest - nowUnixMs > FURTHEST_AHEAD_MS;
      newest = follows ? nowUnixMs : Math.max(nowUnixMs, (newest ?? 0) + 1);
      return newest;
    },
    /** The last time given or started with, or undefined. */
    get last(): number | undefined {
      return newest;
    },
  };
}

export type CollectionTimes = ReturnType<typeof createCollectionTimes>;
