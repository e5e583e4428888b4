/** Effects of an order's moves: stock, coupon, delivery and emails, all in the transaction of the move. */
import type { Tx } from "../../store/store.ts";
import { disableDisputed, voidRefunded } from "../gift-cards/void.ts";
import { giveDiscountsBack, takeDiscounts } from "../coupons/coupons.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toDecimal } from "../base/money.ts";
import { mailAdmin } from "../mails/mails.ts";
import { paymentSessions } from "../payments/records.ts";
import { disableLicenses } from "../licence-keys/disable.ts";
import { returnReleased } from "./card-payments.ts";
import { orders } from "./records.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { mailLowStock } from "../stock/low-stock.ts";
import { endWithoutLicenses, takeBackRenewal, wakeRenewal } from "../subscriptions/settle.ts";
import { putBack, release, reserve, take } from "../stock/stock.ts";
import { issueDocuments } from "./documents.ts";
import { handOverAutomatic, readHandedOver } from "./delivery.ts";
import { mailNewOrder, mailOrder, toItemList } from "./mails.ts";
import { type MoveNote, type Moved, type OrderEffect, isHeld, payOrder, settlePaid } from "./order.ts";
import { toPayment } from "./payment.ts";
import { toRefundedUnits } from "./refund-parts.ts";
import type { OrderLine, OrderRecord } from "./schema.ts";
import { toOrderToken } from "./token.ts";

export type OrderDeps = Pick<ShopDeps, "box" | "outbox" | "publicUrl" | "clock">;

interface Work {
  readonly order: OrderRecord;
  /** Where it was read already. */
  readonly site?: SiteSettings | undefined;
}

async function mailBuyer(
  tx: Tx,
  deps: OrderDeps,
  { order, site }: Work,
  { mail: kind, note, changes }: Extract<OrderEffect, { kind: "mail" }>,
): Promise<void> {
  const hasGoods = kind === "order_paid" || kind === "order_delivered";
  const isUnpaid = kind === "order_placed";
  await mailOrder(tx, deps, {
    kind,
    order,
    site,
    orderToken: toOrderToken(deps.box, order),
    payUrl: isUnpaid ? toPayment(deps, order, site ?? (await readSite(tx)))?.url : undefined,
    handedOver: hasGoods ? await readHandedOver(tx, deps.box, order) : [],
    note,
    changes,
  });
}

/** Orders that are no longer unpaid may have open payments at providers: the jobs end them. */
export async function wakePayments(tx: Tx, { id, begun, updatedAt }: OrderRecord): Promise<void> {
  for (let attempt = begun?.attempt ?? 0; attempt > 0; attempt -= 1) {
    const session = await tx.get(paymentSessions, `${id}:${attempt}`);
    if (session !== undefined && session.phase !== "over")
      await tx.put(paymentSessions, { ...session, dueAt: updatedAt });
  }
}

async function takeUnits(tx: Tx, deps: OrderDeps, order: OrderRecord): Promise<void> {
  await mailLowStock(tx, deps, await take(tx, order.lines));
  await wakePayments(tx, order);
}

/** Units of an order that are not delivered: those that were put back before do not come back twice. */
function listKept({ lines }: OrderRecord): OrderLine[] {
  return lines
    .map((line) => ({ ...line, quantity: line.quantity - (line.returned ?? 0) }))
    .filter(({ deliveredAt, quantity }) => deliveredAt === undefined && quantity > 0);
}

/** What was refunded of gift cards ends; what was spent of it already is for a person to see. */
async function endCards(tx: Tx, deps: OrderDeps, order: OrderRecord): Promise<void> {
  const { id: orderId, updatedAt: atMs, number } = order;
  for (const { id: lineId, deliveryType } of order.lines) {
    if (deliveryType !== "gift_card") continue;
    const refunded = order.refundParts?.find((part) => part.lineId === lineId)?.amount ?? 0;
    const spent = await voidRefunded(tx, { orderId, lineId, refunded, atMs });
    if (spent === 0) continue;
    const money = `${toDecimal(spent, order.currency)} ${order.currency}`;
    await mailAdmin(tx, deps, {
      subject: `order ${number}: a gift card was refunded and spent`,
      lines: [`${money} of the refund of order ${number} had been spent with its gift card already.`],
    });
  }
}

