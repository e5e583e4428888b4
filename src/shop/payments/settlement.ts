/**
 * What happens when an order is paid, and when it ends unpaid: stock, coupon, delivery and mails, all in the
 * transaction of the move.
 */
import type { Tx } from "../../store/store.ts";
import { giveCouponBack, retakeCoupon } from "../coupons/coupons.ts";
import { deliverAutomatic, readHandedOver } from "../orders/delivery.ts";
import type { ShopDeps } from "../deps.ts";
import { mailAdmin, mailNewOrder, mailOrder } from "../mails/mails.ts";
import { type MoveNote, moveOrder } from "../orders/moves.ts";
import type { Attention, OrderRecord } from "../orders/schema.ts";
import { toOrderToken } from "../orders/token.ts";
import { orders } from "../records.ts";
import { readSite } from "../site/settings.ts";
import { release, reserve, take } from "../stock/stock.ts";

const DAY_MS = 86_400_000;

export type SettlementDeps = Pick<ShopDeps, "box" | "outbox" | "publicUrl">;

/** The order with something that a person should look at. */
export function withAttention(order: OrderRecord, ...flags: readonly Attention[]): OrderRecord {
  const attention = [...new Set([...order.attention, ...flags])];
  return attention.length === 0 ? order : { ...order, attention, needsAttention: "yes" };
}

/** The order without some of what a person should look at. */
export function withoutAttention(order: OrderRecord, ...flags: readonly Attention[]): OrderRecord {
  const attention = order.attention.filter((flag) => !flags.includes(flag));
  const { needsAttention: _needs, ...rest } = order;
  return attention.length === 0 ? { ...rest, attention } : { ...order, attention };
}

/** Tells a buyer with everything that the order's lines handed over. */
export async function mailHandedOver(
  tx: Tx,
  deps: SettlementDeps,
  mail: {
    readonly order: OrderRecord;
    readonly kind: "order_paid" | "order_delivered";
    readonly note?: string;
  },
): Promise<void> {
  const { order, kind, note } = mail;
  await mailOrder(tx, deps, {
    kind,
    order,
    orderToken: toOrderToken(deps.box, order),
    handedOver: await readHandedOver(tx, deps.box, order.lines),
    ...(note === undefined ? {} : { note }),
  });
}

/** The order as delivered, with the time when it counts as completed by itself. */
export async function toDelivered(tx: Tx, order: OrderRecord, note: MoveNote): Promise<OrderRecord> {
  const fulfilling = order.status === "fulfilling" ? order : moveOrder(order, "start_fulfilling", note);
  const delivered = moveOrder(fulfilling, "deliver", note);
  const { autoCompleteDays } = await readSite(tx);
  return autoCompleteDays === 0
    ? delivered
    : { ...delivered, autoCompleteAt: note.atMs + autoCompleteDays * DAY_MS };
}

/**
 * Makes an order paid and hands over what needs no person. The order's books must be right already.
 * @throws AppError `out_of_stock` for an order that expired and whose units are gone, `illegal_transition`
 */
export async function settle(
  tx: Tx,
  deps: SettlementDeps,
  { order, note }: { readonly order: OrderRecord; readonly note: MoveNote },
): Promise<OrderRecord> {
  const isLate = order.status === "expired";
  const paid = moveOrder(order, isLate ? "pay_late" : "pay", note);
  if (isLate) {
    await reserve(tx, order.lines);
    await retakeCoupon(tx, deps, order);
  }
  await take(tx, order.lines);
  const { lines, isComplete } = await deliverAutomatic(tx, paid, note.atMs);
  let settled: OrderRecord = { ...paid, lines };
  const handedOver = lines.filter(({ deliveredAt }) => deliveredAt !== undefined).length;
  if (handedOver === lines.length)
    settled = await toDelivered(tx, settled, { by: "system", atMs: note.atMs });
  else if (handedOver > 0)
    settled = moveOrder(settled, "start_fulfilling", { by: "system", atMs: note.atMs });
  if (!isComplete) {
    settled = withAttention(settled, "stock_shortfall");
    await mailAdmin(tx, deps, {
      subject: `order ${order.number} lacks keys`,
      lines: [
        `Order ${order.number} was paid, but there were not enough licence keys (or no shared secret).`,
        "Add them and deliver the order.",
      ],
    });
  }
  const stored = await tx.put(orders, settled);
  if (isComplete && stored.status !== "delivered") await mailNewOrder(tx, deps, stored);
  // One mail: that of the delivery says that the payment came, too.
  await mailHandedOver(tx, deps, {
    order: stored,
    kind: stored.status === "delivered" ? "order_delivered" : "order_paid",
  });
  return stored;
}

/** Ends an order that waits for payment: units and coupon go back. */
export async function endUnpaid(
  tx: Tx,
  deps: SettlementDeps,
  { order, event, note }: { order: OrderRecord; event: "expire" | "cancel"; note: MoveNote },
): Promise<OrderRecord> {
  const ended = moveOrder(order, event, note);
  await release(tx, order.lines);
  await giveCouponBack(tx, deps, order);
  const stored = await tx.put(orders, ended);
  if (note.by !== "buyer")
    await mailOrder(tx, deps, {
      kind: event === "expire" ? "order_expired" : "order_canceled",
      order: stored,
      orderToken: toOrderToken(deps.box, order),
      ...(note.note === undefined ? {} : { note: note.note }),
    });
  return stored;
}
