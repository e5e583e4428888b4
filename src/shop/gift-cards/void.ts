/** The end of bought cards whose purchase was given back. */
import type { Tx } from "../../store/store.ts";
import { changeBalance, listCardsOf } from "./book.ts";
import { giftCards } from "./records.ts";

/**
 * Takes the refunded amount of a bought line off its cards, untouched cards first; resolves with what could not be
 * taken, because it was spent.
 */
export async function voidRefunded(
  tx: Tx,
  {
    orderId,
    lineId,
    refunded,
    atMs,
  }: {
    readonly orderId: string;
    readonly lineId: string;
    /** Of the line, all refunds together. */
    readonly refunded: number;
    readonly atMs: number;
  },
): Promise<number> {
  const cards = await listCardsOf(tx, orderId, lineId);
  let left = refunded - cards.reduce((sum, { voided = 0 }) => sum + voided, 0);
  const spentOf = (card: (typeof cards)[number]): number => card.initial - card.balance;
  for (const card of cards.toSorted((a, b) => spentOf(a) - spentOf(b))) {
    const amount = Math.min(left, card.balance);
    if (amount <= 0) continue;
    const voided = (card.voided ?? 0) + amount;
    await changeBalance(tx, card, { kind: "voided", amount: -amount, orderId, atMs }, { voided });
    left -= amount;
  }
  return Math.max(0, left);
}

/** Disables the cards of an order whose payment is disputed; staff enables them again when the dispute is won. */
export async function disableDisputed(tx: Tx, orderId: string, atMs: number): Promise<void> {
  for (const card of await listCardsOf(tx, orderId)) {
    if (card.disabledAt !== undefined) continue;
    await tx.put(giftCards, { ...card, disabledAt: atMs, disabledReason: "dispute", updatedAt: atMs });
  }
}
