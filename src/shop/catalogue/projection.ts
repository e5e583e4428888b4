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
import { WordIndex } from "./lookup/word-index.ts";
import { fold, toIndexWords } from "./lookup/words.ts";

/** Which items; all that is given must hold. */
export interface CatalogueFilter {
  /** Each must be the beginning of a word of the item. */
  readonly words?: readonly string[];
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
}

export interface CataloguePage {
  readonly items: readonly CatalogueItem[];
  /** How many items the filter has in all. */
  readonly total: number;
  /** Where the next page begins; undefined on the last one. */
  readonly next: SortKey | undefined;
}

/** So many items are sorted rather than looked for in the order of all. */
const SORT_AT_MOST = 100;

function wordsOf(product: ProductRecord): Set<string> {
  const translations = Object.values(product.translations);
  const texts = [product.title, product.summary, ...product.tags].concat(
    translations.flatMap(({ title, summary }) => [title ?? "", summary ?? ""]),
  );
  return toIndexWords(texts, [product.sku, ...product.variants.map(({ sku }) => sku)]);
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

/** See the module's header. */
export class Projection {
  readonly #items: (CatalogueItem | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #places = new Map<string, number>();
  readonly #slugs = new Map<string, number>();
  readonly #all = new Bits();
  readonly #inStock = new Bits();
  readonly #words = new WordIndex();
  /** Words of places below this one are in the index; those of the others are added on the next search. */
  #indexed = 0;
  readonly #tags = new LabelIndex();
  readonly #categories = new LabelIndex();
  readonly #collections = new LabelIndex();
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

  /** A page of what the filter lets through, in an order, behind a key. */
  list(
    filter: CatalogueFilter,
    { sort, limit, after }: { sort: CatalogueSort; limit: number; after?: SortKey | undefined },
  ): CataloguePage {
    const matching = this.#match(filter);
    const total = matching === undefined ? this.size : matching.count();
    if (total === 0) return { items: [], total, next: undefined };
    const items =
      matching !== undefined && total <= SORT_AT_MOST
        ? this.#sortMatching(matching, { sort, after })
        : this.#walk(matching, { sort, after: laterKey(after, firstKey(sort, filter)), limit: limit + 1 });
    const page = items.slice(0, limit);
    const last = page.at(-1);
    return {
      items: page,
      total,
      next: items.length > limit && last !== undefined ? toSortKey(sort, last) : undefined,
    };
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

  #sortMatching(
    matching: Bits,
    { sort, after }: { sort: CatalogueSort; after: SortKey | undefined },
  ): CatalogueItem[] {
    return matching
      .toArray()
      .flatMap((place) => {
        const item = this.#items[place];
        return item === undefined ? [] : { item, key: toSortKey(sort, item) };
      })
      .filter(({ key }) => after === undefined || compareKeys(key, after) > 0)
      .sort((a, b) => compareKeys(a.key, b.key))
      .map(({ item }) => item);
  }

  /** Places of what the filter lets through; undefined for all. */
  #match(filter: CatalogueFilter): Bits | undefined {
    let result: Bits | undefined;
    const size = this.#items.length;
    const narrow = (collect: (bits: Bits) => void): void => {
      const bits = new Bits(size);
      collect(bits);
      if (result === undefined) result = bits;
      else result.intersect(bits);
    };
    const { words = [], categoryIds, collectionId, tag } = filter;
    const { minPrice = 0, maxPrice = Number.POSITIVE_INFINITY } = filter;
    if (words.length > 0) {
      this.indexWords(size);
      result = this.#words.find(words, size);
    }
    if (categoryIds !== undefined)
      narrow((bits) => {
        for (const id of categoryIds) this.#categories.collect(id, bits);
      });
    if (collectionId !== undefined) narrow((bits) => this.#collections.collect(collectionId, bits));
    if (tag !== undefined) narrow((bits) => this.#tags.collect(fold(tag), bits));
    if (filter.isInStock === true) {
      if (result === undefined) result = this.#inStock.copy();
      else result.intersect(this.#inStock);
    }
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
