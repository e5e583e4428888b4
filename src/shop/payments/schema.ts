/** The ledger of payment notices, as the store keeps it. */
import { z } from "zod";
import { text, timeMs } from "../../kit/text/schemas.ts";
import { amountSchema } from "../base/money-schema.ts";
import { refundPartSchema } from "../base/refund-part.ts";

const noticeTypeSchema = z.enum(["payment", "pending", "failed", "refund", "chargeback"]);
export type NoticeType = z.infer<typeof noticeTypeSchema>;

export const noticeStateSchema = z.enum([
  "applied",
  /** Known and without effect on the books: pending, failed. */
  "noted",
  "duplicate",
  "unmatched",
  "rejected",
  "needs_review",
  /** An administrator decided that nothing is to be done. */
  "dismissed",
]);
export type NoticeState = z.infer<typeof noticeStateSchema>;

/** A statement of a payment provider (or an administrator) about money. Entries are added, never removed. */
export const noticeRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** The provider's slug; "manual" for what an administrator records. */
  provider: z.string(),
  eventId: z.string(),
  /** `eventId` while it is remembered, for the unique index: 7 days. */
  eventKey: z.string().optional(),
  eventUntil: timeMs.optional(),
  providerRef: z.string(),
  /** `providerRef`; of an entry that contradicts one with the same reference and type, what distinguishes it from that one. */
  refKey: z.string().optional(),
  /** The order that the notice named, whether there is one or not. */
  claimedOrderId: z.string(),
  orderId: z.string().optional(),
  type: noticeTypeSchema,
  amount: amountSchema,
  currency: z.string(),
  /** How it was known to come from the provider. */
  verified: z.enum(["secret", "signature", "none", "admin", "asked"]),
  state: noticeStateSchema,
  /** Why it is in this state, for the administrator. */
  reason: z.string(),
  /** When the payment was made, as the provider says. */
  paidAt: timeMs.optional(),
  receivedAt: timeMs,
  /** How often the same came again. */
  repeats: z.number().int().min(0),
  lastRepeatAt: timeMs.optional(),
  /** "yes" while an administrator has to decide (unmatched, needs_review), for the index. */
  open: z.literal("yes").optional(),
  /** "yes" until the provider confirms it: there, a signature alone does not verify a payment. */
  unconfirmed: z.literal("yes").optional(),
  /** Of a refund: the items that it belongs to; absent where it is spread over all. */
  parts: z.array(refundPartSchema).optional(),
  /** The adapter's state for refunds; never shown. */
  serviceState: z.record(z.string(), z.string()).optional(),
  /** The body as it came. */
  raw: z.string().max(70_000),
});
export type NoticeRecord = z.infer<typeof noticeRecordSchema>;

/** Why an administrator dismisses an open notice. */
export const noticeDismissalSchema = z.strictObject({ note: text(1_000).default("") });

/** The order that an open notice pays. */
export const noticeAssignmentSchema = z.strictObject({
  orderId: z.string().min(1).max(100),
  ...noticeDismissalSchema.shape,
});

/** The next step of one payment that a provider collects, with its data. */
export const paymentSessionRecordSchema = z.object({
  /** "<order's id>:<attempt>". */
  id: z.string(),
  version: z.number().int(),
  orderId: z.string(),
  /** The provider's slug. */
  provider: z.string(),
  attempt: z.number().int().min(1),
  amount: amountSchema,
  currency: z.string(),
  /** "beginning": the service was perhaps told of it; "over": nothing more is to be done. */
  phase: z.enum(["beginning", "open", "over"]),
  /** The service's name of it; "" while it has none. */
  reference: z.string(),
  /** The adapter's state; never shown. */
  state: z.record(z.string(), z.string()),
  /** When it is begun, asked for or ended next; absent: by a notice alone. */
  dueAt: timeMs.optional(),
  /** In a row, so that an unavailable provider is polled less and less. */
  failures: z.number().int().min(0),
  /** Only while it begins: the mail about the order waits for how it is paid. */
  isMailDue: z.literal("yes").optional(),
  /** Only while it begins, for services that want it. */
  clientAddress: z.string().optional(),
  /** When it is looked at whether it may go; absent once money came: a refund needs it. */
  sweepAt: timeMs.optional(),
  createdAt: timeMs,
});
export type PaymentSessionRecord = z.infer<typeof paymentSessionRecordSchema>;

/** Money that an administrator gives back through the service that collected it. */
export const refundRecordSchema = z.object({
  /** Also the key by which the service knows a repeat. */
  id: z.string(),
  version: z.number().int(),
  orderId: z.string(),
  provider: z.string(),
  /** The entry of the ledger whose money is given back. */
  noticeId: z.string(),
  amount: amountSchema,
  /** The items that it belongs to; absent: spread over all by value. */
  parts: z.array(refundPartSchema).optional(),
  currency: z.string(),
  reason: z.string(),
  /** "pending": the service was perhaps told, or says later; "unclear": a person has to look there. */
  status: z.enum(["pending", "moved", "failed", "unclear"]),
  /** The service's name of it; "" while it has none. */
  reference: z.string(),
  /** The provider's last message, for the administrator. */
  said: z.string(),
  tries: z.number().int().min(0),
  /** Only while pending: when it is tried or asked for again. */
  dueAt: timeMs.optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type RefundRecord = z.infer<typeof refundRecordSchema>;
