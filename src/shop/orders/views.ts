/** Orders in answers: what their buyers see, and what administrators see more. */
import { z } from "@hono/zod-openapi";
import { amountDueOf } from "../payments/ledger.ts";
import {
  type HistoryEntry,
  type OrderRecord,
  addressSchema,
  attentionSchema,
  orderStatusSchema,
  paymentStatusSchema,
  shipmentSchema,
} from "./schema.ts";
import type { BuyersOrder } from "./orders.ts";
import type { Payment } from "../payments/payment.ts";
import { deliveryTypeSchema } from "../products/schema.ts";
import { isoTimeSchema, toIsoTime } from "../http/times.ts";

export const paymentSchema = z
  .object({
    method: z.string(),
    amount: z.int(),
    currency: z.string(),
    reference: z.string(),
    url: z.string().optional(),
    instructions: z.string().optional(),
    expiresAt: isoTimeSchema,
  })
  .openapi("Payment");

const lineSchema = z
  .object({
    id: z.string(),
    productId: z.string(),
    variantId: z.string().optional(),
    title: z.string(),
    sku: z.string(),
    options: z.record(z.string(), z.string()),
    quantity: z.int(),
    unitPrice: z.int(),
    subtotal: z.int(),
    discount: z.int(),
    total: z.int(),
    deliveryType: deliveryTypeSchema,
    inputs: z.record(z.string(), z.string()),
    deliveredAt: isoTimeSchema.optional(),
    /** Once handed over. */
    instructions: z.string().optional(),
    /** Licence keys and the like, once handed over. */
    delivered: z.array(z.string()).optional(),
  })
  .openapi("OrderLine");

const historySchema = z.object({
  at: isoTimeSchema,
  by: z.string(),
  event: z.string(),
  from: orderStatusSchema.optional(),
  to: orderStatusSchema.optional(),
  note: z.string().optional(),
});

const shape = {
  id: z.string(),
  number: z.string(),
  userId: z.string().optional(),
  contact: z.object({ email: z.string() }),
  language: z.string(),
  status: orderStatusSchema,
  paymentStatus: paymentStatusSchema,
  currency: z.string(),
  subtotal: z.int(),
  discount: z.int(),
  shipping: z.int(),
  total: z.int(),
  amountPaid: z.int(),
  amountRefunded: z.int(),
  amountDue: z.int(),
  couponCode: z.string().optional(),
  lines: z.array(lineSchema),
  history: z.array(historySchema),
  note: z.string(),
  shippingAddress: addressSchema.optional(),
  shipment: shipmentSchema.optional(),
  paymentMethod: z.string(),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
  expiresAt: isoTimeSchema,
  paidAt: isoTimeSchema.optional(),
  deliveredAt: isoTimeSchema.optional().openapi({
    description: "When all was handed over: digital goods to the buyer, parcels to the carrier",
  }),
  completedAt: isoTimeSchema.optional(),
  canceledAt: isoTimeSchema.optional(),
  version: z.int(),
};

/** An order as its buyer sees it. */
export const orderSchema = z.object({ ...shape, payment: paymentSchema.optional() }).openapi("Order");

/** An order as administrators see it. */
export const adminOrderSchema = z
  .object({ ...shape, attention: z.array(attentionSchema), expiredAt: isoTimeSchema.optional() })
  .openapi("AdminOrder");

type OrderView = z.infer<typeof orderSchema>;
type AdminOrderView = z.infer<typeof adminOrderSchema>;

/** Members of `times` that are there, as ISO 8601. */
function toTimes<K extends string>(times: Readonly<Record<K, number | undefined>>): { [P in K]?: string } {
  const shown: { [P in K]?: string } = {};
  for (const key in times) {
    const ms = times[key];
    if (ms !== undefined) shown[key] = toIsoTime(ms);
  }
  return shown;
}

/** Buyers do not see the entries that are about reviews and flags. */
const PRIVATE_EVENT = /needs_review$|^attention_/u;

function toHistory(
  { at, by, event, from, to, note }: HistoryEntry,
  isAdmin: boolean,
): OrderView["history"][number] {
  return {
    at: toIsoTime(at),
    by,
    event,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(note === undefined || (!isAdmin && by !== "buyer") ? {} : { note }),
  };
}

/** What both views have. */
function toCommon(order: OrderRecord, handedOver: BuyersOrder["handedOver"], isAdmin: boolean): OrderView {
  const { userId, couponCode, shippingAddress, shipment, paidAt, deliveredAt, completedAt, canceledAt } =
    order;
  const delivered = new Map(handedOver.map((one) => [one.lineId, one]));
  return {
    id: order.id,
    number: order.number,
    ...(userId === undefined ? {} : { userId }),
    contact: { email: order.email },
    language: order.language,
    status: order.status,
    paymentStatus: order.paymentStatus,
    currency: order.currency,
    subtotal: order.subtotal,
    discount: order.discount,
    shipping: order.shipping,
    total: order.total,
    amountPaid: order.amountPaid,
    amountRefunded: order.amountRefunded,
    amountDue: amountDueOf(order),
    ...(couponCode === undefined ? {} : { couponCode }),
    lines: order.lines.map((line) => {
      const got = delivered.get(line.id);
      const { variantId } = line;
      return {
        id: line.id,
        productId: line.productId,
        ...(variantId === undefined ? {} : { variantId }),
        title: line.title,
        sku: line.sku,
        options: line.options,
        quantity: line.quantity,
        unitPrice: line.unitPrice,
        subtotal: line.subtotal,
        discount: line.discount,
        total: line.total,
        deliveryType: line.deliveryType,
        inputs: line.inputs,
        ...(line.deliveredAt === undefined ? {} : { deliveredAt: toIsoTime(line.deliveredAt) }),
        ...(got === undefined ? {} : { instructions: got.instructions, delivered: [...got.values] }),
      };
    }),
    history: order.history
      .filter(({ event }) => isAdmin || !PRIVATE_EVENT.test(event))
      .map((entry) => toHistory(entry, isAdmin)),
    note: order.note,
    ...(shippingAddress === undefined ? {} : { shippingAddress }),
    ...(shipment === undefined ? {} : { shipment }),
    paymentMethod: order.paymentMethod,
    createdAt: toIsoTime(order.createdAt),
    updatedAt: toIsoTime(order.updatedAt),
    expiresAt: toIsoTime(order.expiresAt),
    ...toTimes({ paidAt, deliveredAt, completedAt, canceledAt }),
    version: order.version,
  };
}

/** How a buyer pays, in answers. */
export function toPaymentView(payment: Payment): z.infer<typeof paymentSchema> {
  return { ...payment, expiresAt: toIsoTime(payment.expiresAt) };
}

/** An order for its buyer; what was handed over is shown, flags for administrators are not. */
export function toOrderView({ order, handedOver, payment }: BuyersOrder): OrderView {
  return {
    ...toCommon(order, handedOver, false),
    ...(payment === undefined ? {} : { payment: toPaymentView(payment) }),
  };
}

/** An order for administrators; licence keys are not shown unless they are given. */
export function toAdminOrderView(
  order: OrderRecord,
  handedOver: BuyersOrder["handedOver"] = [],
): AdminOrderView {
  return {
    ...toCommon(order, handedOver, true),
    attention: order.attention,
    ...toTimes({ expiredAt: order.expiredAt }),
  };
}
