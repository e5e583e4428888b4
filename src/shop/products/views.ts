/** Answers about products for administrators, made of records. */
import type { ProductImage, ProductRecord, StockMode, StockRecord } from "./schema.ts";
import type { ImageView, ProductView, StockView } from "./answer-schema.ts";
import { toImageAddress, toSrcset } from "./image-url.ts";
import type { ProductDetails } from "./products.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";

/** Units in an answer. */
export function toStockView(
  mode: StockMode,
  { onHand, reserved, sold }: Pick<StockRecord, "onHand" | "reserved" | "sold">,
): StockView {
  return { mode, onHand, reserved, available: mode === "tracked" ? onHand - reserved : undefined, sold };
}

/** A picture in an answer. */
export function toImageView(image: ProductImage): ImageView {
  return { ...image, url: toImageAddress(image.hash), srcset: toSrcset(image) };
}

const none = { onHand: 0, reserved: 0, sold: 0 };

function toSum(records: Iterable<StockRecord>): typeof none {
  const sum = { ...none };
  for (const { onHand, reserved, sold } of records) {
    sum.onHand += onHand;
    sum.reserved += reserved;
    sum.sold += sold;
  }
  return sum;
}

export function toAdminProductView({ product, stock, views }: ProductDetails): ProductView {
  const { sealedSharedSecret, images, variants, createdAt, updatedAt, publishedAt, stockMode, ...rest } =
    product;
  const sum = toSum(stock.values());
  return {
    ...rest,
    images: images.map(toImageView),
    variants: variants.map((variant) => ({
      ...variant,
      stock: toStockView(stockMode, stock.get(variant.id) ?? none),
    })),
    stock: toStockView(stockMode, sum),
    sharedSecretSet: sealedSharedSecret !== undefined,
    collectionIds: product.collectionIds ?? [],
    relatedIds: product.relatedIds ?? [],
    views,
    sold: sum.sold,
    createdAt: toIsoTime(createdAt),
    updatedAt: toIsoTime(updatedAt),
    publishedAt: toIsoTimeIfAny(publishedAt),
  };
}

/** The entity tag of a product. */
export function toProductTag({ version }: Pick<ProductRecord, "version">): string {
  return `"${version}"`;
}

/** An example for the document. */
export const exampleAdminProduct = {
  id: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
  slug: "red-mug",
  status: "published",
  title: "Red mug",
  summary: "Holds 0.3 l",
  description: "",
  images: [],
  categoryId: "kitchen",
  tags: ["gift"],
  price: 1_290,
  currency: "EUR",
  sku: "MUG",
  variants: [
    {
      id: "var_01jd5v6m0c8f3k2n7q4x9y1z5b",
      sku: "MUG-L",
      options: { size: "L" },
      price: 1_290,
      stock: { mode: "tracked", onHand: 12, reserved: 2, available: 10, sold: 30 },
    },
  ],
  stock: { mode: "tracked", onHand: 12, reserved: 2, available: 10, sold: 30 },
  minQuantity: 1,
  maxQuantity: 10,
  deliveryType: "shipping",
  inputs: [],
  instructions: "",
  sharedSecretSet: false,
  translations: { de: { title: "Rote Tasse" } },
  sortOrder: 0,
  views: 250,
  sold: 30,
  createdAt: "2026-11-20T12:00:00.000+00:00",
  updatedAt: "2026-11-21T09:00:00.000+00:00",
  publishedAt: "2026-11-20T12:00:00.000+00:00",
  version: 4,
} as const;
