/** Orders that an edit made more expensive after they were paid: payments of the balance, and what follows. */
import type { Tx } from "../../store/store.ts";
import { readSite } from "../site/settings.ts";
import { handOverAutomatic } from "./delivery.ts";
import { type OrderDeps, commitMove } from "./effects.ts";
import {
  type Goods,
  type MoneyMove,
  type MoveNote,
  type Moved,
  type OrderEffect,
  bookMoney,
  isHandedOver,
  isHeld,
  moveOrder,
  toDelivered,
  withAttention,
  withoutAttention,
} from "./order.ts";
import type { OrderRecord } from "./schema.ts";

/** A payment of the balance in the books of an order; what is left of the balance stays due. */
export function bookBalance(order: OrderRecord, move: MoneyMove, amount: number): OrderRecord {
  const rest = (order.balanceDue ?? 0) - amount;
  const booked = withoutAttention(bookMoney(order, move).order, "underpaid");
  if (rest > 0) return { ...withAttention(booked, "balance_due"), balanceDue: rest };
  const paid = { ...withoutAttention(booked, "balance_due"), balanceDue: undefined };
  return rest < 0 ? withAttention(paid, "overpaid") : paid;
}

/** An edited or fully paid order with the goods that need no person. */
function toSettled(
  order: OrderRecord,
  { lines, isComplete, autoCompleteDays, ...by }: Goods & MoveNote,
): Omit<Moved, "effects"> & { readonly effects: OrderEffect[] } {
  const effects: OrderEffect[] = [];
  let next: OrderRecord = { ...order, lines };
  if (lines.every(isHandedOver)) next = toDelivered(next, autoCompleteDays, by);
  else if (lines.some(isHandedOver) && next.status === "paid") next = moveOrder(next, "start_fulfilling", by);
  if (next.status === "delivered") effects.push({ kind: "invoice", on: "delivery" });
  if (isComplete) return { order: next, effects };
  const subject = `order ${order.number} is missing license keys`;
  const words =
    "There are not enough license keys for the items of this order. Add them, then deliver the order.";
  effects.push({ kind: "mail_admin", subject, lines: [words] });
  return { order: withAttention(next, "stock_shortfall"), effects };
}

/**
 * Stores a paid order without a balance: its new digital goods are delivered, and its invoice is that of its present
 * lines. `effects` come first; with `isPaid` the buyer reads that the balance was received.
 */
export async function settleEdited(
  tx: Tx,
  deps: OrderDeps,
  {
    order,
    effects = [],
    isPaid = false,
    ...by
  }: MoveNote & {
    readonly order: OrderRecord;
    readonly effects?: readonly OrderEffect[];
    readonly isPaid?: boolean;
  },
): Promise<OrderRecord> {
  const site = await readSite(tx);
  const goods = isHeld(order)
    ? { lines: order.lines, isComplete: true }
    : await handOverAutomatic(tx, deps.box, order, by.atMs);
  const settled = toSettled(order, { ...goods, autoCompleteDays: site.autoCompleteDays, ...by });
  const isDelivered = settled.order.status === "delivered" && order.status !== "delivered";
  const mails: OrderEffect[] = isDelivered
    ? [{ kind: "mail", mail: "order_delivered" }]
    : isPaid
      ? [{ kind: "mail", mail: "order_paid" }]
      : [];
  const documents = isPaid
    ? ([{ kind: "invoice", on: "payment" }, { kind: "correct_invoice" }] as const)
    : [];
  return commitMove(tx, deps, {
    site,
    order: settled.order,
    effects: [...documents, ...settled.effects, ...effects, ...mails],
  });
}
