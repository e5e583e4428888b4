/** Products as /api/admin/products has them. */
import type { InputField, ProductRecord, Variant } from "../../../shop/products/schema.ts";
import type { WithTimes } from "../../ui/forms/with-times.ts";
import type { ImageView as PictureView } from "../../../shop/products/answer-schema.ts";

export const PRODUCTS = "/api/admin/products";

export const statuses = ["draft", "published", "archived"] as const;
export const deliveryTypes = ["shipping", "auto_secret", "files", "shared_secret", "manual"] as const;
export const sorts = ["newest", "updated", "title", "-title", "price", "-price", "stock", "sold"] as const;

export type ProductStatus = ProductRecord["status"];
export type DeliveryType = ProductRecord["deliveryType"];

export interface StockView {
  readonly mode: "tracked" | "unlimited";
  readonly onHand: number;
  readonly reserved: number;
  /** Absent: unlimited. */
  readonly available?: number;
  readonly sold: number;
}

export interface VariantView extends Variant {
  readonly stock: StockView;
}

/** What a buyer is asked for. */
export type InputView = Omit<InputField, "options"> & { readonly options: readonly string[] };

/** What a product has in its record alone, or in another form. */
type OfRecord = "stockMode" | "sealedSharedSecret" | "fileCount" | "images" | "variants";

export interface ProductView extends WithTimes<
  Omit<ProductRecord, OfRecord>,
  "createdAt" | "updatedAt" | "publishedAt"
> {
  readonly images: readonly PictureView[];
  readonly variants: readonly VariantView[];
  readonly stock: StockView;
  readonly collectionIds: string[];
  readonly relatedIds: string[];
  readonly sharedSecretSet: boolean;
  readonly views: number;
  readonly sold: number;
}

/** Where a product is. */
export function toProductPath(id: string): string {
  return `${PRODUCTS}/${encodeURIComponent(id)}`;
}

/** The options of a variant in words: "L, red"; its SKU where it has none. */
export function nameVariant({ options, sku }: Pick<VariantView, "options" | "sku">): string {
  const words = Object.values(options).join(", ");
  return words === "" ? sku : words;
}
