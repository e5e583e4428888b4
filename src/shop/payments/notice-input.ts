/** A payment notification, in the nested form (Standard Webhooks) or flat. */
import { z } from "zod";
import { AppError } from "../../kit/errors.ts";
import { line } from "../../kit/text/schemas.ts";
import { amountSchema } from "../base/money-schema.ts";
import type { NoticeRecord, NoticeType } from "./schema.ts";

const reference = line(200).min(1);

/** Epoch seconds or milliseconds, or ISO 8601. */
const timeSchema = z
  .union([z.number().positive().max(8.64e15), line(64).min(1)])
  .transform((value, context) => {
    const number = typeof value === "number" ? value : Number(value);
    // Seconds until the year 5138 are less than milliseconds since 1973.
    const ms = Number.isFinite(number)
      ? number < 1e11
        ? number * 1_000
        : number
      : Date.parse(String(value));
    if (Number.isFinite(ms) && ms > 0 && ms <= 8.64e15) return Math.round(ms);
    context.addIssue({ code: "custom", message: "must be a time in ISO 8601 or Unix time in seconds" });
    return z.NEVER;
  });

const statusSchema = z.enum(["succeeded", "failed", "pending", "refunded", "chargeback"]);

const dataSchema = z.object({
  /** The provider's own name for the payment. */
  id: reference,
  orderId: reference,
  amount: amountSchema,
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3}$/u, "must be a currency code such as EUR"),
  status: statusSchema,
  paidAt: timeSchema.optional(),
});

const nestedSchema = z.object({
  /** Absent: derived from the payment's ID and status. */
  id: reference.optional(),
  type: line(100),
  timestamp: timeSchema.optional(),
  data: dataSchema,
});

const flatSchema = dataSchema.extend({ eventId: reference.optional(), timestamp: timeSchema.optional() });

/** A notice as the books understand it. */
export type NoticeInput = Pick<
  NoticeRecord,
  "providerRef" | "claimedOrderId" | "type" | "amount" | "currency" | "paidAt"
>;

const types = {
  succeeded: "payment",
  failed: "failed",
  pending: "pending",
  refunded: "refund",
  chargeback: "chargeback",
} as const satisfies Record<z.infer<typeof statusSchema>, NoticeType>;

/** Reads a notice's JSON; `eventId` is what the provider calls the event, when the body says so. Throws `invalid` with what is wrong. */
export function readNotice(body: unknown): NoticeInput & { readonly eventId: string | undefined } {
  const isNested = typeof body === "object" && body !== null && Object.hasOwn(body, "data");
  const parsed = isNested ? nestedSchema.safeParse(body) : flatSchema.safeParse(body);
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, code, message }) => ({
      pointer: path.map((part) => `/${String(part)}`).join(""),
      code,
      message,
    }));
    throw new AppError("invalid", "The payment notification has missing or invalid fields", { errors });
  }
  const { data: all } = parsed;
  const isWhole = "data" in all;
  const {
    id: providerRef,
    orderId: claimedOrderId,
    status,
    amount,
    currency,
    paidAt,
  } = isWhole ? all.data : all;
  const eventId = isWhole ? all.id : all.eventId;
  return { eventId, providerRef, claimedOrderId, type: types[status], amount, currency, paidAt };
}
