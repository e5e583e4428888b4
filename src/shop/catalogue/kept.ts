/** The projection together with the records that it is made of. */
import { listEvery, pagesOf } from "../../store/every-page.ts";
import type { RecordChange } from "../../store/observed-store.ts";
import type { Collection, ReadTx, Store, StoreRecord } from "../../store/store.ts";
import { type CategoryRecord, type CollectionRecord, compareShown } from "../categories/schema.ts";
import { stockIdsOf, type ProductRecord, type StockRecord } from "../products/schema.ts";
import type { PriceRecord } from "../prices/schema.ts";
import { prices } from "../prices/records.ts";
import { categories, collections } from "../categories/records.ts";
import { products, stock, views } from "../products/records.ts";
import { ratings } from "../reviews/records.ts";
import type { RatingRecord } from "../reviews/schema.ts";
import { settings } from "../site/records.ts";
import { readSettings } from "../site/settings.ts";
import { type SiteSettings, siteSettingsSchema } from "../site/schema.ts";
import { CategoryTree } from "./category-tree.ts";
import { toItem } from "./item.ts";
import { KeptRecords } from "./records-kept.ts";
import { Projection } from "./projection.ts";

const PAGE = 1_000;
/** Products whose words come into the index of searches at once. */
const INDEX_AT_ONCE = 200;

/** All records of a collection, page by page, so that none is held twice. */
async function readAll<T extends StoreRecord>(
  tx: ReadTx,
  collection: Collection<T>,
  onRecord: (record: T) => void,
): Promise<void> {
  for await (const page of pagesOf(tx, collection, { index: "id", pageSize: PAGE }))
    for (const record of page) onRecord(record);
}

/** Everything about one product, as one view has it. */
export interface ProductState {
  readonly id: string;
  readonly product: ProductRecord | undefined;
  readonly stock: readonly StockRecord[];
  readonly prices: readonly PriceRecord[];
  readonly views: { readonly id: string; readonly version: number; readonly views: number } | undefined;
  readonly rating: RatingRecord | undefined;
}

/** Reads everything about one product. */
export async function readProduct(tx: ReadTx, id: string): Promise<ProductState> {
  const { items } = await tx.list(stock, "byProduct", { prefix: [id], limit: PAGE });
  const paid = await tx.list(prices, "byProduct", { prefix: [id], limit: PAGE });
  const [product, seen] = [await tx.get(products, id), await tx.get(views, id)];
  const rating = await tx.get(ratings, id);
  return { id, product, stock: items, prices: paid.items, views: seen, rating };
}

/** Categories and collections. */
export interface ShownState {
  readonly categories: readonly CategoryRecord[];
  readonly collections: readonly CollectionRecord[];
}

/** Reads all categories and collections. */
export async function readShown(tx: ReadTx): Promise<ShownState> {
  return {
    categories: await listEvery(tx, categories, { index: "id" }),
    collections: await listEvery(tx, collections, { index: "id" }),
  };
}

/** The projection with the records that it is made of. */
export class Kept {
  readonly projection = new Projection();
  readonly products = new KeptRecords(products, () => 0);
  readonly stock = new KeptRecords(stock, ({ sold }) => sold);
  readonly prices = new KeptRecords(prices, () => 0);
  readonly views = new KeptRecords(views, (record) => record.views);
  readonly ratings = new KeptRecords(ratings, () => 0);
  tree = new CategoryTree([]);
  /** In the order in which they are shown. */
  collections: readonly CollectionRecord[] = [];
  site: SiteSettings = siteSettingsSchema.parse({});
  /** Another one each time that anything changed which pages show; how often products were looked at is not that. */
  revision = 0;
  #siteVersion = -1;
  /** Products that are or were bundles, by their parts. */
  readonly #bundles = new Map<string, Set<string>>();

