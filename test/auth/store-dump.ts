/** Everything in a store as text, to search it for what it must not contain. */
import { authCollections } from "../../src/auth/app/records.ts";
import type { Collection, Page, Store, StoreRecord } from "../../src/store/store.ts";

async function dumpCollection(store: Store, collection: Collection): Promise<string[]> {
  const texts: string[] = [];
  let cursor: string | undefined;
  do {
    const from = cursor === undefined ? {} : { cursor };
    const page: Page<StoreRecord> = await store.read((tx) =>
      tx.list(collection, "id", { limit: 1_000, ...from }),
    );
    texts.push(...page.items.map((record) => `${collection.name} ${JSON.stringify(record)}`));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return texts;
}

/** A line for each record of every collection: its collection's name and its JSON. */
export async function dumpStore(store: Store): Promise<string[]> {
  const collections: readonly Collection[] = authCollections;
  const parts = await Promise.all(collections.map((collection) => dumpCollection(store, collection)));
  return parts.flat();
}

/** The records that hold one of the texts. */
export async function findInStore(store: Store, texts: readonly string[]): Promise<string[]> {
  return (await dumpStore(store)).filter((line) => texts.some((text) => line.includes(text)));
}
