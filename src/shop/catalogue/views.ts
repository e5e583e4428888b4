/** Products as the public sees them. */
import { z } from "@hono/zod-openapi";
import {
  inputFieldSchema,
  productImageSchema,
  productRecordSchema,
  stockModeSchema,
  variantSchema as recordVariantSchema,
  type ProductImage,
  type ProductRecord,
} from "../products/schema.ts";
import { toImageAddress, toSrcset } from "../products/image-url.ts";
import { quantityShape } from "../products/answer-schema.ts";
import type { CategoryTree } from "./category-tree.ts";
import type { CatalogueItem } from "./item.ts";
import { wordsIn } from "./languages.ts";
import { isEuOn } from "../eu/schema.ts";
import { hashText } from "./text-hash.ts";
import type { SiteSettings } from "../site/schema.ts";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";

const stockSchema = z
  .object({
    status: z.enum(["in_stock", "low_stock", "out_of_stock"]),
    mode: stockModeSchema.optional().openapi({ description: "Present if the shop shows exact stock" }),
    available: z
      .int()
      .min(0)
      .optional()
      .openapi({ description: "Available units, if the shop shows exact stock; absent: unlimited" }),
  })
  .openapi("StockView", { description: "Stock; absent if the shop hides it" });

const lowestPriceSchema = z.int().optional().openapi({
  description:
    "Lowest price of the 30 days before the reduction, to show with compareAtPrice. Present if EU consumer law is enabled",
});

const variantSchema = recordVariantSchema.omit({ imageHash: true }).extend({
  imageUrl: z
    .string()
    .optional()
    .openapi({ description: "Image of the variant, one of the product's images" }),
  stock: stockSchema.optional(),
  lowestPrice30Days: lowestPriceSchema,
});

/** A picture with its addresses. */
export const imageSchema = productImageSchema.omit({ hash: true, bytes: true }).extend({
  url: z.string(),
  srcset: z.string().openapi({ description: "Image sizes, for the HTML attribute srcset" }),
});

/** A picture in an answer. */
export function toImageView(image: ProductImage): z.infer<typeof imageSchema> {
  const { hash, mediaType, width, height, alt } = image;
  return { url: toImageAddress(hash), srcset: toSrcset(image), mediaType, width, height, alt };
}

/** One of several pictures in a list, which shows the first. */
const listedImageSchema = imageSchema.extend({
  srcset: imageSchema.shape.srcset.optional().openapi({
    description: "Sizes of the first image. Get the product for the sizes of all images",
  }),
});

export const productSchema = productRecordSchema
  .pick({ id: true, slug: true, title: true, summary: true, categoryId: true, tags: true, currency: true })
  .extend(
    productRecordSchema.pick({
      compareAtPrice: true,
      tierPrices: true,
      payWhatYouWant: true,
      parts: true,
      sku: true,
      deliveryType: true,
      version: true,
    }).shape,
  )
  .extend({
    ...quantityShape,
    images: z.array(listedImageSchema),
    price: z.int().openapi({ description: "Price in minor units; with variants, the lowest price" }),
    lowestPrice30Days: lowestPriceSchema,
    variants: z.array(variantSchema),
    stock: stockSchema.optional(),
    inputs: z.array(z.object({ ...inputFieldSchema.shape, kind: z.string() })),
    views: z.int().optional(),
    sold: z.int().optional(),
    rating: z
      .object({ average: z.number(), count: z.int().min(1) })
      .optional()
      .openapi({ description: "Average stars of the published reviews; absent without any" }),
    createdAt: isoTimeSchema,
    updatedAt: isoTimeSchema,
  })
  .openapi("Product");

export const productDetailSchema = productSchema
  .extend({ images: z.array(imageSchema), description: z.string() })
  .openapi("ProductDetail");

type StockView = z.infer<typeof stockSchema>;

function toStockView(
  site: SiteSettings,
  { lowStockThreshold = site.lowStockThreshold }: ProductRecord,
  available: number,
): StockView | undefined {
  if (site.stockDisplay === "hidden") return undefined;
  const status = available <= 0 ? "out_of_stock" : available <= lowStockThreshold ? "low_stock" : "in_stock";
  if (site.stockDisplay === "status") return { status };
  return Number.isFinite(available) ? { status, mode: "tracked", available } : { status, mode: "unlimited" };
}

