/** The effect of a ping on a heartbeat. Pure. */
import { cutBytes } from "../../kit/text/cut-bytes.ts";
import type { HeartbeatTarget } from "../checks/schema.ts";
import { isOverrun } from "./judge.ts";
import { type HeartbeatState, MAX_RUNS, type Signal } from "./schema.ts";

/** A ping. */
export interface Sign {
  readonly signal: Signal;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Distinguishes runs; "" if the sender names none. */
  readonly rid: string;
  readonly exitStatus?: number | undefined;
  /** How long it took, as the sender says; what is measured takes precedence. */
  readonly runMs?: number | undefined;
  readonly text: string;
}

/** A heartbeat's definition. */
export interface Definition {
  readonly target: HeartbeatTarget;
  readonly paused: boolean;
}

const NOTE_BYTES = 200;

/** The first line that says something, for lists. */
function toNote(text: string): string {
  const first = text.split("\n").find((each) => each.trim() !== "") ?? "";
  const plain = first.slice(0, 2 * NOTE_BYTES).replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu, " ");
  return cutBytes(plain.trim(), NOTE_BYTES);
}

function beginRun(state: HeartbeatState, { rid, at }: Sign): HeartbeatState {
  const others = state.runs.filter((run) => run.rid !== rid);
  return { ...state, runs: [...others, { rid, startedAt: at }].slice(-MAX_RUNS) };
}

/** Runs that are still open after an end: one that names no run ends all, and a success the ones that took too long. */
function listOpen(state: HeartbeatState, sign: Sign, target: HeartbeatTarget): HeartbeatState["runs"] {
  if (sign.rid === "") return [];
  const others = state.runs.filter(({ rid }) => rid !== sign.rid);
  if (sign.signal === "fail") return others;
  return others.filter((run) => !isOverrun(target, run, sign.at));
}

function endRun(state: HeartbeatState, sign: Sign, target: HeartbeatTarget): HeartbeatState {
  const { at, exitStatus } = sign;
  const isSuccess = sign.signal === "success";
  const started = state.runs.find(({ rid }) => rid === sign.rid)?.startedAt;
  // A clock that was set back in between measured nothing.
  const runMs = started !== undefined && started <= at ? at - started : sign.runMs;
  const { lastSuccessAt, expectedFrom: _expected, fault: _fault, ...rest } = state;
  return {
    ...rest,
    ended: { at, isSuccess, exitStatus, runMs, note: toNote(sign.text) },
    lastSuccessAt: isSuccess ? at : lastSuccessAt,
    runs: listOpen(state, sign, target),
    ...(isSuccess ? {} : { fault: { name: "failed" as const, at } }),
  };
}

/** The state after a ping; `state` is undefined before the first one. The log's numbers are not counted here. */
export function applySign(
  state: HeartbeatState | undefined,
  sign: Sign,
  { target, paused }: Definition,
): Omit<HeartbeatState, "id" | "version"> {
  const empty = { id: "", version: 0, pings: 0, oldestPing: 1, textBytes: 0, runs: [], lastPingAt: 0 };
  const before: HeartbeatState = {
    ...(state ?? empty),
    lastPingAt: sign.at,
    // A pending change of the definition is left to the judge.
    definition: state?.definition ?? JSON.stringify(target),
    isPaused: state?.isPaused ?? paused,
  };
  if (sign.signal === "log") return before;
  return sign.signal === "start" ? beginRun(before, sign) : endRun(before, sign, target);
}
