/** The state of a heartbeat by its pings at a time. Pure. */
import { findNextCron } from "../../kit/time/cron.ts";
import { findNextOnCalendar } from "../../kit/time/on-calendar.ts";
import type { HeartbeatSchedule, HeartbeatTarget } from "../checks/schema.ts";
import type { HeartbeatState } from "./schema.ts";

type Run = HeartbeatState["runs"][number];

/** The fault if no ping comes until then. */
export interface Expectation {
  readonly fault: "late" | "overrun";
  /** When a sign, or the end of a run, is due, epoch milliseconds. */
  readonly dueAt: number;
  /** From when on it counts as missed. */
  readonly missedAt: number;
}

/** When the next sign after `afterMs` is due, epoch milliseconds; undefined when none ever is. */
export function findNextDue(schedule: HeartbeatSchedule, afterMs: number): number | undefined {
  if (schedule.type === "period") return afterMs + schedule.seconds * 1_000;
  if (schedule.type === "cron") return findNextCron(schedule.expression, schedule.timeZone, afterMs);
  return findNextOnCalendar(schedule.calendar, schedule.timeZone, afterMs);
}

function expectEnd(target: HeartbeatTarget, { startedAt }: Run): Expectation | undefined {
  const { maxRunSeconds, graceSeconds, schedule } = target;
  if (maxRunSeconds > 0) {
    const dueAt = startedAt + maxRunSeconds * 1_000;
    return { fault: "overrun", dueAt, missedAt: dueAt };
  }
  const dueAt = findNextDue(schedule, startedAt);
  return dueAt === undefined
    ? undefined
    : { fault: "overrun", dueAt, missedAt: dueAt + graceSeconds * 1_000 };
}

/** Whether a run has taken longer than it may at `now`. */
export function isOverrun(target: HeartbeatTarget, run: Run, now: number): boolean {
  return (expectEnd(target, run)?.missedAt ?? Infinity) <= now;
}

function expectSign(target: HeartbeatTarget, state: HeartbeatState): Expectation | undefined {
  const { ended, expectedFrom = 0, runs } = state;
  // A heartbeat without pings is never due; after the start of a run, its end is due.
  if (ended === undefined || runs.some(({ startedAt }) => startedAt >= ended.at)) return undefined;
  const dueAt = findNextDue(target.schedule, Math.max(ended.at, expectedFrom));
  if (dueAt === undefined) return undefined;
  return { fault: "late", dueAt, missedAt: dueAt + target.graceSeconds * 1_000 };
}

/** The first expectation; undefined while there is a fault, until a ping ends it. */
export function findExpectation(target: HeartbeatTarget, state: HeartbeatState): Expectation | undefined {
  if (state.fault !== undefined || state.isPaused) return undefined;
  const all = [expectSign(target, state), ...state.runs.map((run) => expectEnd(target, run))];
  return all.filter((each) => each !== undefined).toSorted((one, other) => one.missedAt - other.missedAt)[0];
}

/** Its signs of life stay away: the state with the fault, or the same when nothing is missed at `now`. */
export function findMissed(target: HeartbeatTarget, state: HeartbeatState, now: number): HeartbeatState {
  const expected = findExpectation(target, state);
  if (expected === undefined || expected.missedAt > now) return state;
  return { ...state, fault: { name: expected.fault, at: now, dueAt: expected.dueAt } };
}

/**
 * Pings due between two times count as not missed: the monitor could not receive them, or the schedule was different.
 * Times after `to`, from a clock that was set back, count as `to`.
 */
export function excuse(
  target: HeartbeatTarget,
  state: HeartbeatState,
  { from, to }: { from: number; to: number },
): HeartbeatState {
  const { ended } = state;
  const isAhead = (ended?.at ?? 0) > to || state.runs.some(({ startedAt }) => startedAt > to);
  const expected = findExpectation(target, state);
  const isTouched = expected !== undefined && expected.dueAt <= to && expected.missedAt > from;
  if (!isAhead && !isTouched) return state;
  const earliest = (ms: number): number => Math.min(ms, to);
  const runs = state.runs.map((run) => ({ ...run, startedAt: earliest(run.startedAt) }));
  return {
    ...state,
    ...(ended && { ended: { ...ended, at: earliest(ended.at) } }),
    runs: runs.filter((run) => !isOverrun(target, run, to)),
    ...(isTouched && { expectedFrom: to }),
  };
}

/** Up, down, or unknown where nothing was heard that counts. */
export function toHealth({ ended, fault, expectedFrom }: HeartbeatState): "up" | "down" | "unknown" {
  if (fault !== undefined) return "down";
  return ended === undefined || expectedFrom !== undefined ? "unknown" : "up";
}

/** When the next sign is due, epoch milliseconds; undefined for one that never came, and for one that is overdue. */
export function findDueAt(target: HeartbeatTarget, state: HeartbeatState, now: number): number | undefined {
  if (state.ended === undefined || state.isPaused) return undefined;
  const isOverdue = state.fault !== undefined && state.fault.name !== "failed";
  if (isOverdue && target.schedule.type === "period") return undefined;
  const after = Math.max(state.ended.at, state.expectedFrom ?? 0, isOverdue ? now : 0);
  return findNextDue(target.schedule, after);
}
