/** Where the routes of products are, and what their variants are called. */
import type { ProductView } from "../../../shop/products/answer-schema.ts";
import type { InputField, Variant } from "../../../shop/products/schema.ts";

export type { ProductView, StockView } from "../../../shop/products/answer-schema.ts";

export const statuses = ["draft", "published", "archived"] as const;
export const deliveryTypes = ["shipping", "auto_secret", "files", "shared_secret", "manual"] as const;
export type ProductStatus = ProductView["status"];
export type DeliveryType = ProductView["deliveryType"];
export type VariantView = ProductView["variants"][number];
export type InputView = Omit<InputField, "options"> & { readonly options: readonly string[] };

export const PRODUCTS = "/api/admin/products";

/** Where a product is. */
export function toProductPath(id: string): string {
  return `${PRODUCTS}/${encodeURIComponent(id)}`;
}

/** The options of a variant in words: "L, red"; its SKU where it has none. */
export function nameVariant({ options, sku }: Pick<Variant, "options" | "sku">): string {
  const words = Object.values(options).join(", ");
  return words === "" ? sku : words;
}
