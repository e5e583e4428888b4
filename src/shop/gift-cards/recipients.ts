/** Gift cards by their recipient: for the export of a person's data, and its end. */
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { listCardsOf } from "./book.ts";
import { giftCards } from "./records.ts";
import type { GiftCardRecord } from "./schema.ts";

/** Cards that were sent to an address, the oldest first. */
export function listCardsTo(tx: ReadTx, emailLower: string): Promise<GiftCardRecord[]> {
  return listEvery(tx, giftCards, { index: "byRecipient", range: { prefix: [emailLower] } });
}

/** A card keeps its balance, for its holder has the code; who got it, and what the buyer wrote, goes. */
async function erase(tx: Tx, card: GiftCardRecord): Promise<void> {
  const { recipientEmail: _email, recipientName: _name, message: _message, mailAt: _mailAt, ...kept } = card;
  await tx.put(giftCards, kept);
}

/** Erases a recipient. */
export async function eraseRecipient(tx: Tx, emailLower: string): Promise<void> {
  for (const card of await listCardsTo(tx, emailLower)) await erase(tx, card);
}

/** Erases who got the cards of an order. */
export async function eraseRecipientsOf(tx: Tx, orderId: string): Promise<void> {
  for (const card of await listCardsOf(tx, orderId)) await erase(tx, card);
}