  /** Sets the settings; unchanged ones keep their identity, by which cached texts are known. */
  setSite({ fields, version }: { readonly fields: SiteSettings; readonly version: number }): void {
    if (version <= this.#siteVersion) return;
    this.site = fields;
    this.#siteVersion = version;
    this.revision += 1;
  }

  /** Sets all categories and collections. */
  setShown({ categories: all, collections: rest }: ShownState): void {
    this.tree = new CategoryTree(all);
    this.collections = rest.toSorted(compareShown);
    this.revision += 1;
  }

  /** Each thing that is sold with its units. */
  *listStock(): Generator<{ product: ProductRecord; record: StockRecord }, void> {
    for (const product of this.products.all())
      for (const id of stockIdsOf(product)) {
        const record = this.stock.get(id);
        if (record !== undefined) yield { product, record };
      }
  }

  *listProducts(): Generator<{ product: ProductRecord; stock: StockRecord[] }, void> {
    for (const product of this.products.all())
      yield { product, stock: stockIdsOf(product).flatMap((id) => this.stock.get(id) ?? []) };
  }

  /** The products that were picked for a collection, the newest first; also those that are not published. */
  listPicked(collectionId: string): string[] {
    const ids: string[] = [];
    for (const { id, collectionIds } of this.products.all())
      if (collectionIds?.includes(collectionId) === true) ids.push(id);
    return ids.sort().reverse();
  }

  /** The product that a change is about. */
  productOf({ collection, id, record }: RecordChange): string | undefined {
    if ([products.name, views.name, ratings.name].includes(collection)) return id;
    if (collection !== stock.name && collection !== prices.name) return undefined;
    // Its collection's name says what the record is.
    const left = record as StockRecord | PriceRecord | undefined;
    const kept = collection === stock.name ? this.stock : this.prices;
    return left?.productId ?? kept.get(id)?.productId;
  }

  /** Rebuilds the item of a product, and those of the bundles that it is part of. */
  rebuild(id: string): void {
    this.#rebuildOne(id);
    for (const bundleId of this.#bundles.get(id) ?? []) this.#rebuildOne(bundleId);
  }

  #rebuildOne(id: string): void {
    const product = this.products.get(id);
    for (const { productId } of product?.parts ?? [])
      this.#bundles.set(productId, (this.#bundles.get(productId) ?? new Set()).add(id));
    if (product?.status !== "published") {
      this.projection.remove(id);
      return;
    }
    this.projection.put(
      toItem({
        place: this.projection.placeFor(id),
        product,
        stockOf: (stockId) => this.stock.get(stockId),
        productOf: (productId) => this.products.get(productId),
        pricesOf: (stockId) => this.prices.get(stockId),
        views: this.views.get(id)?.views ?? 0,
        rating: this.ratings.get(id),
      }),
    );
  }

  apply(changes: readonly RecordChange[]): void {
    const touched = new Set<string>();
    for (const change of changes) {
      const productId = this.productOf(change);
      this.products.apply(change);
      this.stock.apply(change);
      this.prices.apply(change);
      this.views.apply(change);
      this.ratings.apply(change);
      if (productId !== undefined) touched.add(productId);
    }
    for (const id of touched) this.rebuild(id);
    if (changes.some(({ collection }) => collection !== views.name && collection !== settings.name))
      this.revision += 1;
  }

  /** Builds the search index. */
  async prepare(): Promise<void> {
    // Requests get their turn.
    while (this.projection.indexWords(INDEX_AT_ONCE)) await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /** Replaces a product by its state in a view of the store. */
  replace(state: ProductState): void {
    const before = this.products.get(state.id);
    const stockIds = new Set(state.stock.map(({ id }) => id));
    for (const id of before === undefined ? [] : stockIdsOf(before))
      if (!stockIds.has(id)) this.stock.set(id, undefined);
    const priceIds = new Set(state.prices.map(({ id }) => id));
    for (const id of before === undefined ? [] : stockIdsOf(before))
      if (!priceIds.has(id)) this.prices.set(id, undefined);
    for (const record of state.prices) this.prices.set(record.id, record);
    for (const record of state.stock) this.stock.set(record.id, record);
    this.products.set(state.id, state.product);
    this.views.set(state.id, state.views);
    this.ratings.set(state.id, state.rating);
    this.rebuild(state.id);
    this.revision += 1;
  }
}

/** Reads everything there is; `revision` gives that of what it takes the place of. */
export async function readKept(store: Store, revision: () => number): Promise<Kept> {
  const kept = await store.read(async (tx) => {
    const all = new Kept();
    all.setSite(await readSettings(tx, "site"));
    all.setShown(await readShown(tx));
    await readAll(tx, stock, (record) => all.stock.set(record.id, record));
    await readAll(tx, prices, (record) => all.prices.set(record.id, record));
    await readAll(tx, views, (record) => all.views.set(record.id, record));
    await readAll(tx, ratings, (record) => all.ratings.set(record.id, record));
    await readAll(tx, products, (record) => all.products.set(record.id, record));
    return all;
  });
  for (const { id } of kept.products.all()) kept.rebuild(id);
  kept.revision += revision();
  return kept;
}
