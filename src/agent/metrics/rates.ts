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

/**
 * Creates meters of counters by name. The rate of all is the sum of theirs: a counter that comes, goes or starts again
 * makes no peak of what it counted before.
 */
export function createRateMeters() {
  let meters = new Map<string, RateMeter>();
  return {
    /** Bytes a second by name; those that are not named are forgotten. */
    perSecond(counters: ReadonlyMap<string, number>, atMs: number): ReadonlyMap<string, number | undefined> {
      meters = new Map([...counters.keys()].map((name) => [name, meters.get(name) ?? createRateMeter()]));
      return new Map([...counters].map(([name, value]) => [name, meters.get(name)?.perSecond(value, atMs)]));
    },
  };
}

/** The sum of the rates that are known; undefined when none is. */
export function sumRates(rates: Iterable<number | undefined>): number | undefined {
  let sum: number | undefined;
  for (const rate of rates) if (rate !== undefined) sum = (sum ?? 0) + rate;
  return sum;
}

/** A counter's rate, from one reading to the next. */
export type RateMeter = ReturnType<typeof createRateMeter>;
