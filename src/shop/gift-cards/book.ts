/** The book of gift cards: the one place where balances change, each with its entry in the same transaction. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { giftCardEntries, giftCards } from "./records.ts";
import type { GiftCardEntry, GiftCardRecord } from "./schema.ts";

/** A change of a balance. */
export interface Change extends Pick<GiftCardEntry, "kind" | "amount" | "orderId" | "who" | "reason"> {
  readonly atMs: number;
}

async function note(
  tx: Tx,
  { id: cardId, currency, balance }: Pick<GiftCardRecord, "id" | "currency" | "balance">,
  { atMs: at, kind, amount, orderId, who, reason }: Change,
): Promise<void> {
  const id = newId("gce", at);
  await tx.insert(giftCardEntries, { id, cardId, currency, at, kind, amount, balance, orderId, who, reason });
}

/** Stores a new card with its first entry. */
export async function openCard(
  tx: Tx,
  card: Omit<GiftCardRecord, "version">,
  by: Pick<Change, "who" | "reason">,
): Promise<GiftCardRecord> {
  const stored = await tx.insert(giftCards, card);
  const { createdAt: atMs, balance: amount, orderId } = card;
  await note(tx, stored, { kind: "issued", amount, atMs, orderId, who: by.who, reason: by.reason });
  return stored;
}

/** Changes the balance of a card as it is in this transaction. Throws `conflict` where it has too little. */
export async function changeBalance(
  tx: Tx,
  card: GiftCardRecord,
  change: Change,
  more: Partial<Pick<GiftCardRecord, "voided" | "sealed">> = {},
): Promise<GiftCardRecord> {
  const balance = card.balance + change.amount;
  if (balance < 0)
    throw new AppError("conflict", `The gift card that ends in ${card.lastFour} has too little left`);
  const stored = await tx.put(giftCards, { ...card, ...more, balance, updatedAt: change.atMs });
  await note(tx, stored, change);
  return stored;
}

/** The same by the card's id; undefined for a card that is gone. */
export async function changeBalanceOf(
  tx: Tx,
  cardId: string,
  change: Change,
): Promise<GiftCardRecord | undefined> {
  const card = await tx.get(giftCards, cardId);
  return card && changeBalance(tx, card, change);
}

/** The cards of a bought line, the oldest first. */
export function listCardsOf(tx: ReadTx, orderId: string, lineId?: string): Promise<GiftCardRecord[]> {
  const prefix = lineId === undefined ? [orderId] : [orderId, lineId];
  return listEvery(tx, giftCards, { index: "byLine", range: { prefix } });
}

/** The book of a card, the oldest entry first. */
export function listEntries(tx: ReadTx, cardId: string): Promise<GiftCardEntry[]> {
  return listEvery(tx, giftCardEntries, { index: "byCard", range: { prefix: [cardId] } });
}

/** What cards paid for an order, refunds and releases off. */
export async function sumPaid(tx: ReadTx, orderId: string): Promise<number> {
  const entries = await listEvery(tx, giftCardEntries, { index: "byOrder", range: { prefix: [orderId] } });
  const own = entries.filter(({ kind }) => kind === "redeemed" || kind === "released" || kind === "refunded");
  return -own.reduce((sum, { amount }) => sum + amount, 0);
}

/** What is left of the cards of each bought line: no more of the line can be refunded. */
export async function readUnspent(tx: ReadTx, orderId: string): Promise<Map<string, number>> {
  const left = new Map<string, number>();
  for (const { lineId = "", balance } of await listCardsOf(tx, orderId))
    left.set(lineId, (left.get(lineId) ?? 0) + balance);
  return left;
}
