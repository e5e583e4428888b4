/**
 * All published products in memory, with what finds and orders them. It asks no store and knows no language of an
 * answer.
 */
import type { ProductRecord } from "../products/schema.ts";
import { Bits } from "./lookup/bits.ts";
import type { CatalogueItem } from "./item.ts";
import {
  type CatalogueSort,
  type SortKey,
  catalogueSorts,
  compareKeys,
  Order,
  toSortKey,
} from "./sort-orders.ts";
import { LabelIndex } from "./lookup/label-index.ts";
import { type OptionGroup, type OptionScan, OptionIndex } from "./lookup/option-index.ts";
import { WordIndex } from "./lookup/word-index.ts";
import { type Match, findMatch } from "./lookup/match.ts";
import { type IndexWords, type QueryWord, fold, toIndexWords } from "./lookup/words.ts";

/** Which items; all that is given must hold. */
export interface CatalogueFilter {
  /** What a search matches; see {@link Projection.search}. */
  readonly places?: Bits;
  /** One of these. */
  readonly categoryIds?: readonly string[];
  /** Picked for this collection. */
  readonly collectionId?: string;
  readonly tag?: string;
  /** Minor units, inclusive. */
  readonly minPrice?: number;
  readonly maxPrice?: number;
  /** Only what can be ordered. */
  readonly isInStock?: boolean;
  /** Keys of chosen values of options; given, the answer says what could be chosen too. */
  readonly options?: readonly string[];
}

export interface CataloguePage {
  readonly items: readonly CatalogueItem[];
  /** How many items the filter has in all. */
  readonly total: number;
  /** Where the next page begins; undefined on the last one. */
  readonly next: SortKey | undefined;
  /** Empty unless the filter has options, and in long lists. */
  readonly options: readonly OptionGroup[];
}

/** How a page is ordered: in tiers, the best one first, and each in a sort order. */
export interface ListOrder {
  readonly sort: CatalogueSort;
  readonly limit: number;
  readonly after?: SortKey | undefined;
  readonly tiers?: readonly Bits[];
}

/** An item and the number of its tier. */
interface Placed {
  readonly item: CatalogueItem;
  readonly tier: number;
}

/** Longer lists offer no options: their products would have to be looked at one by one. */
const OPTIONS_OF_AT_MOST = 5_000;
/** So many items are sorted rather than looked for in the order of all. */
const SORT_AT_MOST = 100;

function wordsOf({ title, summary, tags, sku, variants, translations }: ProductRecord): IndexWords {
  const others = Object.values(translations);
  return toIndexWords({
    titles: [title, ...others.flatMap((words) => words.title ?? [])],
    codes: [sku, ...variants.map((variant) => variant.sku)],
    texts: [
      summary,
      ...tags,
      ...variants.flatMap(({ options }) => Object.values(options)),
      ...others.flatMap((words) => words.summary ?? []),
    ],
  });
}

/** Where an order by price can begin for bounds of the price; nothing before it can match. */
function firstKey(sort: CatalogueSort, { minPrice, maxPrice }: CatalogueFilter): SortKey | undefined {
  const before = { tie: Number.NEGATIVE_INFINITY, id: "" };
  if (sort === "price" && minPrice !== undefined) return { value: minPrice, ...before };
  if (sort === "-price" && maxPrice !== undefined) return { value: -maxPrice, ...before };
  return undefined;
}

function laterKey(a: SortKey | undefined, b: SortKey | undefined): SortKey | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compareKeys(a, b) < 0 ? b : a;
}

/** What matches, split into tiers: each place is in the first one that has it. */
function* splitTiers(matching: Bits | undefined, tiers: readonly Bits[]): Generator<Bits | undefined, void> {
  if (matching === undefined || tiers.length === 0) {
    yield matching;
    return;
  }
  let rest = matching;
  for (const tier of tiers) {
    const some = tier.copy();
    some.intersect(rest);
    yield some;
    rest = rest.copy();
    rest.subtract(some);
  }
  yield rest;
}

/** See the module's header. */
export class Projection {
  readonly #items: (CatalogueItem | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #places = new Map<string, number>();
  readonly #slugs = new Map<string, number>();
  readonly #all = new Bits();
  readonly #inStock = new Bits();
  /** Products of which each variant can be ordered. */
  readonly #allInStock = new Bits();
  readonly #words = new WordIndex();
  /** Words of places below this one are in the index; those of the others are added on the next search. */
  #indexed = 0;
  readonly #tags = new LabelIndex();
  readonly #categories = new LabelIndex();
  readonly #collections = new LabelIndex();
  readonly #options = new OptionIndex();
  #inCategories: object = {};
  /** By place, beside the items: price filters look at many. */
  #prices = new Float64Array(1_024);
  readonly #orders = catalogueSorts.map((sort) => new Order(sort, this.#items));

  get size(): number {
    return this.#places.size;
  }

  countInStock(): number {
    return this.#inStock.count();
  }

  /** Another one each time that a category gained or lost a product. */
  get inCategories(): object {
    return this.#inCategories;
  }

