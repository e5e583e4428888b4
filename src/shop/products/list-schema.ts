/** Which products a list for administrators has, and in what order. */
import { z } from "zod";
import { slug } from "../../kit/text/schemas.ts";
import { deliveryTypeSchema, productStatusSchema } from "./schema.ts";

/** A "-" turns an order. */
export const productSorts = [
  "newest",
  "updated",
  "title",
  "-title",
  "price",
  "-price",
  "stock",
  "sold",
] as const;

/** Represents products without a category. */
export const NO_CATEGORY = "-";

export const productQuerySchema = z.object({
  status: productStatusSchema.optional(),
  q: z.string().max(200).optional().describe("Part of a title, slug or SKU"),
  categoryId: slug
    .or(z.literal(NO_CATEGORY))
    .optional()
    .describe(`ID of a category, including its subcategories; ${NO_CATEGORY}: products without a category`),
  deliveryType: deliveryTypeSchema.optional(),
  stock: z
    .enum(["low", "out"])
    .optional()
    .describe("Stock filter. low: few units of a published product are left; out: none"),
  partId: z.string().min(1).max(100).optional().describe("ID of a product: the bundles that it is part of"),
  sort: z.enum(productSorts).default("newest"),
});
