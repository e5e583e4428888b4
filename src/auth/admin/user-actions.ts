/** Actions of administrators on an account: suspend, unlock, verify, add points, and so on. */
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { endAllSessions } from "../sessions/session-ends.ts";
import { assertNotLastAdmin, holdsToken } from "../accounts/admin-accounts.ts";
import { throttleKeys } from "../passwords/password-check.ts";
import { attempts } from "../attempts/records.ts";
import { challenges } from "../second-factor/records.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { weakenSessions } from "../second-factor/strengthen.ts";
import {
  type ActionBy,
  type ActionDeps,
  type Perform,
  assertNotDeleted,
  createPerform,
  refuseStatus,
  withoutSuspension,
} from "./user-action.ts";
import { type Approval, createApproval } from "./approval.ts";
import { type Deletion, createDeletion } from "./user-deletion.ts";
import type { UserRecord } from "../accounts/schema.ts";

export interface UserActions extends Approval, Deletion {
  /** Ends all sessions and tells the owner; until it ends, the account cannot be used. Throws `last_admin`, `conflict`, `invalid`. */
  suspend(id: string, options: ActionBy & Suspension): Promise<UserRecord>;
  /** Notifies the owner. Throws `conflict` when it is not suspended. */
  unsuspend(id: string, by: ActionBy): Promise<UserRecord>;
  /** Ends the throttle of sign-ins and the lock of the second factor. */
  unlock(id: string, by: ActionBy): Promise<UserRecord>;
  verifyEmail(id: string, by: ActionBy): Promise<UserRecord>;
  revokeSessions(id: string, by: ActionBy): Promise<UserRecord>;
  /** Removes the second factor, and notifies the owner. */
  resetMfa(id: string, by: ActionBy): Promise<UserRecord>;
  /** Adds to the points. Throws `conflict` when fewer than none would be left. */
  addPoints(id: string, options: ActionBy & { delta: number; reason: string }): Promise<UserRecord>;
}

export interface Suspension {
  /** Epoch milliseconds; without it, until it is ended by hand. */
  readonly until?: number;
  /** The owner reads it. */
  readonly reason?: string;
}

function suspensionActions(deps: ActionDeps, perform: Perform): Pick<UserActions, "suspend" | "unsuspend"> {
  return {
    suspend: async (id, { until, reason, ...by }) => {
      const nowMs = deps.expiry.now();
      if (until !== undefined && until <= nowMs) {
        const message = "must be in the future";
        throw new AppError("invalid", `The end of a suspension ${message}`, {
          errors: [{ pointer: "/until", code: "invalid", message }],
        });
      }
      const changes = [
        ...(until === undefined ? [] : [`until: ${new Date(until).toISOString()}`]),
        ...(reason === undefined ? [] : [`reason: ${reason}`]),
      ];
      return perform(id, by, {
        name: "suspend",
        changes,
        event: "suspended",
        edited: true,
        apply: async (tx, user) => {
          if (user.status !== "active" && user.status !== "suspended") throw refuseStatus(user, "active");
          if (!holdsToken(by.actor)) await assertNotLastAdmin(tx, user, nowMs);
          await tellOwner(tx, deps, { user, notice: "suspended", reason, until });
          return {
            ...(await endAllSessions(tx, withoutSuspension(user), nowMs)),
            status: "suspended",
            suspendedUntil: until,
            suspendedReason: reason,
          };
        },
      });
    },
    unsuspend: (id, by) =>
      perform(id, by, {
        name: "unsuspend",
        edited: true,
        apply: async (tx, user) => {
          if (user.status !== "suspended") throw refuseStatus(user, "suspended");
          await tellOwner(tx, deps, { user, notice: "restored" });
          return { ...withoutSuspension(user), status: "active" };
        },
      }),
  };
}

async function dropChallenges(tx: Tx, userId: string): Promise<void> {
  const { items } = await tx.list(challenges, "byUser", { prefix: [userId], limit: 100 });
  for (const challenge of items) await tx.remove(challenges, challenge.id);
}

function credentialActions(
  deps: ActionDeps,
  perform: Perform,
): Pick<UserActions, "unlock" | "verifyEmail" | "revokeSessions" | "resetMfa"> {
  const { clock } = deps;
  return {
    unlock: (id, by) =>
      perform(id, by, {
        name: "unlock",
        edited: false,
        apply: async (tx, user) => {
          for (const key of throttleKeys(id)) await tx.remove(attempts, key);
          const { lockedUntil: _lock, ...mfa } = user.mfa;
          return { ...user, mfa: { ...mfa, failures: 0 } };
        },
      }),
    verifyEmail: (id, by) =>
      perform(id, by, {
        name: "verify-email",
        event: "email-verified",
        edited: true,
        apply: (_tx, user) => {
          assertNotDeleted(user);
          return user.emailVerifiedAt === undefined ? { ...user, emailVerifiedAt: clock.now() } : user;
        },
      }),
    revokeSessions: (id, by) =>
      perform(id, by, {
        name: "revoke-sessions",
        event: "sessions-revoked",
        edited: false,
        apply: (tx, user) => endAllSessions(tx, user, deps.expiry.now()),
      }),
    resetMfa: async (id, by) => {
      const user = await perform(id, by, {
        name: "reset-mfa",
        event: "second-factor-removed",
        edited: true,
        apply: async (tx, before) => {
          assertNotDeleted(before);
          await dropChallenges(tx, id);
          const after = { ...before, mfa: { recovery: [], failures: 0 } };
          await weakenSessions(tx, after, { factor: "app", nowMs: deps.expiry.now() });
          await tellOwner(tx, deps, { user: before, notice: "second-factor-removed" });
          return after;
        },
      });
      return user;
    },
  };
}

function pointsAction(perform: Perform): Pick<UserActions, "addPoints"> {
  return {
    addPoints: (id, { delta, reason, ...by }) =>
      perform(id, by, {
        name: "points",
        changes: [`delta: ${delta}`, `reason: ${reason}`],
        edited: false,
        apply: (_tx, user) => {
          assertNotDeleted(user);
          const points = user.points + delta;
          if (points < 0)
            throw new AppError(
              "conflict",
              `The balance cannot be negative: the account has ${user.points} points`,
            );
          if (!Number.isSafeInteger(points))
            throw new AppError("conflict", "The balance would exceed the maximum number of points");
          return { ...user, points };
        },
      }),
  };
}

export function createUserActions(deps: ActionDeps): UserActions {
  const perform = createPerform(deps);
  return {
    ...suspensionActions(deps, perform),
    ...credentialActions(deps, perform),
    ...pointsAction(perform),
    ...createApproval(deps, perform),
    ...createDeletion(deps, perform),
  };
}
