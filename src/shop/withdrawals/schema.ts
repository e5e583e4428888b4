/** Withdrawals from orders, as buyers state them and the store keeps them. */
import { z } from "zod";
import { isMailAddress } from "../../kit/mail/mail.ts";
import { languageTag, line, text, timeMs, trimmedLine } from "../../kit/text/schemas.ts";

/** A buyer's withdrawal statement (Article 11a(2) of Directive 2011/83/EU); requires no sign-in. */
export const statementSchema = z.strictObject({
  name: trimmedLine(200),
  /** As in the emails of the order. */
  orderNumber: trimmedLine(60),
  /** Where the acknowledgement goes. */
  email: z.string().trim().max(254).refine(isMailAddress, "must be an email address"),
  /** The withdrawn items, in the buyer's own words. */
  what: text(2_000).default(""),
  /** Lines of the order; without them, and without words, all of it. */
  lines: z
    .array(z.strictObject({ lineId: line(100).min(1), quantity: z.number().int().min(1).max(10_000) }))
    .max(100)
    .refine((all) => new Set(all.map(({ lineId }) => lineId)).size === all.length, "must not repeat a line")
    .default([]),
  language: languageTag.optional(),
});
export type Statement = z.infer<typeof statementSchema>;

export const withdrawalStateSchema = z.enum(["received", "accepted", "returned", "closed", "declined"]);
export type WithdrawalState = z.infer<typeof withdrawalStateSchema>;

/** Warnings for the person who decides. */
export const withdrawalMarkSchema = z.enum([
  "unknown_order",
  "unknown_lines",
  "late",
  "waived",
  "excluded",
  "no_right",
  "nothing_left",
]);
export type WithdrawalMark = z.infer<typeof withdrawalMarkSchema>;

export const withdrawalRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  ...statementSchema.shape,
  language: languageTag,
  /** The order of this number, when the e-mail address is its own. */
  orderId: z.string().optional(),
  state: withdrawalStateSchema,
  /** "yes" while an action is required, for the index. */
  waiting: z.literal("yes").optional(),
  /** "yes" while it waits and belongs to no order, for the index. */
  unmatched: z.literal("yes").optional(),
  marks: z.array(withdrawalMarkSchema),
  /** When the buyer confirmed it. */
  receivedAt: timeMs,
  /** Until when the money has to be given back (exclusive). */
  refundBy: timeMs,
  history: z.array(z.object({ at: timeMs, by: z.string(), event: z.string(), note: z.string().optional() })),
});
export type WithdrawalRecord = z.infer<typeof withdrawalRecordSchema>;

/** A step of an administrator: the goods came back, it is done, or the reason why it is declined. */
export const withdrawalStepSchema = z.strictObject({
  note: text(1_000).default(""),
  version: z.int().min(1).optional().describe("Version that the step is based on"),
});

export const withdrawalAcceptanceSchema = z.strictObject({
  ...withdrawalStepSchema.shape,
  orderId: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("The order that is meant, for a statement with another number or email address"),
});
