/** Likes: one per person for each profile, or one per browser behind an IP address for visitors without an account. */
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../base/errors.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { assertOwner, type Subject } from "../sessions/subject.ts";
import type { Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { type PublicPerson, getPublicPerson } from "./profiles.ts";
import { likes } from "./records.ts";
import { profiles } from "../accounts/records.ts";

/** Likes that an address without a sign-in may add in an hour. */
const ANONYMOUS_LIMIT = 60;
const WINDOW_MS = 3_600_000;

export interface Liker {
  /** The signed-in user, if any. */
  readonly subject: Subject | undefined;
  readonly caller: Caller;
}

/** Whether the person likes the profile now, and how many do. */
export interface LikeResult {
  readonly liked: boolean;
  readonly likes: number;
}

/** The id of a like's record; `likerKey` is the liker's user id, or a keyed hash. */
export function likeId(profileId: string, likerKey: string): string {
  return `${profileId}:${likerKey}`;
}

/** Throws `forbidden`, `unauthenticated`, `self_like`. */
function assertMayLike({ user, profile }: PublicPerson, subject: Subject | undefined): void {
  if (profile.likePolicy === "off")
    throw new AppError("forbidden", "The owner of this profile has disabled likes");
  if (profile.likePolicy === "signed-in" && subject === undefined)
    throw new AppError("unauthenticated", "Only signed-in users can like this profile. Sign in first");
  if (subject?.user.id === user.id) throw new AuthError("self_like", "Users cannot like their own profile");
}

export type Likes = ReturnType<typeof createLikes>;

export function createLikes(deps: Pick<AuthDeps, "store" | "clock" | "expiry" | "box" | "limits">) {
  const { store, clock, expiry, box, limits } = deps;
  const anonymous = limits.create("likes", { limit: ANONYMOUS_LIMIT, windowMs: WINDOW_MS });

  function toLikerKey({ subject, caller }: Liker): string {
    if (subject !== undefined) return subject.user.id;
    return box.lookup(`${addressKey(caller.clientAddress)}\n${caller.userAgent}`, "like");
  }

  /** The present state for who may add, so that only a like that is new counts against an address. */
  function look(username: string, liker: Liker): Promise<LikeResult> {
    return store.read(async (tx: ReadTx) => {
      const person = await getPublicPerson(tx, username, expiry.now());
      assertMayLike(person, liker.subject);
      const known = await tx.get(likes, likeId(person.profile.id, toLikerKey(liker)));
      return { liked: known !== undefined, likes: person.profile.likes };
    });
  }

  function refuseFlood({ subject, caller }: Liker): void {
    if (subject !== undefined) return;
    const { allowed, retryAfterSeconds } = anonymous.hit(addressKey(caller.clientAddress));
    if (!allowed) {
      throw new AppError("rate_limited", "Too many likes from this address. Sign in, or try again later", {
        retryAfterSeconds,
      });
    }
  }

  async function addOnce(tx: Tx, username: string, liker: Liker): Promise<LikeResult> {
    // Check everything again: it may have changed since the read.
    const person = await getPublicPerson(tx, username, expiry.now());
    assertMayLike(person, liker.subject);
    const { profile } = person;
    const id = likeId(profile.id, toLikerKey(liker));
    if ((await tx.get(likes, id)) !== undefined) return { liked: true, likes: profile.likes };
    await tx.insert(likes, {
      id,
      profileId: profile.id,
      likerId: liker.subject?.user.id,
      at: clock.now(),
    });
    const counted = await tx.adjust(profiles, profile.id, { field: "likes", by: 1 });
    return { liked: true, likes: counted.likes };
  }

  return {
    /** Likes a profile. Throws `not_found`, `forbidden`, `unauthenticated`, `self_like`, `rate_limited`. */
    add: async (username: string, liker: Liker): Promise<LikeResult> => {
      if (liker.subject !== undefined) assertOwner(liker.subject);
      const present = await look(username, liker);
      if (present.liked) return present;
      refuseFlood(liker);
      return store.transact((tx) => addOnce(tx, username, liker));
    },
    /** Removes a like, whatever the profile's policy is now. Throws `not_found`, `forbidden`. */
    remove: async (username: string, liker: Liker): Promise<LikeResult> => {
      if (liker.subject !== undefined) assertOwner(liker.subject);
      return store.transact(async (tx) => {
        const { profile } = await getPublicPerson(tx, username, expiry.now());
        const isGone = await tx.remove(likes, likeId(profile.id, toLikerKey(liker)));
        if (!isGone) return { liked: false, likes: profile.likes };
        const counted = await tx.adjust(profiles, profile.id, { field: "likes", by: -1 });
        return { liked: false, likes: counted.likes };
      });
    },
  };
}
