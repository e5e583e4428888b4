/** Products that are gift cards: their amounts, and how long cards are valid. */
import { z } from "zod";
import { positiveAmountSchema } from "../base/money-schema.ts";

/** Days that a card is valid, at most. */
const MAX_DAYS = 36_500;
const days = z.number().int().min(1).max(MAX_DAYS);

/** Absent in a product: cards of its price or of its variants' prices, which never expire. */
export const productGiftCardSchema = z.strictObject({
  /** The buyer chooses the amount: `minimum` to `maximum`, minor units. */
  openAmount: z
    .strictObject({ minimum: positiveAmountSchema, maximum: positiveAmountSchema })
    .refine(({ minimum, maximum }) => minimum <= maximum, {
      path: ["maximum"],
      message: "must not be less than minimum",
    })
    .optional(),
  /** From the payment on; absent: cards never expire. */
  days: days.optional(),
});
export type ProductGiftCard = z.infer<typeof productGiftCardSchema>;

/** What a line keeps of it, as it was bought. */
export const giftCardTermsSchema = z.object({ days: days.optional() });
