/** What a heartbeat's state is told as: to who keeps the standings of checks, and to people who look at one. */
import { cutBytes } from "../../kit/text/cut-bytes.ts";
import type { HeartbeatTarget } from "../checks/schema.ts";
import type { HeartbeatFacts, Judgement } from "../checks/standings.ts";
import { findDueAt, toHealth } from "./judge.ts";
import type { HeartbeatState } from "./schema.ts";

const DETAIL_BYTES = 200;

function describeEnd({ ended }: HeartbeatState): string {
  if (ended === undefined) return "";
  const { exitStatus, note } = ended;
  const status = exitStatus === undefined ? [] : [`exit status ${exitStatus}`];
  return cutBytes([...status, ...(note === "" ? [] : [note])].join(": "), DETAIL_BYTES);
}

/** What is told of a state; the time of a run not, since a state is told again and again. */
export function toJudgement(state: HeartbeatState): Judgement {
  const { fault, ended, expectedFrom, lastPingAt } = state;
  const health = toHealth(state);
  if (fault !== undefined) {
    const { name, dueAt, at } = fault;
    return { state: health, fault: name, detail: name === "failed" ? describeEnd(state) : "", dueAt, at };
  }
  const detail = health === "up" ? describeEnd(state) : "";
  return { state: health, detail, at: expectedFrom ?? ended?.at ?? lastPingAt };
}

/** What people see of a heartbeat beside its standing. */
export function toFacts(target: HeartbeatTarget, state: HeartbeatState, now: number): HeartbeatFacts {
  const { pings, lastPingAt, lastSuccessAt, ended, runs } = state;
  const nextDueAt = findDueAt(target, state, now);
  return { pings, lastPingAt, lastSuccessAt, nextDueAt, lastRunMs: ended?.runMs, openRuns: runs };
}
