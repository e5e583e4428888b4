/** Counters to rates. */

/** Turns a counter's readings into a rate per second; undefined when there is none to tell. */
export interface RateMeter {
  /** `value` of the counter at `atMs` on a clock that only grows. */
  perSecond(value: number, atMs: number): number | undefined;
}

/** Makes a meter for one counter. */
export function createRateMeter(): RateMeter {
  let last: { readonly value: number; readonly atMs: number } | undefined;
  return {
    perSecond(value, atMs) {
      const before = last;
      last = { value, atMs };
      // A smaller value is a reset (interface re-made, disk unplugged) or a wrapped 32-bit counter.
      if (before === undefined || atMs <= before.atMs || value < before.value) return undefined;
      return Math.round(((value - before.value) * 1000) / (atMs - before.atMs));
    },
  };
}