  /** How many products are in one of these categories. */
  countIn(categoryIds: readonly string[]): number {
    return categoryIds.reduce((sum, id) => sum + this.#categories.count(id), 0);
  }

  find(id: string): CatalogueItem | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#items[place];
  }

  findBySlug(slug: string): CatalogueItem | undefined {
    const place = this.#slugs.get(slug);
    return place === undefined ? undefined : this.#items[place];
  }

  /** The place of a product, or one that is free. */
  placeFor(id: string): number {
    return this.#places.get(id) ?? this.#free.at(-1) ?? this.#items.length;
  }

  /** Adds or replaces an item; its place is that of {@link placeFor}. */
  put(item: CatalogueItem): void {
    const { place, product } = item;
    const before = this.find(product.id);
    if (before === undefined) {
      if (this.#free.at(-1) === place) this.#free.pop();
      this.#places.set(product.id, place);
      this.#all.add(place);
    }
    for (const order of this.#orders) order.replace(before, item);
    this.#items[place] = item;
    this.#setPrice(place, item.price);
    if (before?.product !== product) this.#replaceProduct(place, before?.product, product);
    if (item.isInStock) this.#inStock.add(place);
    else this.#inStock.remove(place);
    if (item.available.every((units) => units >= product.minQuantity)) this.#allInStock.add(place);
    else this.#allInStock.remove(place);
  }

  remove(id: string): void {
    const item = this.find(id);
    if (item === undefined) return;
    const { place } = item;
    this.#replaceProduct(place, item.product, undefined);
    for (const order of this.#orders) order.replace(item, undefined);
    this.#places.delete(id);
    this.#all.remove(place);
    this.#inStock.remove(place);
    this.#allInStock.remove(place);
    this.#items[place] = undefined;
    this.#free.push(place);
  }

  #setPrice(place: number, price: number): void {
    if (place >= this.#prices.length) {
      const larger = new Float64Array(this.#prices.length * 2);
      larger.set(this.#prices);
      this.#prices = larger;
    }
    this.#prices[place] = price;
  }

  #replaceProduct(place: number, before: ProductRecord | undefined, after: ProductRecord | undefined): void {
    if (before?.categoryId !== after?.categoryId) this.#inCategories = {};
    this.#options.forget(place);
    if (before !== undefined) {
      // Another product may have taken the slug already.
      if (this.#slugs.get(before.slug) === place) this.#slugs.delete(before.slug);
      if (before.categoryId !== undefined) this.#categories.remove(before.categoryId, place);
      for (const id of before.collectionIds ?? []) this.#collections.remove(id, place);
      for (const tag of new Set(before.tags.map(fold))) this.#tags.remove(tag, place);
    }
    if (after !== undefined) {
      this.#slugs.set(after.slug, place);
      if (after.categoryId !== undefined) this.#categories.add(after.categoryId, place);
      for (const id of after.collectionIds ?? []) this.#collections.add(id, place);
      for (const tag of new Set(after.tags.map(fold))) this.#tags.add(tag, place);
    }
    if (place < this.#indexed) this.#words.set(place, after === undefined ? undefined : wordsOf(after));
  }

  /** Puts the words of so many more products into the index; false when all are in it. */
  indexWords(count: number): boolean {
    const end = Math.min(this.#items.length, this.#indexed + count);
    for (; this.#indexed < end; this.#indexed += 1) {
      const product = this.#items[this.#indexed]?.product;
      if (product !== undefined) this.#words.set(this.#indexed, wordsOf(product));
    }
    return end < this.#items.length;
  }

  /** What a search for these words matches; `oneWord`: see {@link findMatch}. */
  search(words: readonly QueryWord[], oneWord: string | undefined): Match {
    const size = this.#items.length;
    this.indexWords(size);
    return findMatch(this.#words, words, { size, oneWord });
  }

  /** A page of what the filter lets through, in an order, behind a key. */
  list(filter: CatalogueFilter, { sort, limit, after, tiers = [] }: ListOrder): CataloguePage {
    const all = this.#match(filter);
    const scan = this.#scanOptions(all, filter);
    const options = scan?.groups ?? [];
    const matching = scan?.matching ?? all;
    const total = matching === undefined ? this.size : matching.count();
    if (total === 0) return { items: [], total, next: undefined, options };
    const found =
      matching !== undefined && total <= (tiers.length > 0 ? limit : SORT_AT_MOST)
        ? this.#sortFew(matching, { sort, after, tiers }).slice(0, limit + 1)
        : this.#listTiers(matching, { sort, limit, tiers, after, first: firstKey(sort, filter) });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next =
      found.length > limit && last !== undefined
        ? { ...toSortKey(sort, last.item), tier: last.tier }
        : undefined;
    return { items: page.map(({ item }) => item), total, next, options };
  }

  /** One item more than the limit, tier after tier. */
  #listTiers(
    matching: Bits | undefined,
    {
      sort,
      limit,
      tiers = [],
      after,
      first,
    }: ListOrder & { /** Nothing comes before it. */ readonly first: SortKey | undefined },
  ): Placed[] {
    const found: Placed[] = [];
    const from = after?.tier ?? 0;
    let tier = 0;
    for (const some of splitTiers(matching, tiers)) {
      if (tier >= from) {
        const behind = tier === from ? after : undefined;
        const range = { sort, limit: limit + 1 - found.length, after: laterKey(behind, first) };
        for (const item of this.#listOne(some, { ...range, isRanked: tiers.length > 0 }))
          found.push({ item, tier });
      }
      if (found.length > limit) break;
      tier += 1;
    }
    return found;
  }

  /** What has the chosen options among what the other filters let through. */
  #scanOptions(
    matching: Bits | undefined,
    { options: chosen, isInStock }: CatalogueFilter,
  ): OptionScan | undefined {
    if (chosen === undefined) return undefined;
    const isLong = (matching?.count() ?? this.size) > OPTIONS_OF_AT_MOST;
    if (isLong && chosen.length === 0) return undefined;
    const has = (place: number, index: number): boolean => {
      const item = this.#items[place];
      return item !== undefined && (item.available[index] ?? 0) >= item.product.minQuantity;
    };
    const areAll = (place: number): boolean => this.#allInStock.has(place);
    return this.#options.scan(matching ?? this.#all, {
      chosen,
      productAt: (place) => this.#items[place]?.product,
      counted: isInStock === true ? { areAll, has } : undefined,
    });
  }

  #listOne(
    matching: Bits | undefined,
    {
      sort,
      limit,
      after,
      isRanked,
    }: {
      sort: CatalogueSort;
      limit: number;
      after: SortKey | undefined;
      /** Whether the order keeps ranks, which change rarely in the shop's own order alone. */
      isRanked: boolean;
    },
  ): CatalogueItem[] {
    const count = matching?.count() ?? this.size;
    if (count === 0) return [];
    // Walking the order meets a match every size / count steps.
    if (isRanked && matching !== undefined && count * count < limit * this.size) {
      const order = this.#orders[catalogueSorts.indexOf(sort)];
      const places = order?.choose(matching.toArray(), { after, limit }) ?? [];
      return places.flatMap((place) => this.#items[place] ?? []);
    }
    return this.#walk(matching, { sort, after, limit });
  }

  #walk(
    matching: Bits | undefined,
    { sort, limit, after }: { sort: CatalogueSort; limit: number; after: SortKey | undefined },
  ): CatalogueItem[] {
    const items: CatalogueItem[] = [];
    this.#orders[catalogueSorts.indexOf(sort)]?.walk(after, (place) => {
      const item = this.#items[place];
      if (item !== undefined && (matching === undefined || matching.has(place))) items.push(item);
      return items.length < limit;
    });
    return items;
  }

  /** All behind a key, in order. */
  #sortFew(matching: Bits, { sort, after, tiers = [] }: Omit<ListOrder, "limit">): Placed[] {
    const from = after?.tier ?? 0;
    return matching
      .toArray()
      .flatMap((place) => {
        const item = this.#items[place];
        if (item === undefined) return [];
        const best = tiers.findIndex((each) => each.has(place));
        const tier = best === -1 ? tiers.length : best;
        const key = toSortKey(sort, item);
        const isBehind = after === undefined || tier > from || (tier === from && compareKeys(key, after) > 0);
        return isBehind ? [{ item, tier, key }] : [];
      })
      .sort((a, b) => a.tier - b.tier || compareKeys(a.key, b.key));
  }

