/**
 * What an administrator does to an account: suspend, unlock, verify, delete, restore, and so on. Hidden
 * here: which state allows what, and that each is audited in the transaction that does it.
 */
import { AppError } from "../kit/errors.ts";
import type { Tx } from "../store/store.ts";
import { withoutSessions } from "./account-status.ts";
import { getUser, putUser } from "./accounts.ts";
import { assertNotLastAdmin } from "./admin-accounts.ts";
import { writeAudit } from "./audit.ts";
import type { Actor, Caller } from "./caller.ts";
import type { AuthDeps } from "./deps.ts";
import type { EventKind } from "./events.ts";
import { writeEvent } from "./events.ts";
import { noticeMail } from "./mails.ts";
import { signInKey } from "./password-check.ts";
import { attempts, challenges } from "./records.ts";
import { readSettings } from "./settings.ts";
import { removeAccount } from "./user-removal.ts";
import type { UserRecord } from "./user-schema.ts";

/** A deleted account can be restored for this long. */
const KEPT_MS = 30 * 86_400_000;

/** Who does it, and from where. */
export interface ActionBy {
  readonly actor: Actor;
  readonly caller: Caller;
}

export interface UserActions {
  /** Ends all sessions; until it ends, the account cannot be used. Throws `last_admin`, `conflict`, `invalid`. */
  suspend(id: string, options: ActionBy & Suspension): Promise<UserRecord>;
  /** Throws `conflict` when it is not suspended. */
  unsuspend(id: string, by: ActionBy): Promise<UserRecord>;
  /** Ends the throttle of sign-ins and the lock of the second factor. */
  unlock(id: string, by: ActionBy): Promise<UserRecord>;
  verifyEmail(id: string, by: ActionBy): Promise<UserRecord>;
  revokeSessions(id: string, by: ActionBy): Promise<UserRecord>;
  /** Takes the second factor away, and tells the owner. */
  resetMfa(id: string, by: ActionBy): Promise<UserRecord>;
  /** Adds to the points. Throws `conflict` when fewer than none would be left. */
  addPoints(id: string, options: ActionBy & { delta: number; reason: string }): Promise<UserRecord>;
  /** Marks as deleted, restorable for 30 days. Throws `last_admin`. */
  remove(id: string, by: ActionBy): Promise<UserRecord>;
  /** Removes everything that names the account now. Throws `last_admin`. */
  purge(id: string, by: ActionBy): Promise<void>;
  /** Throws `conflict` when it is not deleted, or its time is over. */
  restore(id: string, by: ActionBy): Promise<UserRecord>;
}

export interface Suspension {
  /** Epoch milliseconds; without it, until somebody ends it. */
  readonly until?: number | undefined;
  readonly reason?: string | undefined;
}

/** One change of an account, with what is written beside it. */
interface Action {
  readonly name: string;
  readonly changes?: readonly string[];
  readonly event?: EventKind;
  /** Whether the version that people see grows. */
  readonly edited: boolean;
  /** The account as it becomes; the same object when nothing changes. */
  readonly apply: (tx: Tx, user: UserRecord) => Promise<UserRecord> | UserRecord;
}

type ActionDeps = Pick<AuthDeps, "store" | "clock" | "expiry" | "outbox">;
type Perform = (id: string, by: ActionBy, action: Action) => Promise<UserRecord>;

function createPerform({ store, clock }: ActionDeps): Perform {
  return (id, { actor, caller }, { name, changes = [], event, edited, apply }) =>
    store.transact(async (tx) => {
      const before = await getUser(tx, id);
      const next = await apply(tx, before);
      await writeAudit(tx, { actor, action: `user.${name}`, target: id, changes }, clock);
      if (event !== undefined) await writeEvent(tx, { userId: id, kind: event, caller, atMs: clock.now() });
      return next === before ? before : putUser(tx, next, { edited });
    });
}

