/** All records of one service's store, a page at a time, and a summary by which two stores are compared, whatever their order. */
import { createHash } from "node:crypto";
import type { Doc } from "../../store/keys.ts";
import type { Collection, Store } from "../../store/store.ts";

/** An opened store, to be read through the port, so that what is compared is what a service would see. */
export interface Content {
  /** All records of a collection, re-readable. */
  pages(collection: Collection): AsyncIterable<readonly Doc[]>;
  /** Lets go of the store. */
  close(): Promise<void>;
}

export interface CollectionSummary {
  readonly records: number;
  /** Sum of the records' versions. */
  readonly versions: number;
  /** The records' own SHA-256, added up in parts of 32 bits, so that their order does not matter; hex. */
  readonly hash: string;
}
export type Summary = ReadonlyMap<string, CollectionSummary>;

const PAGE = 1_000;
const HASH_PARTS = 8;
const EMPTY: CollectionSummary = { records: 0, versions: 0, hash: "00".repeat(4 * HASH_PARTS) };

async function* readPages(store: Store, collection: Collection): AsyncGenerator<readonly Doc[]> {
  let cursor: string | undefined;
  do {
    const options = { limit: PAGE, cursor };
    const page = await store.read((tx) => tx.list(collection, "id", options));
    yield page.items.map((record) => ({ ...record }));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** The content of a store, which goes with it. */
export function toContent(store: Store): Content {
  return { pages: (collection) => readPages(store, collection), close: () => store.close() };
}

/** JSON with the members of every object in one order: a database may keep them in another. */
function toCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${toCanonical(member)}`);
  return `{${members.join(",")}}`;
}

/** Counts, sum and content hash of one collection. */
export async function summarizePages(pages: AsyncIterable<readonly Doc[]>): Promise<CollectionSummary> {
  const hash = new Uint32Array(HASH_PARTS);
  let [records, versions] = [0, 0];
  for await (const docs of pages)
    for (const doc of docs) {
      records += 1;
      versions += doc.version;
      const own = createHash("sha256").update(toCanonical(doc)).digest();
      for (let part = 0; part < HASH_PARTS; part += 1)
        hash[part] = (hash[part] ?? 0) + own.readUInt32LE(4 * part);
    }
  return { records, versions, hash: Buffer.from(hash.buffer).toString("hex") };
}

/** Counts, sums and a content hash for each collection. */
export async function summarizeContent(
  content: Content,
  collections: readonly Collection[],
): Promise<Summary> {
  const summary = new Map<string, CollectionSummary>();
  for (const collection of collections)
    summary.set(collection.name, await summarizePages(content.pages(collection)));
  return summary;
}

/** The collections in which two summaries differ; one that a side lacks counts as empty. */
export function findDifferences(a: Summary, b: Summary): string[] {
  const same = (name: string): boolean => {
    const one = a.get(name) ?? EMPTY;
    const other = b.get(name) ?? EMPTY;
    return one.records === other.records && one.versions === other.versions && one.hash === other.hash;
  };
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => !same(name));
}

export function countRecords(summary: Summary): number {
  return [...summary.values()].reduce((sum, { records }) => sum + records, 0);
}