  /** Places of what the filter lets through; undefined for all. Do not change what it returns. */
  #match(filter: CatalogueFilter): Bits | undefined {
    const { places, categoryIds, collectionId, tag } = filter;
    const { minPrice = 0, maxPrice = Number.POSITIVE_INFINITY } = filter;
    let result = places;
    const size = this.#items.length;
    const narrow = (by: Bits): void => {
      if (result === undefined) {
        result = by;
        return;
      }
      if (result === places || result === this.#inStock) result = result.copy();
      result.intersect(by);
    };
    const collect = (add: (bits: Bits) => void): Bits => {
      const bits = new Bits(size);
      add(bits);
      return bits;
    };
    if (categoryIds !== undefined)
      narrow(
        collect((bits) => {
          for (const id of categoryIds) this.#categories.collect(id, bits);
        }),
      );
    if (collectionId !== undefined) narrow(collect((bits) => this.#collections.collect(collectionId, bits)));
    if (tag !== undefined) narrow(collect((bits) => this.#tags.collect(fold(tag), bits)));
    if (filter.isInStock === true) narrow(this.#inStock);
    if (minPrice <= 0 && maxPrice === Number.POSITIVE_INFINITY) return result;
    return this.#withinPrices(result ?? this.#all, { minPrice, maxPrice });
  }

  #withinPrices(among: Bits, { minPrice, maxPrice }: { minPrice: number; maxPrice: number }): Bits {
    const prices = this.#prices;
    const size = this.#items.length;
    const bits = new Bits(size);
    for (let place = 0; place < size; place += 1) {
      const price = prices[place] ?? Number.NaN;
      if (price >= minPrice && price <= maxPrice && among.has(place)) bits.add(place);
    }
    return bits;
  }
}
