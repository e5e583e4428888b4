/** Whether a folder holds every blob that its shop's records need, as it does in a backup that can be restored. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { type BlobReference, type ReadRecords, listBlobReferences } from "../../shop/app/blob-references.ts";
import { isDoc } from "../../store/documents.ts";
import { Content, toBytes } from "../../store/journal/content.ts";
import { recover } from "../../store/journal/recovery.ts";
import type { Collection, StoreRecord } from "../../store/store.ts";
import type { FoundStore } from "./content.ts";

/** The shop whose blobs lie in the same folder; blobs of a database are in its dump. */
export function findShop<T extends FoundStore>(stores: readonly T[]): T | undefined {
  return stores.find(({ name }) => name === "shop");
}

/** Where a blob of the shop lies, relative to the data folder. */
export function toBlobPath({ folder }: Pick<FoundStore, "folder">, hash: string): string {
  return `${folder === "" ? "" : `${folder}/`}blobs/${hash.slice(0, 2)}/${hash}`;
}

/** The hash that a blob's path promises; undefined for other files. */
export function findPromisedHash(path: string): string | undefined {
  return /(?:^|\/)blobs\/[0-9a-f]{2}\/([0-9a-f]{64})$/u.exec(path)?.[1];
}

function toRecord<T extends StoreRecord>({ name, schema }: Collection<T>, doc: unknown): T {
  const { success, data, error } = schema.safeParse(doc);
  if (success) return data;
  const id = isDoc(doc) ? doc.id : "";
  const where = error.issues[0]?.path.join(".") ?? "";
  throw new Error(`The record "${id}" of "${name}" is invalid at "${where}"`, { cause: error });
}

/** Reads the records of a store that lies in a folder, with its journals, while `work` runs. */
async function withRecords<R>(
  data: string,
  store: FoundStore,
  work: (read: ReadRecords) => Promise<R>,
): Promise<R> {
  const place = { files: nodeFileLayer, folder: join(data, store.folder), name: store.name };
  const recovered = await recover(place);
  if (recovered === undefined)
    throw new Error(`"${place.folder}" does not contain the store "${store.name}"`);
  const content = await Content.open(nodeFileLayer, recovered);
  try {
    return await work(async function* read(collection) {
      for (const stored of await content.documents(collection.name)) {
        const doc: unknown = stored.doc ?? JSON.parse(toBytes(stored).toString());
        yield toRecord(collection, doc);
      }
    });
  } finally {
    content.close();
  }
}

/** Missing parts of a shop's records. */
export interface Missing {
  readonly blobs: readonly BlobReference[];
  /** Problems among the records themselves. */
  readonly broken: readonly string[];
}

/** Checks each blob that the shop's records need. */
export async function findMissing(data: string, shop: FoundStore): Promise<Missing> {
  const blobs: BlobReference[] = [];
  const broken: string[] = [];
  await withRecords(data, shop, async (read) => {
    for await (const reference of listBlobReferences(read)) {
      if ("broken" in reference) broken.push(reference.broken);
      else if (!(await isThere(join(data, toBlobPath(shop, reference.hash))))) blobs.push(reference);
    }
  });
  return { blobs, broken };
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

const SHOWN = 5;

/** The description of an incomplete backup; undefined if it is complete. */
export function describeMissing({ blobs, broken }: Missing, damaged: readonly string[]): string | undefined {
  const problems = [
    ...broken,
    ...damaged.map((path) => `"${path}" does not match the checksum in its name`),
    ...blobs.map(({ hash, by }) => `${by} refers to the missing content ${hash}`),
  ];
  if (problems.length === 0) return undefined;
  const more = problems.length > SHOWN ? `; and ${problems.length - SHOWN} more` : "";
  return problems.slice(0, SHOWN).join("; ") + more;
}
