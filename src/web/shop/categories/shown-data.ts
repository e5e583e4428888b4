/** Categories and collections, which are kept alike. */
import type { CategoryView } from "../ui/category-list.ts";

export const kinds = ["categories", "collections"] as const;
export type ShownKind = (typeof kinds)[number];

export const ruleSorts = ["featured", "newest", "price", "-price", "sold", "views", "title"] as const;

/** Which products a collection has by itself. */
export interface RuleView {
  readonly categoryId?: string;
  readonly tag?: string;
  readonly minPrice?: number;
  readonly maxPrice?: number;
  readonly inStock: boolean;
  readonly sort: (typeof ruleSorts)[number];
  readonly limit: number;
}

/** A collection as GET /api/admin/collections has it. */
export interface CollectionView extends Omit<CategoryView, "parentId"> {
  /** Absent: its products are picked by hand. */
  readonly rule?: RuleView;
  /** Those that were picked, in their order; of one collection alone. */
  readonly productIds?: readonly string[];
}

export type ShownView = CategoryView | CollectionView;

/** Where all of a kind are. */
export function toShownPath(kind: ShownKind, id?: string): string {
  return id === undefined ? `/api/admin/${kind}` : `/api/admin/${kind}/${encodeURIComponent(id)}`;
}

/** The page of one of them. */
export function toPageAddress(kind: ShownKind, id?: string): string {
  const query = kind === "categories" ? "" : "?kind=collections";
  return `/admin/categories${id === undefined ? "" : `/${id}`}${query}`;
}
