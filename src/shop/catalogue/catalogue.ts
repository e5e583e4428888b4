/** The public catalogue in memory, the same for every store. */
import type { Clock } from "../../kit/time/clock.ts";
import { coalesce } from "../../kit/limits/coalesce.ts";
import type { Log } from "../../kit/observe/log.ts";
import { type RecordChange, observeStore } from "../../store/observed-store.ts";
import type { Store } from "../../store/store.ts";
import type { ChangeSignals } from "../nodes/change-signals.ts";
import { prices } from "../prices/records.ts";
import { categories, collections } from "../categories/records.ts";
import { products, stock, views } from "../products/records.ts";
import { ratings } from "../reviews/records.ts";
import { settings } from "../site/records.ts";
import { readSettings } from "../site/settings.ts";
import type { SiteSettings } from "../site/schema.ts";
import { createChangeLog } from "./change-log.ts";
import type { CategoryTree } from "./category-tree.ts";
import type { CollectionRecord } from "../categories/schema.ts";
import type { ProductRecord } from "../products/schema.ts";
import type { CatalogueItem } from "./item.ts";
import type { Match } from "./lookup/match.ts";
import { type ProductState, Kept, readKept, readProduct, readShown } from "./kept.ts";
import type { CataloguePage, Projection } from "./projection.ts";

/** Products whose records are read in one view. */
const REFRESH_AT_ONCE = 200;
/** Times that a product is read again at once, because this process changed it meanwhile. */
const MAX_READS = 3;

/** Represents all categories and collections in notes and signals between processes. */
const SHOWN = "categories";

function isOfShown({ collection }: RecordChange): boolean {
  return collection === categories.name || collection === collections.name;
}

/** What other processes have to reload. */
function toNoted(productIds: readonly string[], changes: readonly RecordChange[]): readonly string[] {
  return changes.some(isOfShown) ? [...productIds, SHOWN] : productIds;
}

export interface CatalogueDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Other processes commit to the same database: note changes for them, and read theirs. */
  readonly isShared: boolean;
  /** Signals between processes; without them the log is only polled. */
  readonly signals?: Pick<ChangeSignals, "send" | "listen"> | undefined;
}

function readStates(store: Store, ids: readonly string[]): Promise<ProductState[]> {
  return store.read(async (tx) => {
    const all: ProductState[] = [];
    for (const id of ids) all.push(await readProduct(tx, id));
    return all;
  });
}

/** Reloads products, one run after the other. */
function createRefresher(store: Store, replace: (state: ProductState) => void) {
  const wanted = new Set<string>();
  /** Changed by this process since the last read began. */
  const own = new Set<string>();
  let isReading = false;

  async function readOnce(ids: readonly string[], reads: number): Promise<void> {
    own.clear();
    const states = await readStates(store, ids);
    const isOld = ({ id }: ProductState): boolean => own.has(id) && reads < MAX_READS;
    for (const state of states) if (!isOld(state)) replace(state);
    const again = states.filter(isOld).map(({ id }) => id);
    if (again.length > 0) await readOnce(again, reads + 1);
  }

  const run = coalesce(async () => {
    const ids = [...wanted];
    wanted.clear();
    isReading = true;
    try {
      for (let i = 0; i < ids.length; i += REFRESH_AT_ONCE)
        await readOnce(ids.slice(i, i + REFRESH_AT_ONCE), 1);
    } finally {
      isReading = false;
      own.clear();
    }
  });

  return {
    changed: async (productIds: readonly string[]): Promise<void> => {
      if (productIds.length === 0) return;
      for (const id of productIds) wanted.add(id);
      await run();
    },
    /** This process committed changes of these and took them over: what is being read of them may be older. */
    applied: (productIds: readonly string[]): void => {
      if (isReading) for (const id of productIds) own.add(id);
    },
  };
}

/** Reads of settings, categories and collections. */
function toShownReads(kept: () => Kept) {
  return {
    /** The site's settings as they were last seen. */
    site: (): SiteSettings => kept().site,
    /** Another number each time that anything changed which pages show. */
    revision: (): number => kept().revision,
    /** The categories as they were last seen. */
    tree: (): CategoryTree => kept().tree,
    /** The collections as they were last seen, hidden ones too, in the order in which they are shown. */
    collections: (): readonly CollectionRecord[] => kept().collections,
    /** Each thing that is sold with its units, also of products that are not published. */
    listStock: () => kept().listStock(),
    /** Each product with its units, also those that are not published. */
    listProducts: () => kept().listProducts(),
    /** A category with those below it, hidden ones too. */
    categoriesIn: (id: string): readonly string[] => kept().tree.allBelow(id),
    /** The products that were picked for a collection, the newest first; also those that are not published. */
    listPicked: (collectionId: string): readonly string[] => kept().listPicked(collectionId),
    /** How many products are in one of these categories. */
    countIn: (categoryIds: readonly string[]): number => kept().projection.countIn(categoryIds),
    /** Another one each time that a category gained or lost a product. */
    inCategories: (): object => kept().projection.inCategories,
  };
}

