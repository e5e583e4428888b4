/** All records of one service's store, and a summary by which two stores are compared, whatever their order. */
import { createHash } from "node:crypto";
import type { Doc } from "../../store/keys.ts";
import type { Collection, Store, StoreRecord } from "../../store/store.ts";

/** Records by collection. */
export type Content = ReadonlyMap<string, readonly Doc[]>;

export interface CollectionSummary {
  readonly records: number;
  /** Sum of the records' versions. */
  readonly versions: number;
  /** SHA-256 over the records' own hashes, sorted; hex. */
  readonly hash: string;
}
export type Summary = ReadonlyMap<string, CollectionSummary>;

const PAGE = 1_000;

async function readCollection(store: Store, collection: Collection): Promise<Doc[]> {
  const docs: Doc[] = [];
  let cursor: string | undefined;
  do {
    const options = { limit: PAGE, cursor };
    const page: { items: readonly StoreRecord[]; nextCursor?: string } = await store.read((tx) =>
      tx.list(collection, "id", options),
    );
    docs.push(...page.items.map((record) => ({ ...record })));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return docs;
}

/** Reads everything through the port, so that what is compared is what a service would see. */
export async function readContent(store: Store, collections: readonly Collection[]): Promise<Content> {
  const content = new Map<string, readonly Doc[]>();
  for (const collection of collections) content.set(collection.name, await readCollection(store, collection));
  return content;
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

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Counts, sums and a content hash for each collection. */
export function summarizeContent(content: Content): Summary {
  return new Map(
    [...content].map(([name, docs]) => [
      name,
      {
        records: docs.length,
        versions: docs.reduce((sum, { version }) => sum + version, 0),
        hash: sha256(
          docs
            .map((doc) => sha256(toCanonical(doc)))
            .sort()
            .join(""),
        ),
      },
    ]),
  );
}

/** The collections in which two summaries differ; one that a side lacks counts as empty. */
export function findDifferences(a: Summary, b: Summary): string[] {
  const empty = sha256("");
  const same = (name: string): boolean => {
    const one = a.get(name) ?? { records: 0, versions: 0, hash: empty };
    const other = b.get(name) ?? { records: 0, versions: 0, hash: empty };
    return one.records === other.records && one.versions === other.versions && one.hash === other.hash;
  };
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => !same(name));
}

/** Records in all collections. */
export function countRecords(summary: Summary): number {
  return [...summary.values()].reduce((sum, { records }) => sum + records, 0);
}
