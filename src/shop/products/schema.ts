/** Products with variants, their stock, license keys, views. Stored records. */
import { z } from "zod";
import { line, text, timeMs, trimmedLine, pathSlug, slug, languageTag } from "../../kit/text/schemas.ts";
import { amountSchema, currencySchema } from "../base/money-schema.ts";
import { taxClassSchema } from "../base/tax-class-schema.ts";
import { gramsSchema } from "../site/selling-schema.ts";
import { productGiftCardSchema } from "./gift-card-schema.ts";
import { productLicenseSchema, variantLicenseSchema } from "./license-schema.ts";

export const MAX_VARIANTS = 50;
export const MAX_IMAGES = 20;
const MAX_COLLECTIONS_OF_ONE = 50;
/** Products that are shown beside another one, chosen by hand. */
export const MAX_RELATED = 20;
/** Units of one line of an order at most. */
export const MAX_QUANTITY = 10_000;
/** Units on hand at most. */
export const MAX_STOCK = 1_000_000_000;

const tagSchema = trimmedLine(60);

/** A field that a buyer fills in when ordering this product. */
export const inputFieldSchema = z.strictObject({
  key: z.string().regex(/^[a-zA-Z][\w-]{0,39}$/u, "must be a short identifier such as account or nickname"),
  label: trimmedLine(120),
  kind: z.enum(["text", "email", "number", "select"]).default("text"),
  required: z.boolean().default(false),
  /** For "select". */
  options: z.array(trimmedLine(120)).max(50).default([]),
  maxLength: z.number().int().min(1).max(2_000).default(200),
});
export type InputField = z.infer<typeof inputFieldSchema>;

export const deliveryTypeSchema = z.enum([
  "shipping",
  "auto_secret",
  "files",
  "shared_secret",
  "manual",
  "gift_card",
]);
export type DeliveryType = z.infer<typeof deliveryTypeSchema>;

export const stockModeSchema = z.enum(["tracked", "unlimited"]);
export type StockMode = z.infer<typeof stockModeSchema>;

/** Quantities with a lower price at most. */
export const MAX_TIERS = 10;

/** A lower price of each unit, from a quantity on. */
export const tierPriceSchema = z.strictObject({
  from: z.number().int().min(2).max(MAX_QUANTITY).describe("Units of this variant in one order"),
  price: amountSchema.describe("Price of each of these units"),
});
export type TierPrice = z.infer<typeof tierPriceSchema>;
export const tierPricesSchema = z.array(tierPriceSchema).max(MAX_TIERS);

export const variantSchema = z.object({
  id: z.string(),
  sku: line(80),
  /** Such as { size: "L", color: "red" }. */
  options: z.record(z.string().max(60), line(120)),
  price: amountSchema,
  /** The earlier price, shown struck through. */
  compareAtPrice: amountSchema.optional(),
  /** Smallest quantity first. */
  tierPrices: tierPricesSchema.optional(),
  /** One of the product's pictures. */
  imageHash: z.string().optional(),
  /** Of one unit; absent: that of the product. */
  weightGrams: gramsSchema.optional(),
  /** In place of the product's. */
  license: variantLicenseSchema.optional(),
});
export type Variant = z.infer<typeof variantSchema>;

export const productImageSchema = z.object({
  /** SHA-256 of the bytes, hex: its name in `data/` and in its address. */
  hash: z.string(),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp"]),
  width: z.number().int(),
  height: z.number().int(),
  bytes: z.number().int(),
  alt: line(300),
});
export type ProductImage = z.infer<typeof productImageSchema>;

export const translationSchema = z.strictObject({
  title: trimmedLine(200).optional(),
  summary: text(1_000).optional(),
  description: text(50_000).optional(),
});

/** Bounds of a price that the buyer chooses. */
export const payWhatYouWantSchema = z.strictObject({
  minimum: amountSchema.describe("The least that a buyer can pay for a unit; 0: nothing"),
  maximum: amountSchema.optional(),
});

/** Parts of a bundle at most. */
export const MAX_PARTS = 20;

/** What is in one bundle. */
export const bundlePartSchema = z.strictObject({
  productId: z.string().min(1).max(80),
  variantId: z.string().min(1).max(80).optional().describe("Required for products with variants"),
  quantity: z.number().int().min(1).max(100).describe("Units in one bundle"),
});
export type BundlePart = z.infer<typeof bundlePartSchema>;
export const bundlePartsSchema = z.array(bundlePartSchema).max(MAX_PARTS);

export const productStatusSchema = z.enum(["draft", "published", "archived"]);

