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

/** What stands for a product without a category. */
export const NO_CATEGORY = "-";

export const productQuerySchema = z.object({
  status: productStatusSchema.optional(),
  q: z.string().max(200).optional().describe("Part of a title, an address or a SKU"),
  categoryId: slug
    .or(z.literal(NO_CATEGORY))
    .optional()
    .describe(`With those below it; ${NO_CATEGORY}: products that are in none`),
  deliveryType: deliveryTypeSchema.optional(),
  stock: z
    .enum(["low", "out"])
    .optional()
    .describe("low: few units of something that is sold are left; out: none at all"),
  sort: z.enum(productSorts).default("newest"),
});
