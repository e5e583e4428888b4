/** Gift cards that pay for orders: the balance, the entry of the ledger and the order change in one transaction. */
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { type CardShare } from "../gift-cards/find-cards.ts";
import { changeBalance, changeBalanceOf } from "../gift-cards/book.ts";
import { giftCards } from "../gift-cards/records.ts";
import { notices } from "../payments/records.ts";
import { retakeCards } from "./card-shares.ts";
import type { CardPayment, OrderRecord } from "./schema.ts";

/** The provider of such entries, and the payment method of an order that cards pay in full; no provider can have it. */
export const CARD_PROVIDER = "gift-card";

/** The payments of a new order by cards, before it is stored. */
export function toCardPayments(shares: readonly CardShare[], atMs: number): CardPayment[] {
  return shares.map(({ card: { id: cardId, lastFour }, amount }) => {
    const noticeId = newId("pay", atMs);
    return { cardId, lastFour, amount, noticeId };
  });
}

/** Takes what cards pay for a new order. Throws `conflict` for a card that has less by now. */
export async function takeCards(tx: Tx, order: OrderRecord): Promise<void> {
  const { id: orderId, currency, createdAt: atMs, giftCards: payments = [] } = order;
  for (const { cardId, amount, noticeId, lastFour } of payments) {
    await changeBalanceOf(tx, cardId, { kind: "redeemed", amount: -amount, orderId, atMs });
    await tx.insert(notices, {
      id: noticeId,
      provider: CARD_PROVIDER,
      eventId: noticeId,
      providerRef: noticeId,
      refKey: noticeId,
      claimedOrderId: orderId,
      orderId,
      type: "payment",
      amount,
      currency,
      verified: "secret",
      state: "applied",
      reason: "",
      receivedAt: atMs,
      repeats: 0,
      raw: `••••${lastFour}`,
    });
  }
}

const RELEASED = "The order was not paid: the gift card has the amount again";

/** Gives cards back what they paid for an order that will not be paid; once. */
export async function returnReleased(tx: Tx, order: OrderRecord): Promise<void> {
  const { id: orderId, updatedAt: atMs, giftCards: payments = [] } = order;
  for (const { cardId, amount, noticeId, isReleased } of payments) {
    const notice = await tx.get(notices, noticeId);
    if (isReleased !== true || notice?.state !== "applied") continue;
    await tx.put(notices, { ...notice, state: "dismissed", reason: RELEASED });
    await changeBalanceOf(tx, cardId, { kind: "released", amount, orderId, atMs });
  }
}

/** An expired order with the payments of its cards again; undefined where they have too little left. */
export async function findRetaken(tx: ReadTx, order: OrderRecord): Promise<OrderRecord | undefined> {
  const released = (order.giftCards ?? []).filter(({ isReleased }) => isReleased === true);
  if (released.length === 0) return undefined;
  for (const { cardId, amount } of released) {
    const card = await tx.get(giftCards, cardId);
    if (card === undefined || card.disabledAt !== undefined || card.balance < amount) return undefined;
  }
  return retakeCards(order);
}

/** Takes again what {@link findRetaken} found, once the order is paid. */
export async function takeAgain(tx: Tx, before: OrderRecord, atMs: number): Promise<void> {
  for (const { cardId, amount, noticeId, isReleased } of before.giftCards ?? []) {
    const notice = await tx.get(notices, noticeId);
    const card = await tx.get(giftCards, cardId);
    if (isReleased !== true || notice === undefined || card === undefined) continue;
    await tx.put(notices, { ...notice, state: "applied", reason: "" });
    await changeBalance(tx, card, { kind: "redeemed", amount: -amount, orderId: before.id, atMs });
  }
}
