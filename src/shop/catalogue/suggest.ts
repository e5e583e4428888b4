/** What a person may look for while they type. */
import { AppError } from "../../kit/errors.ts";
import { addressKey, createRateLimit } from "../../kit/limits/rate-limit.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { CategoryRecord } from "../categories/schema.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CategoryTree } from "./category-tree.ts";
import { toIndexWords, toQueryWords } from "./lookup/words.ts";
import { type SearchResult, search } from "./search.ts";

/** Each pause while typing is a request; a whole office may share an address. */
const PER_MINUTE = 300;
const MAX_CATEGORIES = 4;

export interface Suggestions extends Omit<SearchResult, "options"> {
  readonly categories: readonly CategoryRecord[];
}

const wordsOfTrees = new WeakMap<CategoryTree, Map<CategoryRecord, readonly string[]>>();

function listWords(tree: CategoryTree): Map<CategoryRecord, readonly string[]> {
  const known = wordsOfTrees.get(tree);
  if (known !== undefined) return known;
  const made = new Map(
    tree.visible.map((category) => {
      const others = Object.values(category.translations).flatMap(({ title }) => title ?? []);
      const { title } = toIndexWords({ titles: [category.title, ...others], codes: [], texts: [] });
      return [category, [...title]] as const;
    }),
  );
  wordsOfTrees.set(tree, made);
  return made;
}

/** Categories that have all search terms in their titles, in the shop's order. */
export function findCategories(tree: CategoryTree, q: string): CategoryRecord[] {
  const asked = toQueryWords(q);
  if (asked.length === 0) return [];
  const found: CategoryRecord[] = [];
  for (const [category, words] of listWords(tree)) {
    if (asked.every(({ text }) => words.some((word) => word.startsWith(text)))) found.push(category);
    if (found.length === MAX_CATEGORIES) break;
  }
  return found;
}

export type Suggest = ReturnType<typeof createSuggest>;

/** Creates the suggestions; an address may ask so many times a minute, over pages and API together. */
export function createSuggest({
  catalogue,
  clock,
}: {
  readonly catalogue: Pick<Catalogue, "list" | "tree" | "search">;
  readonly clock: Clock;
}) {
  const limit = createRateLimit({ limit: PER_MINUTE, windowMs: 60_000, clock });
  /** @throws AppError `rate_limited` */
  return (q: string, { address, count }: { address: string; count: number }): Suggestions => {
    const { allowed, retryAfterSeconds } = limit.hit(addressKey(address));
    if (!allowed)
      throw new AppError("rate_limited", "Too many search suggestions in a minute", { retryAfterSeconds });
    const result =
      q.trim() === ""
        ? { items: [], total: 0, match: "exact" as const }
        : search(catalogue, { q, isInStock: false, limit: count });
    return { ...result, categories: findCategories(catalogue.tree(), q) };
  };
}
