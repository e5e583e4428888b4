/** The categories of the shop in the order of their tree. */
import type { CategoryList, CategoryView } from "../../../shop/categories/answer-schema.ts";
import { type Polled, usePolled } from "../../ui/console/polled.ts";

/** A category with its place in the tree. */
export interface PlacedCategory {
  readonly category: CategoryView;
  /** 0 at the top. */
  readonly depth: number;
  /** "Kitchen / Mugs". */
  readonly path: string;
}

export const CATEGORIES = "/api/admin/categories";

/** Each category below its parent, in the order of the list; one with a missing parent or in a cycle is at the top. */
export function toTree(categories: readonly CategoryView[]): readonly PlacedCategory[] {
  const placed: PlacedCategory[] = [];
  const seen = new Set<string>();
  const known = new Set(categories.map(({ id }) => id));
  function put(category: CategoryView, above: PlacedCategory | undefined): void {
    if (seen.has(category.id)) return;
    seen.add(category.id);
    const depth = above === undefined ? 0 : above.depth + 1;
    const path = above === undefined ? category.title : `${above.path} / ${category.title}`;
    const mine = { category, depth, path };
    placed.push(mine);
    for (const other of categories) if (other.parentId === category.id) put(other, mine);
  }
  for (const category of categories)
    if (category.parentId === undefined || !known.has(category.parentId)) put(category, undefined);
  for (const category of categories) put(category, undefined);
  return placed;
}

/** All categories, hidden ones too. */
export function useCategories(): Polled<CategoryList> & {
  readonly tree: readonly PlacedCategory[];
} {
  const polled = usePolled<CategoryList>(CATEGORIES, 0);
  return { ...polled, tree: toTree(polled.data?.items ?? []) };
}
