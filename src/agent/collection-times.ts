/** Times of collection, which tell reports apart: they only grow, whatever the clock does. */

/** The service refuses what is collected more than 24 h in its future; an hour is left for the way. */
const FURTHEST_AHEAD_MS = 23 * 3_600_000;

export interface CollectionTimes {
  /** The time for a report collected at `nowUnixMs`: that, or just after the last one. */
  next(nowUnixMs: number): number;
  /** The last time given or started with, or undefined. */
  readonly last: number | undefined;
}

/** Goes on after `last`, the newest time that an earlier run is known to have used. */
export function createCollectionTimes(last: number | undefined): CollectionTimes {
  let newest = last;
  return {
    next(nowUnixMs) {
      // After a clock that was years ahead nothing would be accepted any more: then start anew.
      const follows = newest === undefined || newest - nowUnixMs > FURTHEST_AHEAD_MS;
      newest = follows ? nowUnixMs : Math.max(nowUnixMs, (newest ?? 0) + 1);
      return newest;
    },
    get last() {
      return newest;
    },
  };
}
