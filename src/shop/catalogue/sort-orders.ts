/**
 * The orders in which the catalogue can be read, each sorted on first use and kept up to date after that, so that no
 * other request sorts all products.
 */
import { findFirst } from "../../kit/find-first.ts";
import { collectionSorts } from "../categories/schema.ts";
import type { CatalogueItem } from "./item.ts";
import { fold } from "./lookup/words.ts";

export const catalogueSorts = collectionSorts;
export type CatalogueSort = (typeof catalogueSorts)[number];

/** Position of an item in a sort order: by its value, ties newest first, then by ID. */
export interface SortKey {
  readonly value: number | string;
  /** Minus the time of publication. */
  readonly tie: number;
  readonly id: string;
  /** Of a search by relevance: better matches come first. */
  readonly tier?: number | undefined;
}

const values = {
  featured: (item) => item.product.sortOrder,
  newest: (item) => -item.publishedAt,
  price: (item) => item.price,
  "-price": (item) => -item.price,
  sold: (item) => -item.sold,
  views: (item) => -item.views,
  title: (item) => fold(item.product.title),
} as const satisfies Record<CatalogueSort, (item: CatalogueItem) => number | string>;

/** The key of an item in an order. */
export function toSortKey(sort: CatalogueSort, item: CatalogueItem): SortKey {
  return { value: values[sort](item), tie: -item.publishedAt, id: item.product.id };
}

export function compareKeys(a: SortKey, b: SortKey): number {
  // Both values are of one kind in one order.
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  if (a.tie !== b.tie) return a.tie - b.tie;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** One order of all items: their places, which are small integers in one array. */
export class Order {
  readonly #sort: CatalogueSort;
  readonly #items: readonly (CatalogueItem | undefined)[];
  #places: number[] | undefined;
  /** By place, its index in the order; computed when asked for after a change. */
  #ranks: Int32Array | undefined;

  /** `items` are those of the projection, by place. */
  constructor(sort: CatalogueSort, items: readonly (CatalogueItem | undefined)[]) {
    this.#sort = sort;
    this.#items = items;
  }

  /** Removes, adds or moves an item; call it while `before` is still at its place. */
  replace(before: CatalogueItem | undefined, after: CatalogueItem | undefined): void {
    const places = this.#places;
    if (places === undefined) return;
    const from = before === undefined ? undefined : toSortKey(this.#sort, before);
    const to = after === undefined ? undefined : toSortKey(this.#sort, after);
    const isSame = from !== undefined && to !== undefined && compareKeys(from, to) === 0;
    if (isSame && before?.place === after?.place) return;
    this.#ranks = undefined;
    if (from !== undefined) places.splice(this.#find(places, from), 1);
    if (to !== undefined && after !== undefined) places.splice(this.#find(places, to), 0, after.place);
  }

  /** Calls `onPlace` for each place behind `after` (from the start without it) until it returns false. */
  walk(after: SortKey | undefined, onPlace: (place: number) => boolean): void {
    const places = (this.#places ??= this.#sortAll());
    let at = after === undefined ? 0 : this.#find(places, after);
    if (after !== undefined && this.#compareAt(places, at, after) === 0) at += 1;
    for (; at < places.length; at += 1) if (!onPlace(places[at] ?? 0)) return;
  }

  /** The first of some places behind `after`, `limit` at most. */
  choose(
    among: readonly number[],
    { after, limit }: { after: SortKey | undefined; limit: number },
  ): number[] {
    const places = (this.#places ??= this.#sortAll());
    const ranks = (this.#ranks ??= this.#rankAll(places));
    let from = after === undefined ? 0 : this.#find(places, after);
    if (after !== undefined && this.#compareAt(places, from, after) === 0) from += 1;
    const found = new Int32Array(among.length);
    let count = 0;
    for (const place of among) {
      const rank = ranks[place] ?? 0;
      if (rank >= from) found[count++] = rank;
    }
    return Array.from(found.subarray(0, count).sort().subarray(0, limit), (rank) => places[rank] ?? 0);
  }

  #rankAll(places: readonly number[]): Int32Array {
    const ranks = new Int32Array(this.#items.length);
    places.forEach((place, rank) => (ranks[place] = rank));
    return ranks;
  }

  #sortAll(): number[] {
    return this.#items
      .flatMap((item) => (item === undefined ? [] : { key: toSortKey(this.#sort, item), place: item.place }))
      .sort((a, b) => compareKeys(a.key, b.key))
      .map(({ place }) => place);
  }

  #compareAt(places: readonly number[], at: number, key: SortKey): number {
    const item = this.#items[places[at] ?? -1];
    return item === undefined ? 1 : compareKeys(toSortKey(this.#sort, item), key);
  }

  /** Index of the first item that does not come before the key. */
  #find(places: readonly number[], key: SortKey): number {
    return findFirst(places.length, (at) => this.#compareAt(places, at, key) < 0);
  }
}
