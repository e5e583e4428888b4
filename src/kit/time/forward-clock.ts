/** A clock for expiry: what has expired once never lives again. */
import type { Clock } from "./clock.ts";

/** Wall time that never goes back, and goes on at least as fast as the monotonic time. */
export function createForwardClock(clock: Clock): Clock {
  let wall = clock.now();
  let monotonic = clock.monotonic();
  return {
    now: () => {
      // Whole milliseconds only; the rest stays to be counted, or many small steps would be lost.
      const elapsed = Math.max(0, Math.floor(clock.monotonic() - monotonic));
      monotonic += elapsed;
      wall = Math.max(clock.now(), wall + elapsed);
      return wall;
    },
    monotonic: () => clock.monotonic(),
  };
}
