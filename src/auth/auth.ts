/** The auth center as one thing: its parts wired together over a store. Hidden here: which part needs which, and what is swept when. */
import type { Clock } from "../kit/clock.ts";
import { createForwardClock } from "../kit/forward-clock.ts";
import type { Outbox } from "../kit/outbox.ts";
import type { Store } from "../store/store.ts";
import type { Activity } from "./activity.ts";
import { createActivity } from "./activity.ts";
import type { AuthDeps } from "./deps.ts";
import type { Sessions } from "./sessions.ts";
import { createSessions } from "./sessions.ts";

export interface Auth {
  readonly store: Store;
  readonly clock: Clock;
  readonly expiry: Clock;
  readonly outbox: Outbox;
  readonly activity: Activity;
  readonly sessions: Sessions;
}

/** Wires the auth center. */
export function createAuth(given: Omit<AuthDeps, "expiry">): Auth {
  const deps: AuthDeps = { ...given, expiry: createForwardClock(given.clock) };
  const { store, clock, expiry, outbox } = deps;
  return {
    store,
    clock,
    expiry,
    outbox,
    activity: createActivity(deps),
    sessions: createSessions(deps),
  };
}
