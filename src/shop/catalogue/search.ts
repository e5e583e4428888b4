/** A search as people ask it, on the catalogue. */
import { parseCursor, toCursor } from "../../store/cursor.ts";
import { StoreError } from "../../store/store.ts";
import type { SiteSettings } from "../site/schema.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CatalogueItem } from "./item.ts";
import type { CatalogueSort, SortKey } from "./sort-orders.ts";
import { toQueryWords } from "./words.ts";

/** What is looked for; absent members let everything through. */
export interface CatalogueSearch {
  readonly q?: string | undefined;
  readonly category?: string | undefined;
  readonly tag?: string | undefined;
  readonly minPrice?: number | undefined;
  readonly maxPrice?: number | undefined;
  readonly isInStock: boolean;
  readonly sort: CatalogueSort;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface SearchResult {
  readonly items: readonly CatalogueItem[];
  readonly total: number;
  readonly nextCursor?: string;
}

/** Settings are replaced whole, so what was worked out of one stays right for it. */
const below = new WeakMap<SiteSettings, Map<string, string[]>>();

/** A category and all that stand below it. */
function withDescendants(site: SiteSettings, id: string): string[] {
  const known = below.get(site) ?? new Map<string, string[]>();
  below.set(site, known);
  const found = known.get(id);
  if (found !== undefined) return found;
  const ids = new Set([id]);
  // A set's walk also meets what is added on the way; what is in it already (a circle) is not added again.
  for (const parent of ids)
    for (const category of site.categories) if (category.parentId === parent) ids.add(category.id);
  // Only categories of the settings are kept: there is no end of names that are none.
  if (site.categories.some((category) => category.id === id)) known.set(id, [...ids]);
  return [...ids];
}

function parseKey(sort: CatalogueSort, cursor: string): SortKey {
  const [value, tie, id] = parseCursor(cursor, { index: sort, length: 3 });
  const isRight =
    typeof value === (sort === "title" ? "string" : "number") &&
    typeof tie === "number" &&
    typeof id === "string";
  if (!isRight || typeof value === "boolean" || value === undefined)
    throw new StoreError("bad_cursor", "The cursor is malformed or belongs to another list");
  return { value, tie, id };
}

/** Finds a page of products. @throws StoreError `bad_cursor` when the cursor is malformed or of another order */
export function search(
  catalogue: Pick<Catalogue, "list" | "site">,
  { q = "", category, tag, minPrice, maxPrice, isInStock, sort, limit, cursor }: CatalogueSearch,
): SearchResult {
  const after = cursor === undefined ? undefined : parseKey(sort, cursor);
  const words = toQueryWords(q);
  if (words.length === 0 && q.trim() !== "") return { items: [], total: 0 };
  const { items, total, next } = catalogue.list(
    {
      words,
      isInStock,
      categoryIds: category === undefined ? undefined : withDescendants(catalogue.site(), category),
      tag,
      minPrice,
      maxPrice,
    },
    { sort, limit, after },
  );
  if (next === undefined) return { items, total };
  return { items, total, nextCursor: toCursor(sort, [next.value, next.tie, next.id]) };
}
