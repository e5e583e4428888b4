/** Wishes as the store keeps them. */
import { z } from "zod";
import { line, timeMs } from "../../kit/text/schemas.ts";

/** The id is "<user>:<product>". */
export const wishRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  productId: z.string(),
  variantId: z.string().optional(),
  note: line(500),
  notifyRestock: z.boolean(),
  notifyPriceDrop: z.boolean(),
  /** "yes" while a notice is wanted, for the index. */
  watched: z.literal("yes").optional(),
  /** Where to write. */
  email: z.string().optional(),
  /** The auth center knew it as the person's own when it was given; without this nothing is mailed. */
  isEmailVerified: z.literal(true).optional(),
  language: z.string(),
  priceAtAdd: z.number().int().min(0),
  currency: z.string(),
  /** The price in the last email, so that each reduction is emailed once. */
  priceTold: z.number().int().min(0).optional(),
  /** Whether it could be bought when it was last looked at: a mail goes when that turns. */
  wasInStock: z.boolean(),
  addedAt: timeMs,
});
export type WishRecord = z.infer<typeof wishRecordSchema>;
