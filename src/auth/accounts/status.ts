/** The rights of an account by its status. */
import type { UserRecord } from "./schema.ts";

/** Whether the account may be used at all now: active, or suspended until a time that has passed. */
export function isUsable(user: UserRecord, nowMs: number): boolean {
  if (user.status === "active") return true;
  return user.status === "suspended" && user.suspendedUntil !== undefined && user.suspendedUntil <= nowMs;
}

/** The account's record with which all its sessions end; store it in the same transaction. */
export function withoutSessions(user: UserRecord): UserRecord {
  return { ...user, tokenEpoch: user.tokenEpoch + 1 };
}

/** Whether the account has a second factor that was confirmed. */
export function hasSecondFactor(user: UserRecord): boolean {
  return user.mfa.totp?.confirmedAt !== undefined;
}
