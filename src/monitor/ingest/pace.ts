/** A token bucket that says how long to wait. */
import type { Clock } from "../../kit/time/clock.ts";

export interface PaceOptions {
  /** Tokens that come back each second; Infinity for no limit. */
  readonly perSecond: number;
  /** Tokens at most, and at the start. */
  readonly burst: number;
  readonly clock: Clock;
}

export interface Pace {
  /** Takes a token and returns the milliseconds to wait, 0 while there are tokens. */
  take(): number;
}

/** A full bucket. */
export function createPace({ perSecond, burst, clock }: PaceOptions): Pace {
  if (perSecond === Number.POSITIVE_INFINITY) return { take: () => 0 };
  let tokens = burst;
  let last = clock.monotonic();
  return {
    take: () => {
      const now = clock.monotonic();
      tokens = Math.min(burst, tokens + ((now - last) * perSecond) / 1000);
      last = now;
      // May go below 0: the wait that follows pays it back.
      tokens -= 1;
      return tokens >= 0 ? 0 : Math.ceil((-tokens * 1000) / perSecond);
    },
  };
}
