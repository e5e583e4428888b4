/** What an account's state allows. */
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../errors.ts";
import type { Subject } from "../caller.ts";
import type { UserRecord } from "./schema.ts";

/** A sign-in or `reauth` counts as recent for this long. */
const RECENT_MS = 10 * 60_000;

/** Whether the account may be used at all now: active, or suspended until a time that has passed. */
export function isUsable(user: UserRecord, nowMs: number): boolean {
  if (user.status === "active") return true;
  return user.status === "suspended" && user.suspendedUntil !== undefined && user.suspendedUntil <= nowMs;
}

/** The account's record with which all its sessions end; store it in the same transaction. */
export function withoutSessions(user: UserRecord): UserRecord {
  return { ...user, tokenEpoch: user.tokenEpoch + 1 };
}

/** Refuses what only the owner may do. Throws `forbidden` in an administrator's session. */
export function assertOwner({ session }: Subject): void {
  if (session.impersonatedBy !== undefined) {
    throw new AppError(
      "forbidden",
      "An administrator who acts in an account cannot do this in its owner's name",
    );
  }
}

/** Whether the owner proved who they are within 10 minutes; what an application holds never counts as that. */
export function isRecent({ session }: Subject, nowMs: number): boolean {
  return session.parentId === undefined && session.authenticatedAt + RECENT_MS > nowMs;
}

/**
 * Refuses a sensitive change unless the owner proved who they are within 10 minutes.
 * Throws `forbidden`, `reauth_required`.
 */
export function assertRecent(subject: Subject, nowMs: number): void {
  assertOwner(subject);
  if (isRecent(subject, nowMs)) return;
  throw new AuthError(
    "reauth_required",
    "Prove again who you are with POST /api/auth/reauth, then repeat this within 10 minutes",
  );
}
