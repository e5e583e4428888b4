/** The verdict on a heartbeat's state: for the states of checks, and for people. */
import { findZone } from "../../kit/time/on-calendar.ts";
import { toWallText } from "../../kit/time/zone-times.ts";
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

/** "1 minute", "11 hours": how early, roughly. */
function toRoughSpan(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes >= 120) return `${Math.round(minutes / 60)} hours`;
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

/** "04:31" in a zone; with the day where that is another one than that of `beside`. */
function toTimeBeside(ms: number, beside: number, timeZone: string): string {
  const [day = "", time = ""] = toWallText(ms, timeZone).split(" ");
  return toWallText(beside, timeZone).startsWith(day) ? time : `${time} on ${day}`;
}

/** A job that came before the time that was due, closer to it than to the one before: most often a wrong zone or clock. */
function describeEarly({ schedule }: HeartbeatTarget, { ended, fault }: HeartbeatState): string {
  const dueAt = fault?.dueAt;
  if (schedule.type === "period" || fault?.name !== "late" || dueAt === undefined || ended === undefined)
    return "";
  const nextAt = findNextDue(schedule, dueAt);
  const earlyMs = dueAt - ended.at;
  if (nextAt === undefined || earlyMs <= 0 || earlyMs * 2 >= nextAt - dueAt) return "";
  const own = schedule.type === "onCalendar" ? findZone(schedule.calendar) : undefined;
  const at = toTimeBeside(ended.at, dueAt, own ?? schedule.timeZone);
  return `The last ping came at ${at}, ${toRoughSpan(earlyMs)} before it was due`;
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
