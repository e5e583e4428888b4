/** A part of a refund that belongs to one item of an order. */
import { z } from "zod";
import { amountSchema } from "./money-schema.ts";

/** Identifies the shipping in place of a line's ID. */
export const SHIPPING_PART = "shipping";

export const refundPartSchema = z.object({
  /** The id of the line, or "shipping". */
  lineId: z.string(),
  /** The refund for it, VAT included. */
  amount: amountSchema,
  /** Units; absent where an amount was given. */
  quantity: z.number().int().min(1).optional(),
});
export type RefundPart = z.infer<typeof refundPartSchema>;
