/**
 * Contents of a data folder: which files count, which of them belong to a store, and a summary of each store for
 * comparing copies.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { Content, sumUp } from "../../store/journal/content.ts";
import { recover } from "../../store/journal/recovery.ts";

/** A store found on disk: `<folder>/<name>.json` and its journals. */
export interface FoundStore {
  /** Relative to the data folder, "/" between parts; "" for the data folder itself. */
  readonly folder: string;
  readonly name: string;
}

/** Enough of a store's content to tell whether two copies are the same. */
export interface StoreSummary extends FoundStore {
  readonly lsn: number;
  readonly collections: Readonly<Record<string, { readonly count: number; readonly hash: string }>>;
}

/** Folders in which `restore`, `migrate`, and sealed backups work; they are no data. */
export const RESTORE_FOLDER = /^\.(?:sealing|opening|restoring|before-restore|migrating|before-migrate)-/u;
/** An index file is rebuilt from its snapshot. `newest` and `segments` too: in a copy of a sample log that runs they would ask for segments that began or went after the copy. */
const NOT_DATA =
  /(?:\.lock|\.lock\.\d+\.stale|\.tmp|\.held|\.\d{6,}\.index|^\.gitignore|^newest|^segments)$/u;
/** A picture or a chunk that is just being written has another name below these folders. */
const UNFINISHED_BLOB = /(?:^|\/)(?:blobs|sizes)\/[0-9a-f]{2}\/(?![0-9a-f]{64}$)/u;

/** All data files below a folder, relative, with "/" between parts, sorted. */
export async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  async function visit(path: string): Promise<void> {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory() && !RESTORE_FOLDER.test(entry.name)) await visit(inner);
      if (!entry.isFile() || NOT_DATA.test(entry.name)) continue;
      const file = relative(folder, inner).split(sep).join("/");
      if (!UNFINISHED_BLOB.test(file)) found.push(file);
    }
  }
  await visit(folder);
  return found.sort();
}

/** True for the journals and the snapshot of a store. */
export function belongsTo(store: FoundStore, file: string): boolean {
  const start = store.folder === "" ? store.name : `${store.folder}/${store.name}`;
  return file === `${start}.json` || (file.startsWith(`${start}.`) && /\.\d{6,}\.journal$/u.test(file));
}

/** The stores among the files, told by the format in their snapshots' first bytes. */
export async function findStores(folder: string, files: readonly string[]): Promise<FoundStore[]> {
  const stores: FoundStore[] = [];
  for (const file of files) {
    if (!file.endsWith(".json")) continue;
    const handle = await open(join(folder, file), "r");
    const start = Buffer.alloc(200);
    const { bytesRead } = await handle.read(start, 0, start.byteLength, 0).finally(() => handle.close());
    if (!/"format":\s*"trivet-store\//u.test(start.toString("utf8", 0, bytesRead))) continue;
    const parent = dirname(file);
    const name = file.slice(parent === "." ? 0 : parent.length + 1, -".json".length);
    stores.push({ folder: parent === "." ? "" : parent, name });
  }
  return stores;
}

/**
 * Reads a store back, without a lock, and sums it up.
 * @throws StoreError when it is damaged
 */
export async function summarize(data: string, store: FoundStore): Promise<StoreSummary> {
  const place = { files: nodeFileLayer, folder: join(data, store.folder), name: store.name };
  const recovered = await recover(place);
  if (recovered === undefined)
    throw new Error(`"${place.folder}" does not contain the store "${store.name}"`);
  const content = await Content.open(nodeFileLayer, recovered);
  try {
    const collections: Record<string, ReturnType<typeof sumUp>> = {};
    for (const name of recovered.snapshot.collections.keys())
      collections[name] = sumUp(await content.documents(name));
    return { folder: store.folder, name: store.name, lsn: recovered.lsn, collections };
  } finally {
    content.close();
  }
}

/** SHA-256 of a file in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
