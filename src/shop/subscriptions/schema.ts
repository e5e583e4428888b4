/** Subscriptions: licenses of an order's line that are paid again for each period, and those renewals. */
import { z } from "zod";
import { line, timeMs } from "../../kit/text/schemas.ts";
import { amountSchema, currencySchema } from "../base/money-schema.ts";
import { renewalTermsSchema } from "../products/license-schema.ts";

/**
 * "active": paid. "past_due": its period is over and not paid, and its licenses are valid for the days of grace.
 * "canceled": ends with the paid period. "ended": never renews again, unless its last renewal is paid late.
 */
export const subscriptionStates = ["active", "past_due", "canceled", "ended"] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** "automatic": a payment service charges the buyer; "invoice": the buyer pays each renewal. */
export const subscriptionWays = ["automatic", "invoice"] as const;

export const endReasons = ["canceled", "unpaid", "refunded", "license", "anonymized"] as const;
export type EndReason = (typeof endReasons)[number];

export const subscriptionEvents = [
  ...(["started", "invoiced", "price_announced", "paid", "payment_failed", "reminded"] as const),
  ...(["past_due", "canceled", "resumed", "extended", "taken_back", "ended", "revived"] as const),
  ...(["automatic", "manual"] as const),
] as const;
export type SubscriptionEvent = (typeof subscriptionEvents)[number];

/** How often its history grows at most; the newest entries stay. */
export const MAX_EVENTS = 200;

export const subscriptionEventSchema = z.object({
  at: timeMs,
  /** "system", "buyer", the name of an administrator, or "provider <slug>". */
  by: z.string(),
  event: z.enum(subscriptionEvents),
  note: z.string().optional(),
});

/** What a payment service knows of it, where that charges it by itself. */
export const remoteSchema = z.object({
  /** The provider's slug. */
  provider: z.string(),
  /** The service's name of it; "" while it has none. */
  reference: z.string(),
  /** The adapter's state, such as who pays and with what; never shown. */
  state: z.record(z.string(), z.string()),
  /** Nothing more is charged there. */
  isOver: z.boolean().optional(),
  /** In a row. */
  failures: z.number().int().min(0),
  /** Of the last failure, for administrators. */
  said: z.string().max(1_000).optional(),
});

export const subscriptionRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** For people: "S-7KQ4MP2X". */
  number: z.string(),
  /** The order that it began with, whose buyer and addresses count. */
  orderId: z.string(),
  lineId: z.string(),
  productId: z.string(),
  variantId: z.string().optional(),
  stockId: z.string(),
  title: line(200),
  sku: line(80),
  options: z.record(z.string(), z.string()),
  terms: renewalTermsSchema,
  currency: currencySchema,
  /** A price that was mailed to the buyer, for periods that begin at this time or later. */
  nextPrice: z.object({ price: amountSchema, from: timeMs, toldAt: timeMs }).optional(),
  /** The prices of which period were compared last: the time that it begins. */
  comparedFor: timeMs.optional(),
  /** Where months are counted. */
  timeZone: z.string(),
  /** Periods are counted from here, so that the 31st comes back after February. */
  anchorAt: timeMs,
  /** Paid periods since then. */
  paid: z.number().int(),
  /** The end of the paid period. */
  paidUntil: timeMs,
  state: z.enum(subscriptionStates),
  canceledAt: timeMs.optional(),
  endedAt: timeMs.optional(),
  endReason: z.enum(endReasons).optional(),
  /** How many renewals it had, whatever became of them. */
  renewals: z.number().int().min(0),
  /** The renewal that waits for payment. */
  open: z.number().int().min(1).optional(),
  /** Reminders of it that were sent. */
  reminders: z.number().int().min(0),
  /** Its licenses are valid until then although the period is not paid; absent: as long as it is paid. */
  graceUntil: timeMs.optional(),
  /** When the job looks at it next. */
  dueAt: timeMs.optional(),
  /** How its periods are paid; absent until the job has looked at the payment of its order. */
  way: z.enum(subscriptionWays).optional(),
  remote: remoteSchema.optional(),
  /** The service's name of it, for the index. */
  remoteReference: z.string().optional(),
  /** When its service is updated or queried next. */
  remoteDueAt: timeMs.optional(),
  events: z.array(subscriptionEventSchema).max(MAX_EVENTS),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type SubscriptionRecord = z.infer<typeof subscriptionRecordSchema>;

export const renewalStates = ["open", "paid", "unpaid", "canceled", "taken_back"] as const;

/** One period after the first: its order exists once. */
export const renewalRecordSchema = z.object({
  /** "<subscription's id>:<number>". */
  id: z.string(),
  version: z.number().int(),
  subscriptionId: z.string(),
  /** 1, 2, … */
  number: z.number().int().min(1),
  from: timeMs,
  until: timeMs,
  orderId: z.string(),
  orderNumber: z.string(),
  total: amountSchema,
  state: z.enum(renewalStates),
  /** The page of the service where a failed payment is made good. */
  payUrl: z.string().max(5_000).optional(),
  /** When the service first could not charge it. */
  failedAt: timeMs.optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type RenewalRecord = z.infer<typeof renewalRecordSchema>;
