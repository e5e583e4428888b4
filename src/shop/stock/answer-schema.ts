/** Units on hand as administrators see and change them. */
import { z } from "@hono/zod-openapi";
import { trimmedLine } from "../../kit/text/schemas.ts";
import { adminStockSchema } from "../products/answer-schema.ts";
import { onHandSchema } from "../products/change-schema.ts";
import { MAX_STOCK, deliveryTypeSchema } from "../products/schema.ts";

export const stockChangeSchema = z
  .strictObject({
    variantId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .openapi({ description: "Needed when there are several variants" }),
    onHand: onHandSchema.optional().openapi({ description: "How many there are now" }),
    change: z
      .int()
      .min(-MAX_STOCK)
      .max(MAX_STOCK)
      .optional()
      .openapi({ description: "By how many they changed; in place of onHand" }),
    reason: trimmedLine(300).openapi({ description: "Kept in the audit" }),
  })
  .refine(({ onHand, change }) => (onHand === undefined) !== (change === undefined), {
    path: ["onHand"],
    error: "must be there, or else change",
  })
  .openapi("StockChange");

/** Which rows a list has. */
export const stockQuerySchema = z.object({
  low: z
    .enum(["true", "false"])
    .default("false")
    .openapi({ description: "Only what can be ordered so few times or not at all: threshold" }),
  productId: z.string().min(1).max(100).optional(),
  q: z.string().max(200).optional().openapi({ description: "Part of a title or a SKU" }),
});

/** What is sold and has units of its own: a variant, or a product without variants. */
export const stockRowSchema = adminStockSchema
  .extend({
    productId: z.string(),
    variantId: z.string().optional(),
    slug: z.string(),
    title: z.string(),
    options: z.record(z.string(), z.string()),
    sku: z.string(),
    status: z.string(),
    deliveryType: deliveryTypeSchema,
    threshold: z.int().openapi({ description: "So many units or fewer are low" }),
    isLow: z.boolean(),
  })
  .openapi("AdminStockRow");
export type StockRowView = z.infer<typeof stockRowSchema>;
