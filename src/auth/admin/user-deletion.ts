/** Deleting accounts, for 30 days or for good, and bringing them back. */
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { endAllSessions } from "../sessions/session-ends.ts";
import { assertNotLastAdmin, holdsToken } from "../accounts/admin-accounts.ts";
import {
  type ActionBy,
  type ActionDeps,
  type Perform,
  refuseStatus,
  withoutSuspension,
} from "./user-action.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { removeAccount } from "../me/removal.ts";
import type { UserRecord } from "../accounts/schema.ts";

/** A deleted account can be restored for this long. */
const KEPT_MS = 30 * 86_400_000;

async function toDeleted(tx: Tx, user: UserRecord, nowMs: number): Promise<UserRecord> {
  // Deleted by an administrator already: its time goes on.
  if (user.status === "deleted" && user.deletedBy === "admin") return user;
  const ended = await endAllSessions(tx, user, nowMs);
  return { ...ended, status: "deleted", deletedBy: "admin", purgeAfter: nowMs + KEPT_MS };
}

export type Deletion = ReturnType<typeof createDeletion>;

export function createDeletion(deps: ActionDeps, perform: Perform) {
  const { store, expiry } = deps;
  const remove = (id: string, by: ActionBy, name: string): Promise<UserRecord> => {
    const nowMs = expiry.now();
    return perform(id, by, {
      name,
      edited: true,
      apply: async (tx, user) => {
        if (!holdsToken(by.actor)) await assertNotLastAdmin(tx, user, nowMs);
        return toDeleted(tx, user, nowMs);
      },
    });
  };
  return {
    /** Marks as deleted, restorable for 30 days. Throws `last_admin`. */
    remove: (id: string, by: ActionBy): Promise<UserRecord> => remove(id, by, "delete"),
    /** Removes everything that names the account now. Throws `last_admin`. */
    purge: async (id: string, by: ActionBy): Promise<void> => {
      await remove(id, by, "purge");
      await removeAccount(store, id);
    },
    /** Notifies the owner. Throws `conflict` when it is not deleted, or its time is over. */
    restore: (id: string, by: ActionBy): Promise<UserRecord> =>
      perform(id, by, {
        name: "restore",
        event: "restored",
        edited: true,
        apply: async (tx, user) => {
          if (user.status !== "deleted") throw refuseStatus(user, "deleted");
          const { purgeAfter = 0, deletedBy: _by, ...rest } = user;
          if (purgeAfter <= expiry.now())
            throw new AppError("conflict", "The account is being erased and can no longer be restored");
          await tellOwner(tx, deps, { user, notice: "restored" });
          return { ...withoutSuspension(rest), status: "active" };
        },
      }),
  };
}
