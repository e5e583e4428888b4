/** What visitors of a catalogue ask for, each time something else: as a cache would have it worst. */
import type { CatalogueSearch } from "../../../src/shop/catalogue/search.ts";
import { pickWord } from "./catalogue-seed.ts";

/** Kinds of queries, by name; each makes the part of an address after "?". */
export function createQueries(random: () => number, count: number): Readonly<Record<string, () => string>> {
  return {
    "first page": () => "",
    "first page by price": () => "sort=price",
    "in stock": () => "inStock=true&sort=sold",
    category: () => `category=category-${Math.floor(random() * 50)}`,
    "price range": () => `minPrice=${Math.floor(random() * 20_000)}&maxPrice=30000&sort=-price`,
    "one word": () => `q=${pickWord(random)}`,
    "two words": () => `q=${pickWord(random)}+${pickWord(random)}`,
    "three letters": () => `q=${pickWord(random).slice(0, 3)}&sort=title`,
    "one letter": () => `q=${pickWord(random).slice(0, 1)}&sort=views`,
    sku: () => `q=SKU-${Math.floor(random() * count)}-M`,
    "words, price, stock": () => `q=${pickWord(random).slice(0, 4)}&maxPrice=25000&inStock=true&sort=price`,
  };
}

/** One of all kinds. */
export function pickQuery(queries: Readonly<Record<string, () => string>>, random: () => number): string {
  const kinds = Object.values(queries);
  return kinds[Math.floor(random() * kinds.length)]?.() ?? "";
}

/** The same query as the search in memory wants it. */
export function toSearch(query: string): CatalogueSearch {
  const { inStock, minPrice, maxPrice, sort, ...rest } = Object.fromEntries(new URLSearchParams(query));
  return {
    limit: 20,
    ...rest,
    isInStock: inStock === "true",
    sort: sort as CatalogueSearch["sort"], // written above; by relevance without one
    ...(minPrice === undefined ? {} : { minPrice: Number(minPrice) }),
    ...(maxPrice === undefined ? {} : { maxPrice: Number(maxPrice) }),
  };
}
