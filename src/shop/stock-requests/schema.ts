/** Requests for an email when a product is back in stock, as the store keeps them. */
import { z } from "zod";
import { languageTag, timeMs } from "../../kit/text/schemas.ts";

export const stockRequestSchema = z.object({
  /** A keyed hash of mailbox and stock: who asks twice has one request. */
  id: z.string(),
  version: z.number().int(),
  productId: z.string(),
  variantId: z.string().optional(),
  /** The stock record. */
  stockId: z.string(),
  email: z.string().max(254),
  emailLower: z.string(),
  language: languageTag,
  /** "asked": the mailbox was not verified yet. */
  state: z.enum(["asked", "confirmed"]),
  createdAt: timeMs,
  /** The request is deleted then. */
  expiresAt: timeMs,
});
export type StockRequest = z.infer<typeof stockRequestSchema>;

/** Emails about the units that are there now; the id is that of the stock record. */
export const stockWaveSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  mailed: z.number().int().min(0),
  since: timeMs,
});