function assertNotDeleted(user: UserRecord): void {
  if (user.status === "deleted") throw new AppError("conflict", "The account is deleted; restore it first");
}

function refuseStatus(user: UserRecord, wanted: string): AppError {
  return new AppError("conflict", `The account is ${user.status}, not ${wanted}`);
}

/** The account without what a suspension left on it. */
function withoutSuspension(user: UserRecord): UserRecord {
  const { suspendedUntil: _until, suspendedReason: _reason, ...rest } = user;
  return rest;
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
          await assertNotLastAdmin(tx, user, nowMs);
          return {
            ...withoutSessions(withoutSuspension(user)),
            status: "suspended",
            ...(until === undefined ? {} : { suspendedUntil: until }),
            ...(reason === undefined ? {} : { suspendedReason: reason }),
          };
        },
      });
    },
    unsuspend: (id, by) =>
      perform(id, by, {
        name: "unsuspend",
        edited: true,
        apply: (_tx, user) => {
          if (user.status !== "suspended") throw refuseStatus(user, "suspended");
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
  const { clock, outbox } = deps;
  return {
    unlock: (id, by) =>
      perform(id, by, {
        name: "unlock",
        edited: false,
        apply: async (tx, user) => {
          await tx.remove(attempts, signInKey(id));
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
        apply: (_tx, user) => withoutSessions(user),
      }),
    resetMfa: async (id, by) => {
      const user = await perform(id, by, {
        name: "reset-mfa",
        event: "second-factor-removed",
        edited: true,
        apply: async (tx, before) => {
          assertNotDeleted(before);
          await dropChallenges(tx, id);
          const { siteName } = (await readSettings(tx, "registration")).fields;
          await outbox.enqueue(tx, noticeMail(before, { siteName, notice: "second-factor-removed" }));
          return { ...before, mfa: { recovery: [], failures: 0 } };
        },
      });
      outbox.wake();
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
              `The account has ${user.points} points; fewer than none cannot be`,
            );
          if (!Number.isSafeInteger(points))
            throw new AppError("conflict", "So many points cannot be counted");
          return { ...user, points };
        },
      }),
  };
}

function removalActions(
  deps: ActionDeps,
  perform: Perform,
): Pick<UserActions, "remove" | "purge" | "restore"> {
  const { store, expiry } = deps;
  function toDeleted(user: UserRecord, nowMs: number): UserRecord {
    // Deleted by an administrator already: its time goes on.
    if (user.status === "deleted" && user.deletedBy === "admin") return user;
    return { ...withoutSessions(user), status: "deleted", deletedBy: "admin", purgeAfter: nowMs + KEPT_MS };
  }
  const remove = (id: string, by: ActionBy, name: string): Promise<UserRecord> => {
    const nowMs = expiry.now();
    return perform(id, by, {
      name,
      edited: true,
      apply: async (tx, user) => {
        await assertNotLastAdmin(tx, user, nowMs);
        return toDeleted(user, nowMs);
      },
    });
  };
  return {
    remove: (id, by) => remove(id, by, "delete"),
    purge: async (id, by) => {
      await remove(id, by, "purge");
      await removeAccount(store, id);
    },
    restore: (id, by) =>
      perform(id, by, {
        name: "restore",
        event: "restored",
        edited: true,
        apply: (_tx, user) => {
          if (user.status !== "deleted") throw refuseStatus(user, "deleted");
          const { purgeAfter = 0, deletedBy: _by, ...rest } = user;
          if (purgeAfter <= expiry.now())
            throw new AppError("conflict", "The account is being removed; it cannot be restored any more");
          return { ...withoutSuspension(rest), status: "active" };
        },
      }),
  };
}

/** Makes the actions on accounts. */
export function createUserActions(deps: ActionDeps): UserActions {
  const perform = createPerform(deps);
  return {
    ...suspensionActions(deps, perform),
    ...credentialActions(deps, perform),
    ...pointsAction(perform),
    ...removalActions(deps, perform),
  };
}
