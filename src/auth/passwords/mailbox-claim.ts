/** A person who verifies a mailbox owns the account that waits for it. */
import type { Tx } from "../../store/store.ts";
import { endAllSessions } from "../sessions/session-ends.ts";
import { putUser } from "../accounts/accounts.ts";
import { dropLinks } from "../upstream/links.ts";
import { endLinks } from "./links.ts";
import { emails, passkeys } from "../accounts/records.ts";
import type { UserRecord } from "../accounts/schema.ts";

/**
 * Marks the primary address as proved: password, sessions, second factor, passkeys, further addresses, links and other providers of
 * before are gone. `passwordHash` is one that the owner of the mailbox chose.
 */
export async function claimMailbox(
  tx: Tx,
  user: UserRecord,
  options: { nowMs: number; passwordHash?: string },
): Promise<UserRecord> {
  const { nowMs, passwordHash } = options;
  const { items } = await tx.list(emails, "byUser", { prefix: [user.id], limit: 100 });
  for (const email of items) await tx.remove(emails, email.id);
  const { items: keys } = await tx.list(passkeys, "byUser", { prefix: [user.id], limit: 100 });
  for (const passkey of keys) await tx.remove(passkeys, passkey.id);
  await endLinks(tx, user.id);
  await dropLinks(tx, user.id);
  const {
    passwordHash: _passwordHash,
    passwordChangedAt: _changedAt,
    ...kept
  } = await endAllSessions(tx, user, nowMs);
  const password = passwordHash === undefined ? {} : { passwordHash, passwordChangedAt: nowMs };
  const mfa = { recovery: [], failures: 0 };
  return putUser(tx, { ...kept, ...password, mfa, emailVerifiedAt: nowMs }, { edited: true });
}
