/** The further addresses of an account as an administrator keeps them: added, taken as verified, removed. */
import { writeAudit } from "../../records/audit.ts";
import type { Tx } from "../../store/store.ts";
import { findByEmail, getUser } from "../accounts/accounts.ts";
import { type EventKind, writeEvent } from "../accounts/events.ts";
import type { EmailRecord, UserRecord } from "../accounts/schema.ts";
import { type ActionBy, type ActionDeps, assertNotDeleted } from "../admin/user-action.ts";
import { AuthError } from "../base/errors.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { emails } from "../accounts/records.ts";
import { endRecovery, getOwn, insertEmail } from "./emails.ts";

/** The outcome for an address; without an event, its owner is not notified. */
interface Outcome {
  readonly email: EmailRecord;
  readonly event?: EventKind;
}

export interface NewEmail {
  readonly address: string;
  readonly purposes: EmailRecord["purposes"];
  /** Whether it counts as proved. */
  readonly verified: boolean;
}

export type AdminEmails = ReturnType<typeof createAdminEmails>;

/** Creates the administration of addresses. All throw `not_found`, and `conflict` for a deleted account. */
export function createAdminEmails(deps: ActionDeps) {
  const { store, clock, expiry } = deps;

  function change(
    userId: string,
    { actor, caller, name }: ActionBy & { name: string },
    work: (tx: Tx, user: UserRecord) => Promise<Outcome>,
  ): Promise<EmailRecord> {
    return store.transact(async (tx) => {
      const user = await getUser(tx, userId);
      assertNotDeleted(user);
      const { email, event } = await work(tx, user);
      const changes = [`email: ${email.address}`];
      await writeAudit(tx, { actor, action: `user.${name}`, target: userId, changes }, clock);
      if (event !== undefined) await writeEvent(tx, { userId, kind: event, caller, atMs: clock.now() });
      return email;
    });
  }

  async function prove(tx: Tx, user: UserRecord, email: EmailRecord): Promise<Outcome> {
    if (email.verifiedAt !== undefined) return { email };
    if ((await findByEmail(tx, email.address)) !== undefined)
      throw new AuthError(
        "email_taken",
        `The email address "${email.address}" already belongs to another account`,
      );
    const proved = { verifiedAt: expiry.now(), verifiedLower: email.addressLower };
    const stored = await tx.put(emails, { ...email, ...proved });
    await tellOwner(tx, deps, { user, notice: "email-added" });
    return { email: stored, event: "email-added" };
  }

  return {
    /** Throws `email_limit`, `already_exists`, and `email_taken` for one that is to count as proved. */
    add: (
      userId: string,
      { address, purposes, verified, ...by }: ActionBy & NewEmail,
    ): Promise<EmailRecord> =>
      change(userId, { ...by, name: "add-email" }, async (tx, user) => {
        const email = await insertEmail(tx, user, { address, purposes, atMs: clock.now() });
        return verified ? prove(tx, user, email) : { email };
      }),
    /** Marks an address as verified. Throws `email_taken`. */
    verify: (userId: string, { id, ...by }: ActionBy & { id: string }): Promise<EmailRecord> =>
      change(userId, { ...by, name: "verify-further-email" }, async (tx, user) =>
        prove(tx, user, await getOwn(tx, userId, id)),
      ),
    /** Links that went to it end. */
    remove: async (userId: string, { id, ...by }: ActionBy & { id: string }): Promise<void> => {
      await change(userId, { ...by, name: "remove-email" }, async (tx, user) => {
        const email = await getOwn(tx, userId, id);
        await tx.remove(emails, id);
        if (email.verifiedAt !== undefined)
          await endRecovery(tx, deps, { user, email, notice: "email-removed" });
        return { email, event: "email-removed" };
      });
    },
  };
}
