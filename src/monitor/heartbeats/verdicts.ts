/** What a heartbeat's state is told as: to who keeps the standings of checks, and to people who look at one. */
import { cutBytes } from "../../kit/text/cut-bytes.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { HeartbeatTarget } from "../checks/schema.ts";
import type { HeartbeatFacts, Judgement } from "../checks/standings.ts";
import { findDueAt, toHealth } from "./judge.ts";
import type { HeartbeatState } from "./schema.ts";

const DETAIL_BYTES = 200;

function describeEnd({ ended }: HeartbeatState): string {
  if (ended === undefined) return "";
  const { exitStatus, note } = ended;
  const status = exitStatus === undefined ? [] : [`exit status ${exitStatus}`];
  return [...status, ...(note === "" ? [] : [note])].join(": ");
}

function describeFault(state: HeartbeatState): string {
  const { fault } = state;
  if (fault?.name === "failed") return describeEnd(state);
  const due = fault?.dueAt === undefined ? "" : `, due ${toIsoTime(fault.dueAt)}`;
  return fault?.name === "late" ? `no sign of life${due}` : `a run has not ended${due}`;
}

/** What is told of a state; the time of a run not, since a state is told again and again. */
export function toJudgement(state: HeartbeatState): Judgement {
  const { fault, ended, expectedFrom, lastPingAt } = state;
  const health = toHealth(state);
  if (fault !== undefined) {
    const detail = cutBytes(describeFault(state), DETAIL_BYTES);
    return { state: health, fault: fault.name, detail, at: fault.at };
  }
  const detail = health === "up" ? cutBytes(describeEnd(state), DETAIL_BYTES) : "";
  return { state: health, detail, at: expectedFrom ?? ended?.at ?? lastPingAt };
}

/** What people see of a heartbeat beside its standing. */
export function toFacts(target: HeartbeatTarget, state: HeartbeatState, now: number): HeartbeatFacts {
  const { pings, lastPingAt, lastSuccessAt, ended, runs } = state;
  const nextDueAt = findDueAt(target, state, now);
  return { pings, lastPingAt, lastSuccessAt, nextDueAt, lastRunMs: ended?.runMs, openRuns: runs };
}
