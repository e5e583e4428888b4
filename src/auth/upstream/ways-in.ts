/** The sign-in methods of an account, so that the last one cannot be removed. */
import type { ReadTx } from "../../store/store.ts";
import { AuthError } from "../base/errors.ts";
import { passkeys, upstreamLinks } from "../accounts/records.ts";
import { upstreams } from "./records.ts";
import type { UserRecord } from "../accounts/schema.ts";

/** Whether another provider opens the account, one that is there and switched on. */
async function hasOpenLink(tx: ReadTx, userId: string, removedId: string): Promise<boolean> {
  const { items } = await tx.list(upstreamLinks, "byUser", { prefix: [userId], limit: 100 });
  for (const { id, upstreamId } of items)
    if (id !== removedId && (await tx.get(upstreams, upstreamId))?.enabled === true) return true;
  return false;
}

/**
 * Call it in the transaction in which the owner removes the sign-in method `removedId`. A code by email does not
 * count: it needs a mailbox that may be lost. Throws `last_way_in`.
 */
export async function assertOtherWayIn(tx: ReadTx, user: UserRecord, removedId: string): Promise<void> {
  if (user.passwordHash !== undefined) return;
  const { items } = await tx.list(passkeys, "byUser", { prefix: [user.id], limit: 2 });
  if (items.some(({ id }) => id !== removedId)) return;
  if (await hasOpenLink(tx, user.id, removedId)) return;
  throw new AuthError(
    "last_way_in",
    "This is the only sign-in method of the account. Set a password or add another sign-in method first",
  );
}
