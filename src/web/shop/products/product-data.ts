/** Where the routes of products are, and what their variants are called. */
import type { Variant } from "../../../shop/products/schema.ts";

export type { ProductView, StockView } from "../../../shop/products/answer-schema.ts";

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
