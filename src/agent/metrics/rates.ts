/** Counters to rates. */

/** Creates a meter for one counter. */
export function createRateMeter() {
  let last: { readonly value: number; readonly atMs: number } | undefined;
  return {
    /** `value` of the counter at `atMs` on a clock that only grows. */
    perSecond(value: number, atMs: number): number | undefined {
      const before = last;
      last = { value, atMs };
      // A smaller value is a reset (interface re-made, disk unplugged) or a wrapped 32-bit counter.
      if (before === undefined || atMs <= before.atMs || value < before.value) return undefined;
      return Math.round(((value - before.value) * 1000) / (atMs - before.atMs));
    },
  };
}

/** A counter's rate, from one reading to the next. */
export type RateMeter = ReturnType<typeof createRateMeter>;
