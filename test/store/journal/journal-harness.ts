/** What the tests of the JSON store on a simulated disk share. */
import {
  type JournalStore,
  type JournalStoreOptions,
  openJournalStore,
} from "../../../src/store/journal/journal-store.ts";
import { counters, items } from "../../contract/store-fixtures.ts";
import type { FaultyFiles } from "../faulty-files.ts";

const FOLDER = "/data/test";

let opened = 0;

/** Opens the store of a simulated disk. */
export function open(files: FaultyFiles, options: Partial<JournalStoreOptions> = {}): Promise<JournalStore> {
  // Each life has its own boot, so that the lock of the life before is known to be dead.
  opened += 1;
  const lock = {
    watchMs: 0,
    identity: { pid: opened, bootId: `boot ${opened}`, namespace: "one", startTicks: "1" },
  };
  return openJournalStore({
    folder: FOLDER,
    name: "test",
    collections: [items, counters],
    files,
    lock,
    ...options,
  });
}

/** Stores one item. */
export const insert = (store: JournalStore, id: string): Promise<unknown> =>
  store.transact((tx) => tx.insert(items, { id, rank: 1, email: `${id}@x` }));

/** The ids of all items. */
export async function idsOf(store: JournalStore): Promise<string[]> {
  const page = await store.read((tx) => tx.list(items, "id", { limit: 1000 }));
  return page.items.map(({ id }) => id);
}

/** Resolves to "pending" when the promise is unsettled after everything that is ready has run, several turns long. */
export async function stateOf(promise: Promise<unknown>): Promise<"pending" | "settled"> {
  let settled = false;
  const mark = (): void => {
    settled = true;
  };
  promise.then(mark, mark);
  for (let i = 0; i < 20; i += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
  return settled ? "settled" : "pending";
}
