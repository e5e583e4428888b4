/** Filters for orders, and saved searches. */
import { z } from "zod";
import { trimmedLine, line, timeMs } from "../../kit/text/schemas.ts";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { attentionSchema, orderStatusSchema, paymentStatusSchema } from "../orders/schema.ts";

const word = (most: number) => line(most).trim().min(1);
const amount = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A search as requests write it; all that is given must be so. */
export const searchQuerySchema = z.object({
  q: line(200).optional(),
  /** A state, or "to_deliver": paid, and not or only in part handed over. */
  status: orderStatusSchema.or(z.literal("to_deliver")).optional(),
  paymentStatus: paymentStatusSchema.optional(),
  /** A flag, or "any". */
  attention: attentionSchema.or(z.literal("any")).optional(),
  userId: word(100).optional(),
  email: word(254).optional(),
  productId: word(100).optional(),
  coupon: word(60).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/u)
    .optional(),
  paymentMethod: word(40).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/u)
    .optional(),
  minTotal: amount.optional(),
  maxTotal: amount.optional(),
  from: isoTimeMs.optional(),
  to: isoTimeMs.optional(),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

/** A search as it is kept: words as a request writes them. */
export const savedQuerySchema = z.strictObject(searchQuerySchema.shape);

export const savedSearchRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  name: trimmedLine(80),
  /** The name in small letters, which one search has. */
  nameKey: z.string(),
  /** As a request writes it, times too. */
  query: z.record(z.string(), z.string().or(z.number())),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type SavedSearchRecord = z.infer<typeof savedSearchRecordSchema>;
