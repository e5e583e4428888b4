/** The verdict on a heartbeat's state: for the states of checks, and for people. */
import { cutBytes } from "../../kit/text/cut-bytes.ts";
import type { HeartbeatTarget } from "../checks/schema.ts";
import type { HeartbeatFacts, Judgement } from "../checks/standings.ts";
import { findDueAt, findNextDue, toHealth } from "./judge.ts";
import type { HeartbeatState } from "./schema.ts";

const DETAIL_BYTES = 200;

function describeEnd({ ended }: HeartbeatState): string {
  if (ended === undefined) return "";
  const { exitStatus, note } = ended;
  const status = exitStatus === undefined ? [] : [`exit status ${exitStatus}`];
  return cutBytes([...status, ...(note === "" ? [] : [note])].join(": "), DETAIL_BYTES);
}

/** "4 min", "2 h": how early, roughly. */
function toRoughSpan(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** A job that came before the time that was due, closer to it than to the one before: most often a wrong zone or clock. */
function describeEarly({ schedule }: HeartbeatTarget, { ended, fault }: HeartbeatState): string {
  const dueAt = fault?.dueAt;
  if (schedule.type === "period" || fault?.name !== "late" || dueAt === undefined || ended === undefined)
    return "";
  const nextAt = findNextDue(schedule, dueAt);
  const earlyMs = dueAt - ended.at;
  if (nextAt === undefined || earlyMs <= 0 || earlyMs * 2 >= nextAt - dueAt) return "";
  return `The last ping came ${toRoughSpan(earlyMs)} too early to count`;
}

/** The verdict on a state, without the time of the run, since a state is reported repeatedly. */
export function toJudgement(state: HeartbeatState, target: HeartbeatTarget): Judgement {
  const { fault, ended, expectedFrom, lastPingAt } = state;
  const health = toHealth(state);
  if (fault !== undefined) {
    const { name, dueAt, at } = fault;
    const detail = name === "failed" ? describeEnd(state) : describeEarly(target, state);
    return { state: health, fault: name, detail, dueAt, at };
  }
  const detail = health === "up" ? describeEnd(state) : "";
  return { state: health, detail, at: expectedFrom ?? ended?.at ?? lastPingAt };
}

/** Facts about a heartbeat other than its state. */
export function toFacts(target: HeartbeatTarget, state: HeartbeatState, now: number): HeartbeatFacts {
  const { pings, lastPingAt, lastSuccessAt, ended, runs } = state;
  const nextDueAt = findDueAt(target, state, now);
  return { pings, lastPingAt, lastSuccessAt, nextDueAt, lastRunMs: ended?.runMs, openRuns: runs };
}
