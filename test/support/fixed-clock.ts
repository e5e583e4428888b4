/** A manual clock for every suite. */
import type { Clock } from "../../src/kit/time/clock.ts";

export interface FixedClock extends Clock {
  /** Moves both times on. */
  advance(ms: number): void;
  /** Moves wall time alone, as an administrator or NTP does. */
  jump(ms: number): void;
}

/** When the clock starts unless told: 2026-01-31T12:00:00Z, in epoch milliseconds. */
export const START: number = Date.UTC(2026, 0, 31, 12);

/** Starts at `start` by the wall and at 1,000 ms of monotonic time, so that nothing can take one for the other. */
export function createFixedClock(start = START): FixedClock {
  let wall = start;
  let monotonic = 1_000;
  return {
    now: () => wall,
    monotonic: () => monotonic,
    advance: (ms) => {
      wall += ms;
      monotonic += ms;
    },
    jump: (ms) => {
      wall += ms;
    },
  };
}
