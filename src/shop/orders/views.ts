/** Orders in answers: what their buyers see, and what administrators see more. */
import { z } from "@hono/zod-openapi";
import { viewOf } from "../../kit/http/view.ts";
import { isoTimeSchema, toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { countReturnable } from "./delivery.ts";
import { listRepeatable, repeatedMails } from "./mails.ts";
import { amountDueOf } from "./order.ts";
import { SHIPPING_PART } from "../base/refund-part.ts";
import { listRefundable } from "./refund-parts.ts";
import type { BuyersFile } from "../files/buyers-files.ts";
import type { BuyersOrder } from "./orders.ts";
import type { Payment } from "./payment.ts";
import {
  type HistoryEntry,
  type OrderRecord,
  attentionSchema,
  begunSchema,
  consentsSchema,
  historyEntrySchema,
  orderLineSchema,
  orderRecordSchema,
  shipmentRecordSchema,
} from "./schema.ts";

export const paymentSchema = z
  .object({
    method: z.string(),
    amount: z.int(),
    currency: z.string(),
    reference: z.string(),
    state: z
      .enum(["ready", "beginning", "failed"])
      .openapi({ description: "Unless it is ready, message says why there is nothing to pay at" }),
    message: z.string().optional(),
    url: z.string().optional(),
    qr: z.string().optional().openapi({ description: "What a QR code is to hold" }),
    form: z
      .object({ url: z.string(), fields: z.record(z.string(), z.string()) })
      .optional()
      .openapi({ description: "What the buyer's browser is to post" }),
    instructions: z.string().optional(),
    expiresAt: isoTimeSchema,
  })
  .openapi("Payment");

const line = viewOf(
  orderLineSchema,
  [
    ...(["id", "productId", "variantId", "title", "sku", "options", "quantity", "unitPrice"] as const),
    ...(["subtotal", "discount", "total", "taxRate", "tax", "deliveryType", "inputs", "withdrawal"] as const),
  ],
  ["deliveredAt"],
);
const fileSchema = z
  .object({
    fileId: z.string(),
    title: z.string(),
    fileName: z.string(),
    sizeBytes: z.int(),
    sha256: z.string(),
    number: z.int().openapi({ description: "Of the newest version, which is the one that is downloaded" }),
    label: z.string().openapi({ description: "What the shop calls that version; may be empty" }),
    updatedAt: isoTimeSchema,
    state: z.enum(["usable", "used_up", "expired", "ended"]),
    downloads: z.int(),
    downloadsLeft: z.int().optional().openapi({ description: "Absent: as often as you like" }),
    expiresAt: isoTimeSchema
      .optional()
      .openapi({ description: "Until when it can be downloaded; absent: for ever" }),
    url: z.string().optional().openapi({
      description:
        "Below the shop's address, while it can be downloaded; a secret for whoever may see the order",
    }),
    urlExpiresAt: isoTimeSchema.optional().openapi({ description: "Ask for the order again after it" }),
  })
  .openapi("OrderFile");

const lineSchema = z
  .object({
    ...line.shape,
    /** Once handed over. */
    files: z.array(fileSchema).optional(),
    /** Once handed over. */
    instructions: z.string().optional(),
    /** Licence keys and the like, once handed over. */
    delivered: z.array(z.string()).optional(),
  })
  .openapi("OrderLine");

const { digitalContent, terms } = consentsSchema.shape;
const shownConsentsSchema = z
  .object({
    orderButton: z.string().optional(),
    digitalContent: digitalContent.unwrap().extend({ at: isoTimeSchema }).optional(),
    terms: terms.unwrap().extend({ at: isoTimeSchema }).optional(),
  })
  .openapi("OrderConsents");

function toConsentsView(consents: OrderRecord["consents"]): z.infer<typeof shownConsentsSchema> | undefined {
  if (consents === undefined) return undefined;
  const { digitalContent: digital, terms: agreed } = consents;
  return {
    ...consents,
    digitalContent: digital && { ...digital, at: toIsoTime(digital.at) },
    terms: agreed && { ...agreed, at: toIsoTime(agreed.at) },
  };
}

const entry = viewOf(historyEntrySchema, ["by", "event", "from", "to", "note"], ["at"]);

const record = viewOf(
  orderRecordSchema,
  [
    ...(["id", "number", "userId", "language", "status", "paymentStatus", "currency"] as const),
    ...(["subtotal", "discount", "shipping", "total", "amountPaid", "amountRefunded"] as const),
    ...(["tax", "pricesIncludeTax", "shippingMethodId", "shippingTitle", "invoiceNumber"] as const),
    ...([
      "couponCode",
      "note",
      "shippingAddress",
      "billingAddress",
      "country",
      "vatId",
      "paymentMethod",
      "version",
    ] as const),
  ],
  ["createdAt", "updatedAt", "expiresAt", "paidAt", "deliveredAt", "completedAt", "canceledAt"],
);
const shipment = viewOf(shipmentRecordSchema, ["carrier", "trackingNumber", "trackingUrl"], ["shippedAt"]);
const shape = {
  ...record.shape,
  contact: z.object({ email: z.string() }),
  shipment: z.object(shipment.shape).optional(),
  amountDue: z.int(),
  lines: z.array(lineSchema),
  history: z.array(z.object(entry.shape)),
  consents: shownConsentsSchema.optional(),
  deliveredAt: record.shape.deliveredAt.describe(
    "When all was handed over: digital goods to the buyer, parcels to the carrier",
  ),
};

const withdrawalSchema = z
  .object({
    isOpen: z.boolean(),
    endsAt: isoTimeSchema
      .optional()
      .openapi({ description: "Absent while something is still to come: the period has not begun" }),
  })
  .openapi("OrderWithdrawal");

/** An order as its buyer sees it. */
export const orderSchema = z
  .object({
    ...shape,
    payment: paymentSchema.optional(),
    withdrawal: withdrawalSchema.optional(),
  })
  .openapi("Order");

const begun = viewOf(begunSchema, ["attempt", "kind", "failure"], ["expiresAt"]);
const adminLine = viewOf(orderLineSchema, ["returned"], []);
const adminLineSchema = z
  .object({
    ...lineSchema.shape,
    ...adminLine.shape,
    returnable: z.int().openapi({ description: "Units that can be put back into the stock" }),
    refundable: z.int().openapi({ description: "What is left to refund of the line, VAT included" }),
  })
  .openapi("AdminOrderLine");

/** An order as administrators see it. */
export const adminOrderSchema = z
  .object({
    ...shape,
    lines: z.array(adminLineSchema),
    refundableShipping: z
      .int()
      .openapi({ description: "What is left to refund of the shipping, VAT included" }),
    mails: z
      .array(z.enum(repeatedMails))
      .openapi({ description: "Those that say what is so now, and can be sent once more" }),
    attention: z.array(attentionSchema),
    expiredAt: isoTimeSchema.optional(),
    begun: z
      .object(begun.shape)
      .optional()
      .openapi({ description: "How the payment began at its service; failure says why there is none" }),
  })
  .openapi("AdminOrder");

type OrderView = z.infer<typeof orderSchema>;
type AdminOrderView = z.infer<typeof adminOrderSchema>;

/** Buyers do not see the entries that are about reviews, flags, and what the shop does for itself. */
const PRIVATE_EVENT =
  /needs_review$|^attention_|^refund_|^payment_not_begun$|^note$|^restocked$|^key_replaced$|^mail_repeated$/u;

function toHistory(history: readonly HistoryEntry[], isAdmin: boolean): OrderView["history"] {
  if (isAdmin) return history.map(entry.show);
  return history
    .filter(({ event }) => !PRIVATE_EVENT.test(event))
    .map((item) => entry.show(item.by === "buyer" ? item : { ...item, note: undefined }));
}

function toCommon(order: OrderRecord, handedOver: BuyersOrder["handedOver"], isAdmin: boolean): OrderView {
  const delivered = new Map(handedOver.map((goods) => [goods.lineId, goods]));
  // Not a spread: docs/decisions/078-members-before-the-copy.md.
  return Object.assign(record.show(order), {
    contact: { email: order.email },
    shipment: order.shipment && shipment.show(order.shipment),
    amountDue: amountDueOf(order),
    lines: order.lines.map((ordered) => {
      const got = delivered.get(ordered.id);
      const shown = line.show(ordered);
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
  const { attention, expiredAt } = order;
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
    begun: order.begun && begun.show(order.begun),
    expiredAt: expiredAt === undefined ? undefined : toIsoTime(expiredAt),
  };
}
