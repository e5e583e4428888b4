/** Refunds and gift cards: what goes back to cards that paid, and what of sold cards can be given back at all. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toDecimal } from "../base/money.ts";
import type { RefundPart } from "../base/refund-part.ts";
import { changeBalanceOf, readUnspent } from "../gift-cards/book.ts";
import { CARD_PROVIDER } from "../orders/card-payments.ts";
import { toReturnable } from "../orders/card-shares.ts";
import { type PlannedRefund, type WantedRefund, planRefund, spreadWithin } from "../orders/refund-parts.ts";
import { orders } from "../orders/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { takeNotice } from "../payments/notices.ts";
import { notices } from "../payments/records.ts";

/** A refund as it was planned, with the part of it that goes back to gift cards. */
export interface SplitRefund {
  readonly planned: PlannedRefund;
  readonly toCards: PlannedRefund;
  /** Through a payment provider, or given back elsewhere. */
  readonly rest: PlannedRefund;
}

/** The first `amount` of parts, and what is left of them; units stay with the first. */
function splitParts(parts: readonly RefundPart[] | undefined, amount: number) {
  if (parts === undefined) return { first: undefined, rest: undefined };
  const first: RefundPart[] = [];
  const rest: RefundPart[] = [];
  let left = amount;
  for (const part of parts) {
    const own = Math.min(left, part.amount);
    left -= own;
    if (own > 0) first.push({ ...part, amount: own });
    if (own < part.amount)
      rest.push(own === 0 ? part : { lineId: part.lineId, amount: part.amount - own, quantity: undefined });
  }
  return { first, rest };
}

function refuseSpent({ currency }: OrderRecord, most: number): never {
  throw new AppError(
    "invalid",
    `The amount is too high: gift cards of this order were spent, and ${toDecimal(most, currency)} ${currency} is left to refund`,
    { errors: [{ pointer: "/amount", code: "invalid", message: `must be at most ${most}` }] },
  );
}

/**
 * Plans a refund. Gift cards that paid get their money back first: that never fails and costs no fee. Of gift cards
 * that the order sold, only what is unspent can be given back.
 * @throws AppError `invalid`
 */
export async function planSplit(
  tx: ReadTx,
  order: OrderRecord,
  wanted: WantedRefund,
  open: readonly PlannedRefund[] = [],
): Promise<SplitRefund> {
  const sold = order.lines.filter(({ deliveryType }) => deliveryType === "gift_card");
  const caps = sold.length === 0 ? undefined : await readUnspent(tx, order.id);
  // Lines whose cards were not issued yet are not spent.
  for (const { id, deliveredAt, total } of sold) if (deliveredAt === undefined) caps?.set(id, total);
  const plan = planRefund(order, wanted, { open, caps });
  const over = Math.max(0, order.amountPaid - order.total);
  const spread =
    caps && plan.parts === undefined ? spreadWithin(order, plan.amount - over, { open, caps }) : undefined;
  if (spread !== undefined && spread.left > 0) refuseSpent(order, plan.amount - spread.left);
  const planned = { amount: plan.amount, parts: plan.parts ?? spread?.parts };
  const amount = Math.min(planned.amount, toReturnable(order));
  // An amount that was paid too much belongs to no item.
  const { first, rest } = splitParts(over > 0 ? undefined : planned.parts, amount);
  return {
    planned,
    toCards: { amount, parts: first },
    rest: { amount: planned.amount - amount, parts: amount === 0 ? planned.parts : rest },
  };
}

/** Of one order: another one may have the same reference. */
const toCardReference = (orderId: string, reference: string): string => `${orderId}:${reference}`;

/** @throws AppError `already_exists` when a refund of the order with this reference was recorded, or went to its cards */
export async function assertNewRefund(
  tx: ReadTx,
  orderId: string,
  reference: string | undefined,
): Promise<void> {
  if (reference === undefined) return;
  for (const [provider, key] of [
    ["manual", reference],
    [CARD_PROVIDER, toCardReference(orderId, reference)],
  ] as const) {
    const known = await tx.by(notices, "byReference", [provider, key, "refund"]);
    if (known?.orderId === orderId)
      throw new AppError("already_exists", `A refund with the reference "${reference}" was already recorded`);
  }
}

/** Gives an amount back to the cards of an order, in the order in which they paid. */
export async function refundToCards(
  tx: Tx,
  deps: Pick<ShopDeps, "clock" | "box" | "outbox" | "publicUrl">,
  before: OrderRecord,
  {
    amount,
    parts,
    reason,
    reference,
  }: PlannedRefund & { readonly reason: string; readonly reference?: string | undefined },
): Promise<OrderRecord> {
  if (amount === 0) return before;
  const atMs = deps.clock.now();
  const { id: orderId, currency } = before;
  const providerRef = reference === undefined ? newId("rfd", atMs) : toCardReference(orderId, reference);
  const input = { providerRef, claimedOrderId: orderId, type: "refund", amount, currency } as const;
  const arrived = {
    provider: CARD_PROVIDER,
    eventId: `refund:${providerRef}`,
    verified: "admin",
    raw: reason,
    parts,
    isForced: true,
  } as const;
  const { result, reason: why } = await takeNotice(tx, deps, { ...arrived, input });
  if (result !== "applied") throw new AppError("conflict", why);
  let left = amount;
  const giftCards = [];
  for (const card of before.giftCards ?? []) {
    const { returned = 0, isReleased } = card;
    const own = isReleased === true ? 0 : Math.min(left, card.amount - returned);
    left -= own;
    giftCards.push(own === 0 ? card : { ...card, returned: returned + own });
    if (own > 0)
      await changeBalanceOf(tx, card.cardId, { kind: "refunded", amount: own, orderId, reason, atMs });
  }
  const order = (await tx.get(orders, orderId)) ?? before;
  return tx.put(orders, { ...order, giftCards });
}
