/** The public catalogue in memory, the same for every store. */
import type { Clock } from "../../kit/time/clock.ts";
import { coalesce } from "../../kit/limits/coalesce.ts";
import type { Log } from "../../kit/observe/log.ts";
import { type RecordChange, observeStore } from "../../store/observed-store.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { ChangeSignals } from "../nodes/change-signals.ts";
import { products, settings, stock, views } from "../records.ts";
import { readSettings } from "../site/settings.ts";
import type { SiteSettings } from "../site/schema.ts";
import { createChangeLog } from "./change-log.ts";
import type { CatalogueItem } from "./item.ts";
import { type ProductState, Kept, readKept, readProduct } from "./kept.ts";
import type { Projection } from "./projection.ts";

/** Products whose records are read in one view. */
const REFRESH_AT_ONCE = 200;
/** Times that a product is read again at once, because this process changed it meanwhile. */
const MAX_READS = 3;

export interface CatalogueDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Other processes commit to the same database: leave word of changes, and look for theirs. */
  readonly isShared: boolean;
  /** Word between processes; without it there are only looks. */
  readonly signals?: Pick<ChangeSignals, "send" | "listen"> | undefined;
}

/** Counts over all products, also those that are not published. */
export interface CatalogueCounts {
  /** Published products. */
  readonly products: number;
  /** Published products that can be ordered. */
  readonly inStock: number;
  readonly views: number;
  readonly soldUnits: number;
}

export interface Catalogue {
  /** The store to work on: its commits reach the catalogue before their `transact` resolves. */
  readonly store: Store;
  readonly list: Projection["list"];
  /** A published product by its id or slug. */
  find(idOrSlug: string): CatalogueItem | undefined;
  counts(): CatalogueCounts;
  /** The site's settings as they were last seen. */
  site(): SiteSettings;
  /** Reads everything; call it before the first request. */
  load(): Promise<void>;
  /** Reads some products anew. */
  changed(productIds: readonly string[]): Promise<void>;
  /** Takes over what other processes changed; call it each second when there are others, or seldom while they tell. */
  follow(): Promise<void>;
  /** Removes word of changes that every process must have seen; call it each minute when there are others. */
  sweep(): Promise<void>;
}

interface Refresher {
  /** Reads these products, one run after the other. */
  changed(productIds: readonly string[]): Promise<void>;
  /** This process committed changes of these and took them over: what is being read of them may be older. */
  applied(productIds: readonly string[]): void;
}

function readStates(store: Store, ids: readonly string[]): Promise<ProductState[]> {
  return store.read(async (tx) => {
    const all: ProductState[] = [];
    for (const id of ids) all.push(await readProduct(tx, id));
    return all;
  });
}

function createRefresher(store: Store, replace: (state: ProductState) => void): Refresher {
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
    changed: async (productIds) => {
      if (productIds.length === 0) return;
      for (const id of productIds) wanted.add(id);
      await run();
    },
    applied: (productIds) => {
      if (isReading) for (const id of productIds) own.add(id);
    },
  };
}

/** Makes an empty catalogue over a store; `load` fills it. */
export function createCatalogue({ store, clock, log, isShared, signals }: CatalogueDeps): Catalogue {
  let kept = new Kept();
  const changeLog = createChangeLog({ store, clock });

  async function refreshSite(): Promise<void> {
    kept.setSite(await store.read((tx) => readSettings(tx, "site")));
  }

  async function load(): Promise<void> {
    const done = changeLog.begin();
    // Requests go on with what is there until all is read.
    kept = await readKept(store);
    done();
  }

  const refresher = createRefresher(store, (state) => kept.replace(state));
  const { changed } = refresher;

  async function onCommit(changes: readonly RecordChange[]): Promise<void> {
    const ids = productsOf(changes);
    kept.apply(changes);
    refresher.applied(ids);
    if (ids.length > 0) signals?.send("products", ids);
    if (!changes.some(({ collection }) => collection === settings.name)) return;
    signals?.send("settings", []);
    await refreshSite();
  }

  async function beforeCommit(tx: Tx, changes: readonly RecordChange[]): Promise<void> {
    await changeLog.note(tx, productsOf(changes));
  }

  function productsOf(changes: readonly RecordChange[]): string[] {
    return [...new Set(changes.flatMap((change) => kept.productOf(change) ?? []))];
  }

  async function follow(): Promise<void> {
    await refreshSite();
    const look = await changeLog.look();
    if (look === "missed") return load();
    await changed(look.productIds);
    look.done();
  }

  // What cannot be read now is found by the next look.
  const onHeard = (work: Promise<void>): void => void work.catch(() => undefined);
  signals?.listen("products", (ids) => onHeard(ids === undefined ? follow() : changed(ids)));
  signals?.listen("settings", () => onHeard(refreshSite()));
  return {
    store: observeStore(store, {
      collections: [products, stock, views, settings],
      onCommit,
      onError: (error) => log.error("The catalogue could not take over a change", { error }),
      ...(isShared ? { beforeCommit } : {}),
    }),
    list: (filter, options) => kept.projection.list(filter, options),
    find: (idOrSlug) => kept.projection.find(idOrSlug) ?? kept.projection.findBySlug(idOrSlug),
    counts: () => ({
      products: kept.projection.size,
      inStock: kept.projection.countInStock(),
      views: kept.views.sum,
      soldUnits: kept.stock.sum,
    }),
    site: () => kept.site,
    load,
    changed,
    follow,
    sweep: () => changeLog.sweep(),
  };
}
