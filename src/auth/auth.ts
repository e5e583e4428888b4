/** The auth center as one thing: its parts wired together over a store. Hidden here: which part needs which, and what is swept when. */
import type { Clock } from "../kit/clock.ts";
import { createForwardClock } from "../kit/forward-clock.ts";
import type { Outbox } from "../kit/outbox.ts";
import type { Store } from "../store/store.ts";
import type { Activity } from "./activity.ts";
import { createActivity } from "./activity.ts";
import type { Avatars } from "./avatars.ts";
import { createAvatars } from "./avatars.ts";
import type { CheckIns } from "./check-in.ts";
import { createCheckIns } from "./check-in.ts";
import type { AuthDeps } from "./deps.ts";
import type { Directory } from "./directory.ts";
import { createDirectory } from "./directory.ts";
import type { Likes } from "./likes.ts";
import { createLikes } from "./likes.ts";
import type { Profiles } from "./profiles.ts";
import { createProfiles } from "./profiles.ts";
import type { Sessions } from "./sessions.ts";
import { createSessions } from "./sessions.ts";

export interface Auth {
  readonly store: Store;
  readonly clock: Clock;
  readonly expiry: Clock;
  readonly outbox: Outbox;
  readonly activity: Activity;
  readonly sessions: Sessions;
  readonly profiles: Profiles;
  readonly avatars: Avatars;
  readonly checkIns: CheckIns;
  readonly likes: Likes;
  readonly directory: Directory;
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
    profiles: createProfiles(deps),
    avatars: createAvatars(deps),
    checkIns: createCheckIns(deps),
    likes: createLikes(deps),
    directory: createDirectory(deps),
  };
}
