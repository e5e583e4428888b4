/** Accounts that wait for an administrator: let in, or refused and forgotten. */
import { writeAudit } from "../../records/audit.ts";
import { getUser, putUser } from "../accounts/accounts.ts";
import { withoutSessions } from "../accounts/status.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { removeAccount } from "../me/removal.ts";
import { type ActionBy, type ActionDeps, type Perform, refuseStatus } from "./user-action.ts";

/** An account that was let in. What its owner wrote has served its purpose. */
export function toApproved(user: UserRecord): UserRecord {
  const { signUpMessage: _message, ...rest } = user;
  return { ...rest, status: "active" };
}

export type Approval = ReturnType<typeof createApproval>;

/** Creates both. Throw `not_found`, and `conflict` for an account that does not wait. */
export function createApproval(deps: ActionDeps, perform: Perform) {
  const { store, clock, expiry } = deps;
  return {
    /** Lets an account in, and tells its owner. */
    approve: (id: string, by: ActionBy): Promise<UserRecord> =>
      perform(id, by, {
        name: "approve",
        edited: true,
        apply: async (tx, user) => {
          if (user.status !== "pending") throw refuseStatus(user, "pending");
          const approved = toApproved(user);
          await tellOwner(tx, deps, { user: approved, notice: "approved" });
          return approved;
        },
      }),
    /** Notifies the applicant, and removes everything about them: username and address become free. */
    refuse: async (id: string, { reason, actor }: ActionBy & { reason?: string }): Promise<void> => {
      await store.transact(async (tx) => {
        const user = await getUser(tx, id);
        if (user.status !== "pending") throw refuseStatus(user, "pending");
        await tellOwner(tx, deps, { user, notice: "refused", reason });
        const changes = [
          `username: ${user.username}`,
          ...(reason === undefined ? [] : [`reason: ${reason}`]),
        ];
        await writeAudit(tx, { actor, action: "user.refuse", target: id, changes }, clock);
        // Should the removal be cut short, the sweep goes on with it.
        const refused = { ...withoutSessions(user), status: "deleted", deletedBy: "admin" } as const;
        await putUser(tx, { ...refused, purgeAfter: expiry.now() }, { edited: false });
      });
      await removeAccount(store, id);
    },
  };
}
