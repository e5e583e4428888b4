/** Time as a dependency, so that tests can fix it. */

export interface Clock {
  /** Wall time, Unix epoch in milliseconds. May jump. For what people read. */
  now(): number;
  /** Milliseconds that only grow, for durations and time-outs. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
