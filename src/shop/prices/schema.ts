/** The price history of a product or a variant, as stored. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";
import { amountSchema, currencySchema } from "../base/money-schema.ts";

const pricePointSchema = z.object({
  /** From when on; until the next point. */
  at: timeMs,
  /** Absent while it was not on sale. */
  price: amountSchema.optional(),
  /** The compare-at price at that time. */
  compareAtPrice: amountSchema.optional(),
});
export type PricePoint = z.infer<typeof pricePointSchema>;

export const priceRecordSchema = z.object({
  /** That of the stock record: of the variant, or of the product without variants. */
  id: z.string(),
  version: z.number().int(),
  productId: z.string(),
  currency: currencySchema,
  /** From the oldest to the current one. */
  points: z.array(pricePointSchema),
});
export type PriceRecord = z.infer<typeof priceRecordSchema>;
