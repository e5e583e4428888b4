/** Changes of a product by an administrator, in any form: all fields, some, or a line of an import. */
import { z } from "zod";
import { line, slug, trimmedLine } from "../../kit/text/schemas.ts";
import { amountSchema } from "../base/money-schema.ts";
import { gramsSchema } from "../site/selling-schema.ts";
import { productGiftCardSchema } from "./gift-card-schema.ts";
import { productLicenseSchema, variantLicenseSchema } from "./license-schema.ts";
import {
  MAX_STOCK,
  bundlePartsSchema,
  MAX_VARIANTS,
  payWhatYouWantSchema,
  productRecordSchema,
  tierPricesSchema,
} from "./schema.ts";

/** Options of a variant, and characters of the name of one. */
export const MAX_OPTIONS = 10;
export const MAX_OPTION_NAME = 60;
const MAX_TRANSLATIONS = 50;

/** Units on hand. */
export const onHandSchema = z.number().int().min(0).max(MAX_STOCK);

const optionName = trimmedLine(MAX_OPTION_NAME).refine(
  (name) => name !== "__proto__",
  "is not a valid option name",
);

const variantInputSchema = z.strictObject({
  /** Of a variant that the product has; without it, one with the same SKU is meant, or a new one. */
  id: z.string().min(1).max(80).optional(),
  sku: line(80).trim().default(""),
  options: z
    .record(optionName, line(120).trim())
    .refine(
      (options) => Object.keys(options).length <= MAX_OPTIONS,
      `must have at most ${MAX_OPTIONS} options`,
    )
    .default({}),
  price: amountSchema,
  /** Left out, that of the variant stays; null takes it away. */
  compareAtPrice: amountSchema.nullable().optional(),
  /** Lower prices from a quantity on. Left out, those of the variant stay; null takes them away. */
  tierPrices: tierPricesSchema.nullable().optional(),
  /** One of the product's pictures. Left out, that of the variant stays; null takes it away. */
  imageHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/u, "must be the hash of an image")
    .nullable()
    .optional(),
  /** Of one unit, in place of the product's. Left out, that of the variant stays; null takes it away. */
  weightGrams: gramsSchema.nullable().optional(),
  /** In place of the product's license. Left out, that of the variant stays; null takes it away. */
  license: variantLicenseSchema.nullable().optional(),
  /** Units that a new variant starts with. */
  onHand: onHandSchema.optional(),
});
export type VariantInput = z.infer<typeof variantInputSchema>;

const plainFields = productRecordSchema.pick({
  slug: true,
  status: true,
  title: true,
  summary: true,
  description: true,
  tags: true,
  price: true,
  currency: true,
  stockMode: true,
  minQuantity: true,
  maxQuantity: true,
  deliveryType: true,
  taxClass: true,
  inputs: true,
  instructions: true,
  sortOrder: true,
  excludedFromWithdrawal: true,
});

/**
 * Some fields of a product; what is absent stays as it is, and null takes away. The price is needed without variants;
 * with variants it is the lowest of theirs when it is left out. The currency can only be the site's.
 */
export const productFieldsSchema = plainFields
  .partial()
  .extend({
    categoryId: slug.nullable().optional(),
    compareAtPrice: amountSchema.nullable().optional(),
    /** Lower prices from a quantity on, for a product without variants. */
    tierPrices: tierPricesSchema.nullable().optional(),
    /** Buyers choose the price; the price of the product or variant is the suggested one. */
    payWhatYouWant: payWhatYouWantSchema.nullable().optional(),
    /** Makes the product a bundle of other products. */
    parts: bundlePartsSchema.nullable().optional(),
    sku: line(80).trim().optional(),
    /** All variants; those that are left out go. */
    variants: z.array(variantInputSchema).max(MAX_VARIANTS).optional(),
    /** Units that a new product starts with, which has no variants or only one. */
    onHand: onHandSchema.optional(),
    maxPerCustomer: plainFields.shape.maxQuantity.nullable().optional(),
    weightGrams: gramsSchema.nullable().optional(),
    /** For "auto_secret": keys that programs activate and validate. */
    license: productLicenseSchema.nullable().optional(),
    /** For "gift_card": an amount of the buyer's choice, and how long cards are valid. */
    giftCard: productGiftCardSchema.nullable().optional(),
    collectionIds: productRecordSchema.shape.collectionIds,
    relatedIds: productRecordSchema.shape.relatedIds,
    lowStockThreshold: productRecordSchema.shape.lowStockThreshold.nullable(),
    translations: productRecordSchema.shape.translations
      .refine(
        (all) => Object.keys(all).length <= MAX_TRANSLATIONS,
        `must have at most ${MAX_TRANSLATIONS} languages`,
      )
      .optional(),
  })
  .strict();
export type ProductFields = z.infer<typeof productFieldsSchema>;

/** A whole product; what is absent gets its default. */
export const wholeProductSchema = productFieldsSchema.extend({ title: trimmedLine(200) });
export type WholeProduct = z.infer<typeof wholeProductSchema>;
