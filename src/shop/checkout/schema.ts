/** The request of an order, and what is stored of it. */
import { z } from "zod";
import { languageTag, timeMs } from "../../kit/text/schemas.ts";
import { amountSchema } from "../base/money-schema.ts";
import { buyersFieldsSchema, emailSchema } from "../orders/schema.ts";
import { MAX_CARDS, MAX_CODE } from "../gift-cards/schema.ts";
import { MAX_QUANTITY } from "../products/schema.ts";

const inputsSchema = z.record(z.string().max(40), z.string().max(2_000));

const itemSchema = z.strictObject({
  productId: z.string().min(1).max(100),
  variantId: z.string().min(1).max(100).optional(),
  quantity: z.number().int().min(1).max(MAX_QUANTITY),
  unitPrice: amountSchema
    .optional()
    .describe("What the buyer pays for a unit of a product with payWhatYouWant; absent: the suggested price"),
  /** Answers to what the product asks for; before those given for the whole order. */
  inputs: inputsSchema.optional(),
});
/** One item of an order request. */
export type OrderItem = z.infer<typeof itemSchema>;

/** An order request. */
export const checkoutBodySchema = z.strictObject({
  items: z.array(itemSchema).min(1).max(100),
  contact: z.strictObject({ email: emailSchema }),
  couponCode: z.string().max(60).optional(),
  /** Gift cards that pay, the first one first. */
  giftCardCodes: z.array(z.string().min(1).max(MAX_CODE)).max(MAX_CARDS).optional(),
  inputs: inputsSchema.optional(),
  ...buyersFieldsSchema.partial().shape,
  /** The cheapest one when it is left out. */
  shippingMethodId: z.string().max(40).optional(),
  paymentMethod: z.string().max(40).optional(),
  /** The buyer's consents; the preview says which are required, and their texts. */
  consents: z
    .strictObject({
      digitalContent: z.boolean().optional(),
      terms: z.boolean().optional(),
      /** To one email if the order is not paid; nothing requires it. */
      reminder: z.boolean().optional(),
      /** To one email that asks for a review; nothing requires it. */
      review: z.boolean().optional(),
    })
    .optional(),
  /** The total that the buyer saw; a different price is an error instead of a charge. */
  expectedTotal: z.number().int().min(0).optional(),
  language: languageTag.optional(),
});

/** Items are enough to see what an order would cost; what else it holds is looked at when it is there. */
export const previewBodySchema = checkoutBodySchema.partial({ contact: true });
export type PreviewInput = z.infer<typeof previewBodySchema>;
export type CheckoutInput = z.infer<typeof checkoutBodySchema>;

/** The use of an idempotency key; the ID is a keyed hash of buyer and key. */
export const idempotencyRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** SHA-256 of the request's body, so that the key is not used for another order. */
  requestHash: z.string(),
  orderId: z.string(),
  expiresAt: timeMs,
});
