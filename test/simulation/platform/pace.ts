/** How often the program looks for work: a run may stretch short intervals, so that quiet hours cost little. */
import { findProgramWorld } from "../kernel/current.ts";

/** Longer intervals stay as they are. */
const SHORT_MS = 5_000;
/** What is to come at once, such as the rest of a batch. */
const AT_ONCE_MS = 100;

export function toPacedMs(everyMs: number): number {
  const leastMs = findProgramWorld()?.kernel.paceMs ?? 0;
  return everyMs > SHORT_MS || everyMs < AT_ONCE_MS ? everyMs : Math.max(everyMs, leastMs);
}