function isRenewalBack(order: OrderRecord, reason: "refund" | "dispute" | "canceled"): boolean {
  if (reason !== "refund") return true;
  const units = toRefundedUnits(order);
  return order.lines.every(({ id, quantity }) => (units.get(id) ?? 0) >= quantity);
}

function doEffect(tx: Tx, deps: OrderDeps, work: Work, effect: OrderEffect): Promise<unknown> {
  const { order } = work;
  switch (effect.kind) {
    case "reserve":
      return reserve(tx, order.lines);
    case "take":
      return takeUnits(tx, deps, order);
    case "release":
      return release(tx, order.lines).then(() => wakePayments(tx, order));
    case "put_back":
      return putBack(tx, listKept(order));
    case "retake_coupon":
      return takeDiscounts(tx, deps, order);
    case "return_coupon":
      return giveDiscountsBack(tx, deps, order);
    case "disable_licenses": {
      const { reason } = effect;
      const units = reason === "refund" ? toRefundedUnits(order) : undefined;
      const atMs = order.updatedAt;
      return disableLicenses(tx, order.id, { reason, units, atMs }).then(() =>
        endWithoutLicenses(tx, order.id, atMs),
      );
    }
    case "release_cards":
      return returnReleased(tx, order);
    case "end_cards":
      return effect.reason === "dispute"
        ? disableDisputed(tx, order.id, order.updatedAt)
        : endCards(tx, deps, order);
    case "take_back_renewal":
      return isRenewalBack(order, effect.reason)
        ? takeBackRenewal(tx, order.id, order.updatedAt)
        : Promise.resolve();
    case "wake_renewal":
      return wakeRenewal(tx, order.id, order.updatedAt);
    case "mail":
      return mailBuyer(tx, deps, work, effect);
    case "mail_new_order":
      return mailNewOrder(tx, deps, order);
    case "invoice":
    case "void_invoice":
    case "correct_invoice":
    case "credit_note":
      return Promise.resolve(); // written before, for mails name them
    case "mail_admin":
      return mailAdmin(tx, deps, {
        kind: effect.about,
        subject: effect.subject,
        lines: [...effect.lines, toItemList(order.lines)],
      });
  }
}

async function doEffects(tx: Tx, deps: OrderDeps, moved: Moved & Work): Promise<void> {
  for (const effect of moved.effects) await doEffect(tx, deps, moved, effect);
}

/** Stores a moved order with what goes with the move. Throws what the stock throws, before anything was changed. */
export async function commitMove(tx: Tx, deps: OrderDeps, moved: Moved & Work): Promise<OrderRecord> {
  const order = await issueDocuments(tx, moved);
  await doEffects(tx, deps, { ...moved, order });
  return tx.put(orders, order);
}

/**
 * Marks an order as paid and delivers what needs no manual step. The order's books must be right already.
 * @throws AppError `out_of_stock` for an order that expired and whose units are gone, `illegal_transition`
 */
export async function settle(
  tx: Tx,
  deps: OrderDeps,
  { order, ...by }: MoveNote & { readonly order: OrderRecord },
): Promise<OrderRecord> {
  const paid = payOrder(order, by);
  await doEffects(tx, deps, paid);
  const goods = isHeld(paid.order)
    ? { lines: paid.order.lines, isComplete: true }
    : await handOverAutomatic(tx, deps.box, paid.order, by.atMs);
  const site = await readSite(tx);
  const { autoCompleteDays } = site;
  return commitMove(tx, deps, { site, ...settlePaid(paid.order, { autoCompleteDays, ...goods, ...by }) });
}