export type Catalogue = ReturnType<typeof createCatalogue>;

/** Creates an empty catalogue over a store; `load` fills it. */
export function createCatalogue({ store, clock, log, isShared, signals }: CatalogueDeps) {
  let kept = new Kept();
  const changeLog = createChangeLog({ store, clock });

  async function refreshSite(): Promise<void> {
    kept.setSite(await store.read((tx) => readSettings(tx, "site")));
  }

  // One run after the other: an earlier view never takes the place of a later one.
  const refreshShown = coalesce(async () => kept.setShown(await store.read(readShown)));

  async function load(): Promise<void> {
    const done = changeLog.begin();
    // Requests go on with what is there until all is read.
    kept = await readKept(store, () => kept.revision);
    done();
  }

  const { changed, applied } = createRefresher(store, (state) => kept.replace(state));

  async function onCommit(changes: readonly RecordChange[]): Promise<void> {
    const ids = productsOf(changes);
    kept.apply(changes);
    applied(ids);
    if (ids.length > 0) signals?.send("products", ids);
    if (changes.some(isOfShown)) {
      signals?.send("products", [SHOWN]);
      await refreshShown();
    }
    if (!changes.some(({ collection }) => collection === settings.name)) return;
    signals?.send("settings", []);
    await refreshSite();
  }

  /** Applies changes of another process. */
  async function takeOver(ids: readonly string[]): Promise<void> {
    if (ids.includes(SHOWN)) await refreshShown();
    await changed(ids.filter((id) => id !== SHOWN));
  }

  function productsOf(changes: readonly RecordChange[]): string[] {
    return [...new Set(changes.flatMap((change) => kept.productOf(change) ?? []))];
  }

  async function follow(): Promise<void> {
    await refreshSite();
    const news = await changeLog.read();
    if (news === "missed") return load();
    await takeOver(news.productIds);
    news.done();
  }

  // A failed read is found by the next poll.
  const onSignal = (work: Promise<void>): void => void work.catch(() => undefined);
  signals?.listen("products", (ids) => onSignal(ids === undefined ? follow() : takeOver(ids)));
  signals?.listen("settings", () => onSignal(refreshSite()));
  return {
    /** The store to work on: its commits reach the catalogue before their `transact` resolves. */
    store: observeStore(store, {
      collections: [products, stock, prices, views, ratings, categories, collections, settings],
      onCommit,
      onError: (error) => log.error("The catalog could not apply a change", { error }),
      beforeCommit: isShared
        ? (tx, changes) => changeLog.note(tx, toNoted(productsOf(changes), changes))
        : undefined,
    }),
    list: (...parameters: Parameters<Projection["list"]>): CataloguePage =>
      kept.projection.list(...parameters),
    /** What a search for words matches. */
    search: (...parameters: Parameters<Projection["search"]>): Match => kept.projection.search(...parameters),
    /** A published product by its id or slug. */
    find: (idOrSlug: string): CatalogueItem | undefined =>
      kept.projection.find(idOrSlug) ?? kept.projection.findBySlug(idOrSlug),
    /** A product as part of a bundle, published or not. */
    findPart: (id: string): ProductRecord | undefined => kept.products.get(id),
    /** Published products, those of them that can be ordered, and views and sold units of all products. */
    counts: () => ({
      products: kept.projection.size,
      inStock: kept.projection.countInStock(),
      views: kept.views.sum,
      soldUnits: kept.stock.sum,
    }),
    ...toShownReads(() => kept),
    /** Reads everything; call it before the first request. */
    load,
    /** Builds the search index, a few milliseconds at a time; a search that comes earlier makes the rest. */
    prepare: (): Promise<void> => kept.prepare(),
    /** Reloads some products. */
    changed,
    /** Applies changes of other processes; call it every second when there are others, or rarely while they signal. */
    follow,
    /** Removes notes of changes that every process must have seen; call it each minute when there are others. */
    sweep: (): Promise<void> => changeLog.sweep(),
  };
}
