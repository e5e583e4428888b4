/** A search as people ask it, on the catalogue. */
import { parseCursor, toCursor } from "../../store/cursor.ts";
import { StoreError } from "../../store/store.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CatalogueItem } from "./item.ts";
import type { Match } from "./lookup/match.ts";
import type { OptionGroup } from "./lookup/option-index.ts";
import { fold, toOneWord, toQueryWords } from "./lookup/words.ts";
import { type SortKey, catalogueSorts } from "./sort-orders.ts";

/** The orders of a search: "relevance" has better matches first, and equal ones in the shop's order. */
export const searchSorts = ["relevance", ...catalogueSorts] as const;
export type SearchSort = (typeof searchSorts)[number];

/** A search; absent members match everything. */
export interface CatalogueSearch {
  readonly q?: string | undefined;
  readonly category?: string | undefined;
  readonly tag?: string | undefined;
  readonly minPrice?: number | undefined;
  readonly maxPrice?: number | undefined;
  readonly isInStock: boolean;
  /** Keys of chosen values of options; given, the answer has what could be chosen. */
  readonly options?: readonly string[] | undefined;
  /** Default: by relevance with search terms, else as featured. */
  readonly sort?: SearchSort | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface SearchResult {
  readonly items: readonly CatalogueItem[];
  readonly total: number;
  readonly nextCursor?: string;
  readonly options: readonly OptionGroup[];
  /** How well the products match the search terms, whatever the filters. */
  readonly match: Match["kind"];
  /** The search with its likely typing errors corrected; undefined when nothing was. */
  readonly corrected?: string | undefined;
}

function parseKey(sort: SearchSort, cursor: string): SortKey {
  const isRanked = sort === "relevance";
  const key = parseCursor(cursor, { index: sort, length: isRanked ? 4 : 3 });
  const [value, tie, id, tier] = key;
  const isRight =
    typeof value === (sort === "title" ? "string" : "number") &&
    typeof tie === "number" &&
    typeof id === "string" &&
    (isRanked ? typeof tier === "number" : tier === undefined);
  if (!isRight || typeof value === "boolean" || value === undefined)
    throw new StoreError("bad_cursor", "The cursor is malformed or belongs to another list");
  return { value, tie, id, tier: typeof tier === "number" ? tier : undefined };
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** A folded word as one of these products writes it, since "turmatte" is no German word. */
function findSpelling(word: string, items: readonly CatalogueItem[]): string {
  for (const { product } of items) {
    const { title, translations } = product;
    const titles = [title, ...Object.values(translations).map((words) => words.title ?? "")];
    for (const each of titles.flatMap((text) => text.match(WORD) ?? []))
      if (fold(each) === word || toOneWord(each) === word) return each;
  }
  return word;
}

function toCorrected(q: string, { corrections }: Match, items: readonly CatalogueItem[]): string | undefined {
  if (corrections.size === 0) return undefined;
  return q.trim().replaceAll(WORD, (typed) => {
    const correction = corrections.get(fold(typed));
    return correction === undefined ? typed : findSpelling(correction, items);
  });
}

type Searched = Pick<Catalogue, "list" | "tree" | "search">;

/** Finds a page of products. @throws StoreError `bad_cursor` when the cursor is malformed or of another order */
export function search(catalogue: Searched, catalogueSearch: CatalogueSearch): SearchResult {
  const {
    q = "",
    category,
    tag,
    minPrice,
    maxPrice,
    isInStock,
    sort: asked,
    limit,
    cursor,
  } = catalogueSearch;
  const words = toQueryWords(q);
  const sort = asked ?? (words.length > 0 ? "relevance" : "featured");
  const after = cursor === undefined ? undefined : parseKey(sort, cursor);
  if (words.length === 0 && q.trim() !== "") return { items: [], total: 0, options: [], match: "exact" };
  const isRanked = sort === "relevance";
  const match = words.length === 0 ? undefined : catalogue.search(words, isRanked ? toOneWord(q) : undefined);
  const { items, total, next, options } = catalogue.list(
    {
      places: match?.places,
      isInStock,
      categoryIds: category === undefined ? undefined : catalogue.tree().withDescendants(category),
      tag,
      minPrice,
      maxPrice,
      options: catalogueSearch.options,
    },
    { sort: isRanked ? "featured" : sort, limit, after, tiers: isRanked ? match?.tiers : undefined },
  );
  const result = {
    items,
    total,
    options,
    match: match?.kind ?? "exact",
    corrected: match === undefined ? undefined : toCorrected(q, match, items),
  };
  if (next === undefined) return result;
  const key = [next.value, next.tie, next.id, ...(isRanked ? [next.tier ?? 0] : [])];
  return { ...result, nextCursor: toCursor(sort, key) };
}