export const productRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  slug: pathSlug,
  status: productStatusSchema,
  title: trimmedLine(200),
  summary: text(1_000),
  description: text(50_000),
  images: z.array(productImageSchema).max(MAX_IMAGES),
  categoryId: z.string().optional(),
  tags: z.array(tagSchema).max(50),
  /** Of the product without variants; with variants each has its own. */
  price: amountSchema,
  /** The earlier price, shown struck through. */
  compareAtPrice: amountSchema.optional(),
  /** Of the product without variants, the smallest quantity first. */
  tierPrices: tierPricesSchema.optional(),
  /** A bundle of these products: their units are sold, delivered, and taxed. */
  parts: bundlePartsSchema.optional(),
  /** Buyers choose the price of a unit; `price`, of the product or the variant, is the suggested one. */
  payWhatYouWant: payWhatYouWantSchema.optional(),
  currency: currencySchema,
  sku: line(80),
  /** None: the product itself is what is sold. */
  variants: z.array(variantSchema).max(MAX_VARIANTS),
  stockMode: stockModeSchema,
  minQuantity: z.number().int().min(1).max(MAX_QUANTITY),
  maxQuantity: z.number().int().min(1).max(MAX_QUANTITY),
  /** Units that one customer may have, over all orders that were not canceled and did not expire. */
  maxPerCustomer: z.number().int().min(1).max(MAX_QUANTITY).optional(),
  deliveryType: deliveryTypeSchema,
  /** "standard" when absent. */
  taxClass: taxClassSchema.optional(),
  /** Of one unit. */
  weightGrams: gramsSchema.optional(),
  inputs: z.array(inputFieldSchema).max(20),
  /** Shown to the buyer after payment. */
  instructions: text(10_000),
  /** For "shared_secret": what every buyer gets, sealed. */
  sealedSharedSecret: z.string().max(60_000).optional(),
  /** For "auto_secret": whether programs can activate its keys, and on what terms. */
  license: productLicenseSchema.optional(),
  /** For "gift_card": whether the buyer chooses the amount, and how long cards are valid. */
  giftCard: productGiftCardSchema.optional(),
  /** For "files": how many there are to download, set by the files themselves. */
  fileCount: z.number().int().min(0).optional(),
  /** Words of other languages, by language tag. */
  translations: z.record(languageTag, translationSchema),
  sortOrder: z.number().int().min(-1_000_000).max(1_000_000),
  /** No right of withdrawal by law: made to order, perishable, sealed (Article 16 of Directive 2011/83/EU). */
  excludedFromWithdrawal: z.boolean().optional(),
  /** Collections that it was picked for. */
  collectionIds: z.array(slug).max(MAX_COLLECTIONS_OF_ONE).optional(),
  /** Ids of products that go with it, in this order; ids of products that are gone may be among them. */
  relatedIds: z.array(z.string().max(80)).max(MAX_RELATED).optional(),
  /** So many units or fewer are low; in place of the site's number. */
  lowStockThreshold: z.number().int().min(0).max(1_000_000).optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
  /** When it was published first. */
  publishedAt: timeMs.optional(),
});
export type ProductRecord = z.infer<typeof productRecordSchema>;

/** Ids of the stock records of a product: its variants, or the product itself. */
export function stockIdsOf(product: Pick<ProductRecord, "id" | "variants">): string[] {
  return product.variants.length === 0 ? [product.id] : product.variants.map(({ id }) => id);
}

/**
 * The stock of a variant, or of a product without variants, under its ID. `reserved` of `onHand` are reserved for
 * unpaid orders. Products of unlimited stock have one too, for `sold`.
 */
export const stockRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  productId: z.string(),
  onHand: z.number().int().min(0).max(MAX_STOCK),
  reserved: z.number().int().min(0),
  /** Units of paid orders. */
  sold: z.number().int().min(0),
});
export type StockRecord = z.infer<typeof stockRecordSchema>;

/** A licence key or code that is given to one buyer once. */
export const secretRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  productId: z.string(),
  /** Of what it is one: the id of a stock record. */
  stockId: z.string(),
  sealed: z.string().max(20_000),
  /** A keyed hash of the value: the same key is not added twice. */
  mac: z.string(),
  state: z.enum(["free", "given"]),
  orderId: z.string().optional(),
  addedAt: timeMs,
  givenAt: timeMs.optional(),
});
export type SecretRecord = z.infer<typeof secretRecordSchema>;

/** How often a product was looked at; the id is the product's. */
export const viewRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  views: z.number().int().min(0),
});

/** How often all products were looked at on a day of the shop's zone. */
export const dayViewRecordSchema = z.object({
  /** "2026-11-23". */
  id: z.string(),
  version: z.number().int(),
  views: z.number().int().min(0),
});

/** That something about a product changed, for other processes on the same database. Swept after minutes. */
export const catalogueChangeRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  productId: z.string(),
  at: timeMs,
});
