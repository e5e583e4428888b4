/** When each check is tried next: in memory, by monotonic time, spread over the interval. */
import { isJudged } from "../judged.ts";
import type { CheckRecord, PlaceResult } from "../schema.ts";

/** At a start all checks are tried once within this time, or their interval. */
const SPREAD_MS = 300_000;

/** A check that this node tries. */
export interface Task {
  record: CheckRecord;
  /** Monotonic milliseconds. */
  dueMs: number;
  /** Set while it is tried. */
  running: AbortController | undefined;
  /** Whether what is being tried is another definition by now. */
  isStale: boolean;
  /** Whether it has been tried since it was planned. */
  isNew: boolean;
  /** Whether its last try failed. */
  isFailing: boolean;
}

/** Whether the monitor itself tries a check. */
export function isTriedHere({ paused, places, target }: CheckRecord): boolean {
  return !paused && places.center && !isJudged(target);
}

/** When a check is tried first that was there before this node began to lead. */
export function toFirstDue({ intervalSeconds }: CheckRecord, nowMs: number, random: () => number): number {
  return nowMs + random() * Math.min(intervalSeconds * 1_000, SPREAD_MS);
}

/**
 * When a check runs after the attempt that began at `startedMs`. It runs sooner while a location is undecided. Checks
 * that were created at the same moment spread out: the first delay of each differs.
 */
export function toNextDue(
  { record, dueMs, isNew }: Pick<Task, "record" | "dueMs" | "isNew">,
  { startedMs, center }: { readonly startedMs: number; readonly center: PlaceResult | undefined },
  random: () => number,
): number {
  const intervalMs = record.intervalSeconds * 1_000;
  const isUndecided = center !== undefined && center.failures > 0 && !center.isDown;
  if (isUndecided) return startedMs + Math.min(record.retrySeconds * 1_000, intervalMs);
  if (isNew) return startedMs + intervalMs * (0.5 + 0.5 * random());
  // In step, unless it fell behind.
  const inStep = dueMs + intervalMs;
  return inStep > startedMs ? inStep : startedMs + intervalMs;
}
