/** Products as /api/admin/products has them. */
import type { PictureView } from "../ui/category-list.ts";

export const PRODUCTS = "/api/admin/products";

export const statuses = ["draft", "published", "archived"] as const;
export const deliveryTypes = ["shipping", "auto_secret", "files", "shared_secret", "manual"] as const;
export const sorts = ["newest", "updated", "title", "-title", "price", "-price", "stock", "sold"] as const;

export type ProductStatus = (typeof statuses)[number];
export type DeliveryType = (typeof deliveryTypes)[number];

export interface StockView {
  readonly mode: "tracked" | "unlimited";
  readonly onHand: number;
  readonly reserved: number;
  /** Absent: unlimited. */
  readonly available?: number;
  readonly sold: number;
}

export interface VariantView {
  readonly id: string;
  readonly sku: string;
  readonly options: Readonly<Record<string, string>>;
  readonly price: number;
  readonly compareAtPrice?: number;
  readonly imageHash?: string;
  readonly weightGrams?: number;
  readonly stock: StockView;
}

/** What a buyer is asked for. */
export interface InputView {
  readonly key: string;
  readonly label: string;
  readonly kind: "text" | "email" | "number" | "select";
  readonly required: boolean;
  readonly options: readonly string[];
  readonly maxLength: number;
}

export interface ProductView {
  readonly id: string;
  readonly version: number;
  readonly slug: string;
  readonly status: ProductStatus;
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly images: readonly PictureView[];
  readonly categoryId?: string;
  readonly tags: readonly string[];
  readonly price: number;
  readonly compareAtPrice?: number;
  readonly currency: string;
  readonly sku: string;
  readonly variants: readonly VariantView[];
  readonly stock: StockView;
  readonly minQuantity: number;
  readonly maxQuantity: number;
  readonly maxPerCustomer?: number;
  readonly deliveryType: DeliveryType;
  readonly taxClass?: string;
  readonly weightGrams?: number;
  readonly inputs: readonly InputView[];
  readonly instructions: string;
  readonly translations: Readonly<
    Record<string, { readonly title?: string; readonly summary?: string; readonly description?: string }>
  >;
  readonly sortOrder: number;
  readonly excludedFromWithdrawal?: boolean;
  readonly collectionIds: readonly string[];
  readonly relatedIds: readonly string[];
  readonly lowStockThreshold?: number;
  readonly sharedSecretSet: boolean;
  readonly views: number;
  readonly sold: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt?: string;
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
