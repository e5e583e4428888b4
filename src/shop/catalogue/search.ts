/** A search as people ask it, on the catalogue. */
import { parseCursor, toCursor } from "../../store/cursor.ts";
import { StoreError } from "../../store/store.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CatalogueItem } from "./item.ts";
import type { CatalogueSort, SortKey } from "./sort-orders.ts";
import { toQueryWords } from "./lookup/words.ts";

/** A search; absent members match everything. */
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
  catalogue: Pick<Catalogue, "list" | "tree">,
  { q = "", category, tag, minPrice, maxPrice, isInStock, sort, limit, cursor }: CatalogueSearch,
): SearchResult {
  const after = cursor === undefined ? undefined : parseKey(sort, cursor);
  const words = toQueryWords(q);
  if (words.length === 0 && q.trim() !== "") return { items: [], total: 0 };
  const { items, total, next } = catalogue.list(
    {
      words,
      isInStock,
      categoryIds: category === undefined ? undefined : catalogue.tree().withDescendants(category),
      tag,
      minPrice,
      maxPrice,
    },
    { sort, limit, after },
  );
  if (next === undefined) return { items, total };
  return { items, total, nextCursor: toCursor(sort, [next.value, next.tie, next.id]) };
}
