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
      .openapi({ description: "Required if the product has multiple variants" }),
    onHand: onHandSchema.optional().openapi({ description: "New number of units on hand" }),
    change: z
      .int()
      .min(-MAX_STOCK)
      .max(MAX_STOCK)
      .optional()
      .openapi({ description: "Change in units, instead of onHand" }),
    reason: trimmedLine(300).openapi({ description: "Reason, stored in the audit log" }),
  })
  .refine(({ onHand, change }) => (onHand === undefined) !== (change === undefined), {
    path: ["onHand"],
    error: "or change is required",
  })
  .openapi("StockChange");

/** Which rows a list has. */
export const stockQuerySchema = z.object({
  low: z
    .enum(["true", "false"])
    .default("false")
    .openapi({ description: "Whether to list only products at or below the threshold" }),
  productId: z.string().min(1).max(100).optional(),
  q: z.string().max(200).optional().openapi({ description: "Part of a title or SKU" }),
});

/** What is sold with separate units: a variant, or a product without variants. */
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
    threshold: z.int().openapi({ description: "Low stock threshold in units" }),
    isLow: z.boolean(),
  })
  .openapi("AdminStockRow");
export type StockRowView = z.infer<typeof stockRowSchema>;
