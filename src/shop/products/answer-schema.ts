/** Products as administrators see them: everything but what is sealed. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import {
  inputFieldSchema,
  productImageSchema,
  productRecordSchema,
  stockModeSchema,
  translationSchema,
  variantSchema as recordVariantSchema,
} from "./schema.ts";
import { bulkResultSchema } from "./bulk-schema.ts";

/** Units of a product or a variant. */
export const adminStockSchema = z
  .object({
    mode: stockModeSchema,
    onHand: z.int(),
    reserved: z.int().openapi({ description: "Units reserved by unpaid orders" }),
    available: z.int().optional().openapi({ description: "onHand − reserved; absent: unlimited" }),
    sold: z.int(),
  })
  .openapi("AdminStock");
export type StockView = z.infer<typeof adminStockSchema>;

const variantSchema = recordVariantSchema.extend({ stock: adminStockSchema });

/** How many of a product may be ordered, for each answer that shows it. */
export const quantityShape = {
  ...productRecordSchema.pick({ minQuantity: true, maxQuantity: true }).shape,
  maxPerCustomer: productRecordSchema.shape.maxPerCustomer.describe(
    "Limit per customer over all orders; absent: no limit",
  ),
};

export const adminImageSchema = productImageSchema
  .extend({
    url: z.string().openapi({ description: "Public URL of the image" }),
    srcset: z.string().openapi({ description: "Image sizes, for the HTML attribute srcset" }),
  })
  .openapi("AdminProductImage");
export type ImageView = z.infer<typeof adminImageSchema>;
export const productImagesSchema = z
  .object({ items: z.array(adminImageSchema) })
  .openapi("AdminProductImages");
export type ProductImages = z.infer<typeof productImagesSchema>;

/** A product with all its fields. */
export const adminProductSchema = productRecordSchema
  .omit({ stockMode: true, sealedSharedSecret: true })
  .extend({
    ...quantityShape,
    images: z.array(adminImageSchema),
    price: z.int().openapi({ description: "Price in minor units" }),
    variants: z.array(variantSchema),
    stock: adminStockSchema.openapi({ description: "Total stock of all variants" }),
    inputs: z.array(z.object(inputFieldSchema.shape)),
    sharedSecretSet: z.boolean(),
    collectionIds: z.array(z.string()).optional(),
    relatedIds: z.array(z.string()).optional(),
    translations: z.record(z.string(), z.object(translationSchema.shape)),
    views: z.int(),
    sold: z.int(),
    createdAt: isoTimeSchema,
    updatedAt: isoTimeSchema,
    publishedAt: isoTimeSchema.optional(),
  })
  .openapi("AdminProduct");
export type ProductView = z.infer<typeof adminProductSchema>;

export const productPageSchema = pageSchema(adminProductSchema).openapi("AdminProductPage");
export type ProductPage = z.infer<typeof productPageSchema>;

const pricePointSchema = z.object({
  at: isoTimeSchema,
  price: z
    .int()
    .optional()
    .openapi({ description: "Price in minor units; absent while the product was not on sale" }),
  compareAtPrice: z.int().optional(),
});

export const priceHistorySchema = z
  .object({
    items: z.array(
      z.object({
        variantId: z.string().optional(),
        currency: z.string(),
        lowestPrice30Days: z.int().optional().openapi({
          description:
            "Lowest price of the 30 days before the current price reduction; absent without a reduction",
        }),
        points: z
          .array(pricePointSchema)
          .openapi({ description: "Price changes, oldest first. Each price is valid until the next one" }),
      }),
    ),
  })
  .openapi("PriceHistory");
export type PriceHistory = z.infer<typeof priceHistorySchema>;

export const productBulkResultsSchema = z
  .object({ items: z.array(bulkResultSchema.clone().openapi("ProductBulkResult")) })
  .openapi("ProductBulkResults");
export type ProductBulkResults = z.infer<typeof productBulkResultsSchema>;
