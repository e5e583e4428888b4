/** The identity of a customer: an account, or the mailbox of a guest. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { ShopError } from "../base/errors.ts";
import { toMailbox } from "../base/mailbox.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { customers } from "./records.ts";
import type { ReadTx } from "../../store/store.ts";

/** Replaces the email address of an anonymized customer in orders; no email can be sent there (RFC 2606). */
export const REMOVED_EMAIL = "removed@anonymous.invalid";

/** The part of an order that identifies its buyer. */
export type Buyer = Pick<OrderRecord, "userId" | "emailLower">;

/** The id of a guest: a keyed hash, so that addresses of pages and logs do not say who. */
export function toGuestId(box: Pick<SecretBox, "lookup">, email: string): string {
  return `cus_${box.lookup(toMailbox(email), "customer")}`;
}

/** Throws `order_refused` for an account or a mailbox that an administrator has blocked; it does not say so. */
export async function assertNotBlocked(
  tx: ReadTx,
  box: Pick<SecretBox, "lookup">,
  { userId, emailLower }: Buyer,
): Promise<void> {
  const ids = [...(userId === undefined ? [] : [userId]), toGuestId(box, emailLower)];
  for (const id of ids) {
    if ((await tx.get(customers, id))?.blocked === undefined) continue;
    throw new ShopError("order_refused", "This order cannot be accepted. Contact the shop");
  }
}
