/** Chooses where a service keeps its records: files below the data folder, or the database of DATABASE_URL. */
import type { Collection, Store } from "../store/store.ts";
import { nodeFileLayer } from "../kit/files/file-layer.ts";
import { openJournalStore } from "../store/journal/journal-store.ts";
import { takeLock } from "../store/journal/lock.ts";
import { describeDamage } from "../store/btree/block-sums.ts";
import type { Scrub } from "../store/scrub.ts";
import type { DataWatch } from "./data-watch.ts";
import type { ServiceContext } from "./service.ts";

/** A store, with the pass over its files where they are this process's own. */
export type StoredHere = Store & { readonly scrub?: Scrub };

/**
 * Opens the store of a service.
 * @throws StoreError `store_unavailable` when the folder is in use or damaged, or the database cannot be reached
 */
export async function openStore(
  context: Pick<ServiceContext, "config" | "clock" | "log"> & { readonly data: Pick<DataWatch, "note"> },
  service: { readonly name: string; readonly collections: readonly Collection[] },
): Promise<StoredHere> {
  const { config, clock, log, data } = context;
  const { databaseUrl: url } = config;
  const folder = `${config.dataDir}/${service.name}`;
  if (url === undefined)
    return openJournalStore({
      folder,
      ...service,
      clock,
      log,
      onEvent: (event) => {
        if (event.type !== "damaged") return;
        const { damage } = event;
        data.note({ path: damage.path, problem: describeDamage(damage) });
      },
    });
  return withLock({ folder, name: service.name }, () =>
    // The driver is loaded only where there is a database: it takes ten megabytes.
    import("../store/postgres/postgres-store.ts").then(({ openPostgresStore }) =>
      openPostgresStore({ url, ...service, log }),
    ),
  );
}

/** A store elsewhere that has the folder to itself: reports, pictures and secrets are there all the same. */
async function withLock(
  place: { readonly folder: string; readonly name: string },
  open: () => Promise<Store>,
): Promise<Store> {
  await nodeFileLayer.makeFolder(place.folder);
  const lock = await takeLock({ files: nodeFileLayer, ...place });
  let store: Store;
  try {
    store = await open();
  } catch (error) {
    await lock.release();
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    transact: (work) => store.transact(work),
    read: (work) => store.read(work),
    check: () => store.check(),
    close: () => (closing ??= store.close().finally(() => lock.release())),
  };
}
