/** What an administrator may say of a product, in any form: all at once, some fields, or a line of an import. */
import { z } from "zod";
import { line, text, trimmedLine, languageTag, slug } from "../../kit/text/schemas.ts";
import { amountSchema, currencySchema } from "../money.ts";
import {
  deliveryTypeSchema,
  inputFieldSchema,
  MAX_QUANTITY,
  MAX_STOCK,
  MAX_VARIANTS,
  productStatusSchema,
  stockModeSchema,
  tagSchema,
  translationSchema,
} from "./schema.ts";

const MAX_OPTIONS = 10;
const MAX_TRANSLATIONS = 50;

/** Units on hand. */
export const onHandSchema = z.number().int().min(0).max(MAX_STOCK);

const optionName = trimmedLine(60).refine((name) => name !== "__proto__", "is no name of an option");

export const variantInputSchema = z.strictObject({
  /** Of a variant that the product has; without it, one with the same SKU is meant, or a new one. */
  id: z.string().min(1).max(80).optional(),
  sku: line(80).trim().default(""),
  options: z
    .record(optionName, line(120).trim())
    .refine((options) => Object.keys(options).length <= MAX_OPTIONS, `has ${MAX_OPTIONS} options at most`)
    .default({}),
  price: amountSchema,
  /** Units that a new variant starts with. */
  onHand: onHandSchema.optional(),
});
export type VariantInput = z.infer<typeof variantInputSchema>;

const quantity = z.number().int().min(1).max(MAX_QUANTITY);

/** Some fields of a product; what is absent stays as it is. */
export const productFieldsSchema = z.strictObject({
  slug: slug.optional(),
  status: productStatusSchema.optional(),
  title: trimmedLine(200).optional(),
  summary: text(1_000).optional(),
  description: text(50_000).optional(),
  /** null: none. */
  categoryId: slug.nullable().optional(),
  tags: z.array(tagSchema).max(50).optional(),
  /** Needed without variants; with variants the lowest of theirs when it is left out. */
  price: amountSchema.optional(),
  /** null: none. */
  compareAtPrice: amountSchema.nullable().optional(),
  /** Only the site's own. */
  currency: currencySchema.optional(),
  sku: line(80).trim().optional(),
  /** All variants; those that are left out go. */
  variants: z.array(variantInputSchema).max(MAX_VARIANTS).optional(),
  /** Units that a new product without variants starts with. */
  onHand: onHandSchema.optional(),
  stockMode: stockModeSchema.optional(),
  minQuantity: quantity.optional(),
  maxQuantity: quantity.optional(),
  /** null: none. */
  maxPerCustomer: quantity.nullable().optional(),
  deliveryType: deliveryTypeSchema.optional(),
  inputs: z.array(inputFieldSchema).max(20).optional(),
  instructions: text(10_000).optional(),
  translations: z
    .record(languageTag, translationSchema)
    .refine((all) => Object.keys(all).length <= MAX_TRANSLATIONS, `has ${MAX_TRANSLATIONS} languages at most`)
    .optional(),
  sortOrder: z.number().int().min(-1_000_000).max(1_000_000).optional(),
});
export type ProductFields = z.infer<typeof productFieldsSchema>;

/** A whole product; what is absent gets its default. */
export const wholeProductSchema = productFieldsSchema.extend({ title: trimmedLine(200) });
export type WholeProduct = z.infer<typeof wholeProductSchema>;
