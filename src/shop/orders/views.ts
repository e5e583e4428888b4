/** Orders in answers, as their schemas (answer-schema.ts) say. */
import type { z } from "@hono/zod-openapi";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { SHIPPING_PART } from "../base/refund-part.ts";
import type { BuyersFile } from "../files/buyers-files.ts";
import { countReturnable } from "./delivery.ts";
import { listRepeatable } from "./mails.ts";
import { amountDueOf } from "./order.ts";
import type { BuyersOrder } from "./orders.ts";
import type { Payment } from "./payment.ts";
import { listRefundable } from "./refund-parts.ts";
import type { HistoryEntry, OrderRecord } from "./schema.ts";
import {
  type AdminOrderView,
  type OrderView,
  begunView,
  entryView,
  type fileSchema,
  lineView,
  type paymentSchema,
  recordView,
  shipmentView,
  type shownConsentsSchema,
} from "./answer-schema.ts";

function toConsentsView(consents: OrderRecord["consents"]): z.infer<typeof shownConsentsSchema> | undefined {
  if (consents === undefined) return undefined;
  const { digitalContent: digital, terms: agreed, reminder, review } = consents;
  return {
    ...consents,
    digitalContent: digital && { ...digital, at: toIsoTime(digital.at) },
    reminder: reminder && { ...reminder, at: toIsoTime(reminder.at) },
    review: review && { ...review, at: toIsoTime(review.at) },
    terms: agreed && { ...agreed, at: toIsoTime(agreed.at) },
  };
}

/** Buyers do not see the entries that are about reviews, flags, and what the shop does for itself. */
const PRIVATE_EVENT =
  /needs_review$|^attention_|^refund_|^payment_not_begun$|^note$|^restocked$|^key_replaced$|^mail_repeated$/u;

function toHistory(history: readonly HistoryEntry[], isAdmin: boolean): OrderView["history"] {
  if (isAdmin) return history.map(entryView.show);
  return history
    .filter(({ event }) => !PRIVATE_EVENT.test(event))
    .map((item) => {
      const shown = { ...item, who: undefined, changes: undefined };
      return entryView.show(item.by === "buyer" ? shown : { ...shown, note: undefined });
    });
}

/** Gift cards that pay; undefined without any. */
function toCards({ giftCards = [] }: OrderRecord, isAdmin: boolean): OrderView["giftCards"] {
  const cards = giftCards.filter(({ isReleased }) => isReleased !== true);
  if (cards.length === 0) return undefined;
  return cards.map(({ cardId, lastFour, amount, returned = 0 }) => {
    const card = { lastFour, amount, returned };
    return isAdmin ? { ...card, cardId } : card;
  });
}

function toCommon(order: OrderRecord, handedOver: BuyersOrder["handedOver"], isAdmin: boolean): OrderView {
  const delivered = new Map(handedOver.map((goods) => [goods.lineId, goods]));
  // Not a spread: docs/decisions/078-members-before-the-copy.md.
  return Object.assign(recordView.show(order), {
    contact: { email: order.email },
    shipment: order.shipment && shipmentView.show(order.shipment),
    amountDue: amountDueOf(order),
    giftCards: toCards(order, isAdmin),
    lines: order.lines.map((ordered) => {
      const got = delivered.get(ordered.id);
      const shown = lineView.show(ordered);
      return got === undefined
        ? shown
        : { ...shown, instructions: got.instructions, delivered: [...got.values] };
    }),
    history: toHistory(order.history, isAdmin),
    consents: toConsentsView(order.consents),
  });
}

/** How a buyer pays, in answers. */
export function toPaymentView(payment: Payment): z.infer<typeof paymentSchema> {
  return { ...payment, expiresAt: toIsoTime(payment.expiresAt) };
}

function toFileView({ updatedAt, expiresAt, urlExpiresAt, ...file }: BuyersFile): z.infer<typeof fileSchema> {
  return {
    ...file,
    updatedAt: toIsoTime(updatedAt),
    expiresAt: toIsoTimeIfAny(expiresAt),
    urlExpiresAt: toIsoTimeIfAny(urlExpiresAt),
  };
}

/** An order for its buyer; what was handed over is shown, flags for administrators are not. */
export function toOrderView({
  order,
  handedOver,
  payment,
  withdrawal,
  files,
}: Omit<BuyersOrder, "stated" | "left">): OrderView {
  const common = toCommon(order, handedOver, false);
  return Object.assign(common, {
    lines: files
      ? common.lines.map((shown) => ({ ...shown, files: files.get(shown.id)?.map(toFileView) }))
      : common.lines,
    payment: payment && toPaymentView(payment),
    withdrawal: withdrawal && { ...withdrawal, endsAt: toIsoTimeIfAny(withdrawal.endsAt) },
  });
}

/** An order for administrators; licence keys are not shown unless they are given. */
export function toAdminOrderView(
  order: OrderRecord,
  handedOver: BuyersOrder["handedOver"] = [],
): AdminOrderView {
  const { attention, expiredAt, vatCheck } = order;
  const common = toCommon(order, handedOver, true);
  const left = listRefundable(order);
  return {
    ...common,
    lines: common.lines.map((shown, index) => {
      const line = order.lines[index];
      const returnable = line ? countReturnable(order, line) : 0;
      return { ...shown, returned: line?.returned, returnable, refundable: left.get(shown.id) ?? 0 };
    }),
    refundableShipping: left.get(SHIPPING_PART) ?? 0,
    mails: [...listRepeatable(order)],
    attention,
    vatCheck: vatCheck && { ...vatCheck, at: toIsoTime(vatCheck.at) },
    begun: order.begun && begunView.show(order.begun),
    expiredAt: expiredAt === undefined ? undefined : toIsoTime(expiredAt),
  };
}
