/** A clock that stands until it is told to go on. */
import type { Clock } from "../../src/kit/clock.ts";

export interface FixedClock extends Clock {
  /** Moves both times on. */
  advance(ms: number): void;
  /** Moves wall time alone, as an administrator or NTP does. */
  jump(ms: number): void;
}

/** Starts at 2026-01-02T03:04:05.678Z and 1,000 ms of monotonic time. */
export function createFixedClock(): FixedClock {
  let wall = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
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