/** The index of the variant whose price the product has; 0 without variants. */
function findCheapest({ variants }: CatalogueItem["product"]): number {
  return variants.reduce((best, { price }, at) => (price < (variants[best]?.price ?? price) ? at : best), 0);
}

/** The context of a view. Its parts are replaced when something in them changes. */
export interface ViewContext {
  readonly site: SiteSettings;
  readonly tree: CategoryTree;
  readonly language: string;
}

/** A product in a language, as a site shows it. Members that are hidden are undefined. */
export function toProductView(item: CatalogueItem, { site, language, tree }: ViewContext): object {
  const { product } = item;
  const { categoryId = "" } = product;
  const { title, summary } = wordsIn(product, language);
  const lowestPrices = isEuOn(site) ? item.lowestPrices : [];
  return {
    id: product.id,
    slug: product.slug,
    title,
    summary,
    images: product.images.map(toImageView),
    categoryId: tree.mayShow(categoryId) ? product.categoryId : undefined,
    tags: product.tags,
    price: item.price,
    compareAtPrice: product.compareAtPrice,
    tierPrices: product.tierPrices,
    payWhatYouWant: product.payWhatYouWant,
    parts: product.parts,
    lowestPrice30Days: lowestPrices[findCheapest(product)],
    currency: product.currency,
    sku: product.sku,
    variants: product.variants.map(
      ({ id, sku, options, price, compareAtPrice, tierPrices, imageHash }, index) => ({
        id,
        sku,
        options,
        price,
        compareAtPrice,
        tierPrices,
        lowestPrice30Days: lowestPrices[index],
        imageUrl: imageHash && toImageAddress(imageHash),
        stock: toStockView(site, product, item.available[index] ?? 0),
      }),
    ),
    stock: toStockView(site, product, item.totalAvailable),
    minQuantity: product.minQuantity,
    maxQuantity: product.maxQuantity,
    maxPerCustomer: product.maxPerCustomer,
    deliveryType: product.deliveryType,
    inputs: product.inputs,
    views: site.hiddenStats.includes("views") ? undefined : item.views,
    sold: site.hiddenStats.includes("soldUnits") ? undefined : item.sold,
    rating: site.reviews.isOn ? item.rating : undefined,
    createdAt: toIsoTime(product.createdAt),
    updatedAt: toIsoTime(product.updatedAt),
    version: product.version,
  };
}

/** The same in a list: which sizes a picture has is said of the first one alone, that of the list. */
export function toListedView(item: CatalogueItem, context: ViewContext): object {
  const images = item.product.images.map((image, index) => {
    const { srcset, ...rest } = toImageView(image);
    return index === 0 ? { ...rest, srcset } : rest;
  });
  return { ...toProductView(item, context), images };
}

/** JSON of something, with its entity tag. */
export interface ProductText {
  readonly json: string;
  /** Computed on first use. */
  etag(): string;
}

/** Characters of cached texts; beyond it, all are rendered again. */
const MAX_CHARACTERS = 24_000_000;

/** Creates texts of items, each once for an item, a language and settings. */
export function createProductTexts(
  toView: (item: CatalogueItem, context: ViewContext) => object,
): (item: CatalogueItem, context: ViewContext) => ProductText {
  let texts = new WeakMap<CatalogueItem, Map<string, ProductText>>();
  let characters = 0;
  let madeFor: Omit<ViewContext, "language"> | undefined;

  function make(item: CatalogueItem, context: ViewContext): ProductText {
    const json = JSON.stringify(toView(item, context));
    let etag: string | undefined;
    return { json, etag: () => (etag ??= `"${hashText(json)}"`) };
  }

  return (item, context) => {
    const isOther = madeFor?.site !== context.site || madeFor.tree !== context.tree;
    if (isOther || characters > MAX_CHARACTERS) {
      texts = new WeakMap();
      characters = 0;
      madeFor = context;
    }
    // An item is replaced when anything about it changes: its texts go with it.
    const ofItem = texts.get(item) ?? new Map<string, ProductText>();
    const known = ofItem.get(context.language);
    if (known !== undefined) return known;
    const made = make(item, context);
    ofItem.set(context.language, made);
    texts.set(item, ofItem);
    characters += made.json.length;
    return made;
  };
}
