/** The orders in which the catalogue can be read, each kept up to date, so that no request sorts all products. */
import sortedBtree from "sorted-btree";
import { collectionSorts } from "../categories/schema.ts";
import type { CatalogueItem } from "./item.ts";

// A CommonJS module: both runtimes have the class as the default of its default.
const BTree = sortedBtree.default;

/** Names of the orders. */
export const catalogueSorts = collectionSorts;
export type CatalogueSort = (typeof catalogueSorts)[number];

/** Where an item stands in an order: by its value, among equals the newest first, then by id. */
export interface SortKey {
  readonly value: number | string;
  /** Minus the time of publication. */
  readonly tie: number;
  readonly id: string;
}

const values = {
  featured: (item) => item.product.sortOrder,
  newest: (item) => -item.publishedAt,
  price: (item) => item.price,
  "-price": (item) => -item.price,
  sold: (item) => -item.sold,
  views: (item) => -item.views,
  title: (item) => item.titleKey,
} as const satisfies Record<CatalogueSort, (item: CatalogueItem) => number | string>;

/** The key of an item in an order. */
export function toSortKey(sort: CatalogueSort, item: CatalogueItem): SortKey {
  return { value: values[sort](item), tie: -item.publishedAt, id: item.product.id };
}

/** Orders keys of one order. */
export function compareKeys(a: SortKey, b: SortKey): number {
  // Both values are of one kind in one order.
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  if (a.tie !== b.tie) return a.tie - b.tie;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** One order of all items. */
export class Order {
  readonly #sort: CatalogueSort;
  readonly #places = new BTree<SortKey, number>(undefined, compareKeys);

  constructor(sort: CatalogueSort) {
    this.#sort = sort;
  }

  /** Takes an item out, or in, or moves it. */
  replace(before: CatalogueItem | undefined, after: CatalogueItem | undefined): void {
    const from = before === undefined ? undefined : toSortKey(this.#sort, before);
    const to = after === undefined ? undefined : toSortKey(this.#sort, after);
    const isSame = from !== undefined && to !== undefined && compareKeys(from, to) === 0;
    if (isSame && before?.place === after?.place) return;
    if (from !== undefined) this.#places.delete(from);
    if (to !== undefined && after !== undefined) this.#places.set(to, after.place);
  }

  /** Calls `onPlace` for each place behind `after` (from the start without it) until it returns false. */
  walk(after: SortKey | undefined, onPlace: (place: number) => boolean): void {
    for (const [key, place] of this.#places.entries(after)) {
      if (after !== undefined && compareKeys(key, after) === 0) continue;
      if (!onPlace(place)) return;
    }
  }
}
