/**
 * The states of an alert, pure: ok → pending → firing → ok again, which is what people call resolved. Everything
 * that a rule and a server can be in follows from one table; time is the monotonic clock's.
 */
import type { Breach } from "./kinds/kind.ts";

export type AlertPhase = "ok" | "pending" | "firing";

export interface AlertState {
  readonly phase: AlertPhase;
  /** When the phase began, monotonic milliseconds. */
  readonly sinceMs: number;
  /** Of what fires: since when it has been seen to be over, which must last too. */
  readonly clearMs?: number;
}

/** One look at a server. */
export interface Observation {
  readonly breached: Breach;
  /** Monotonic milliseconds. */
  readonly nowMs: number;
  /** Since when a breach that is new here has been there, monotonic milliseconds; without it, since now. */
  readonly breachedMs?: number | undefined;
}

export interface AlertStep {
  readonly state: AlertState;
  readonly event?: "fire" | "resolve";
}

/** Where every alert begins. */
export const OK: AlertState = { phase: "ok", sinceMs: 0 };

/** How long what is seen must last before it counts, milliseconds. */
export interface Lasting {
  readonly waitMs: number;
  readonly recoverMs: number;
}

/** `wait` begins or goes on waiting, and fires when that was long enough. */
type Move = "stay" | "wait" | "clear" | "resolve";

const moves = {
  ok: { true: "wait", false: "stay", unknown: "stay" },
  // An unknown state does not count as lasting: the condition must hold for the whole time.
  pending: { true: "wait", false: "clear", unknown: "clear" },
  // Nor is what cannot be seen known to be over.
  firing: { true: "stay", false: "resolve", unknown: "stay" },
} as const satisfies Record<AlertPhase, Record<"true" | "false" | "unknown", Move>>;

/** The next state and what happened. */
export function step(state: AlertState, observation: Observation, { waitMs, recoverMs }: Lasting): AlertStep {
  const { breached, nowMs, breachedMs = nowMs } = observation;
  const move = moves[state.phase][breached === true ? "true" : breached === false ? "false" : "unknown"];
  switch (move) {
    case "stay": {
      const { phase, sinceMs, clearMs } = state;
      return { state: clearMs === undefined ? state : { phase, sinceMs } };
    }
    case "clear":
      return { state: OK };
    case "resolve": {
      const { clearMs = nowMs } = state;
      if (nowMs - clearMs >= recoverMs) return { state: OK, event: "resolve" };
      return { state: state.clearMs === undefined ? { ...state, clearMs } : state };
    }
    case "wait": {
      const sinceMs = state.phase === "pending" ? state.sinceMs : breachedMs;
      if (nowMs - sinceMs >= waitMs) return { state: { phase: "firing", sinceMs: nowMs }, event: "fire" };
      return { state: state.phase === "pending" ? state : { phase: "pending", sinceMs } };
    }
  }
}
