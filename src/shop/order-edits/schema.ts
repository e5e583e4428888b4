/** Requests that correct an order after it was placed. */
import { z } from "zod";
import { languageTag, line, text } from "../../kit/text/schemas.ts";
import { addressSchema, countrySchema } from "../base/postal-address.ts";
import { amountSchema } from "../base/money-schema.ts";
import { moveSchema } from "../fulfilment/schema.ts";
import { emailSchema } from "../orders/schema.ts";
import { MAX_QUANTITY } from "../products/schema.ts";

const reason = line(300)
  .trim()
  .min(1)
  .optional()
  .describe("Required with unitPrice, for the history of the order");
const price = {
  unitPrice: amountSchema.optional().describe("In place of the product's price"),
  reason,
};
/** The fields of a line's own price. */
export const ownPriceSchema = z.object(price);
const isReasoned = ({
  unitPrice,
  reason: why,
}: {
  unitPrice?: number | undefined;
  reason?: string | undefined;
}) => unitPrice === undefined || why !== undefined;
const unreasoned = { path: ["reason"], message: "is required with unitPrice" };

/** What an edit changes; omitted members stay. */
export const orderEditSchema = z.strictObject({
  email: emailSchema.optional(),
  language: languageTag.optional(),
  buyersNote: text(2_000).optional().describe("The note that the buyer left with the order"),
  shippingAddress: addressSchema.optional(),
  billingAddress: addressSchema.nullable().optional().describe("null: the same as the shipping address"),
  country: countrySchema.optional().describe("Where the buyer lives, if no address says so"),
  vatId: line(40).trim().optional().describe('"" removes it'),
  lines: z
    .array(
      z
        .strictObject({
          lineId: z.string().min(1).max(100),
          quantity: z.number().int().min(0).max(MAX_QUANTITY).optional().describe("0 removes the line"),
          ...price,
        })
        .refine(isReasoned, unreasoned),
    )
    .max(100)
    .optional(),
  items: z
    .array(
      z
        .strictObject({
          productId: z.string().min(1).max(100),
          variantId: z.string().min(1).max(100).optional(),
          quantity: z.number().int().min(1).max(MAX_QUANTITY),
          inputs: z.record(z.string().max(40), z.string().max(2_000)).optional(),
          ...price,
        })
        .refine(isReasoned, unreasoned),
    )
    .max(100)
    .optional()
    .describe("Products to add"),
  shipping: z
    .strictObject({ methodId: z.string().max(40).optional(), fee: amountSchema.optional() })
    .optional()
    .describe("Another shipping method, or another fee in place of the method's price"),
});
export type WantedEdit = z.infer<typeof orderEditSchema>;

/** An edit with the version that it is meant for. */
export const orderEditMoveSchema = z.strictObject({
  ...orderEditSchema.shape,
  note: moveSchema.shape.note.describe("For the buyer's email and the history of the order"),
  version: z.number().int().min(1),
  expectedTotal: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("The total that the preview showed; required if the edit changes the total"),
  mail: z.boolean().default(true).describe("Whether the buyer gets an email about the changes"),
  renewToken: z
    .boolean()
    .default(false)
    .describe("Whether links of earlier emails stop working; for an order that was sent to someone else"),
});

/** A buyer's new shipping address. */
export const addressChangeSchema = z.strictObject({ shippingAddress: addressSchema });
