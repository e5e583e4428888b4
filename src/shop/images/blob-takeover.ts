/** Pictures of an install that kept them in its data folder before they were in the database. */
import { hashBytes } from "../../kit/secrets/hash-bytes.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { Blobs } from "../base/blobs.ts";
import type { FileLayer } from "../../kit/files/file-layer.ts";

/** The database's table of pictures. */
interface BlobTable extends Blobs {
  /** Those of the names that it has. */
  find(hashes: readonly string[]): Promise<ReadonlySet<string>>;
}

const HASH = /^[0-9a-f]{64}$/u;

/** The names of all pictures below a folder, in parts as the folders are. */
export async function* listBlobFolder(
  files: Pick<FileLayer, "list">,
  folder: string,
): AsyncGenerator<string[], void> {
  for (let first = 0; first < 256; first += 1) {
    const below = first.toString(16).padStart(2, "0");
    const hashes = (await files.list(`${folder}/${below}`)).filter((name) => HASH.test(name));
    if (hashes.length > 0) yield hashes;
  }
}

/** Blobs missing from the table are searched in the folder, and then copied. */
export function createBlobFallback(
  table: Pick<BlobTable, "get" | "put" | "remove">,
  folder: Pick<Blobs, "get" | "remove">,
): Blobs {
  return {
    put: (hash, bytes) => table.put(hash, bytes),
    get: async (hash) => {
      const bytes = await table.get(hash);
      if (bytes !== undefined) return bytes;
      const old = await folder.get(hash);
      // A table that takes nothing just now gets it later.
      if (old !== undefined) await table.put(hash, old).catch(() => undefined);
      return old;
    },
    // The folder's first: from there it would come back.
    remove: async (hash) => {
      await folder.remove(hash);
      await table.remove(hash);
    },
  };
}

/** Puts all pictures of the folder that the table lacks into it; resolves with how many, or when `isOver` says so. */
export async function takeOverBlobs(
  parts: { readonly table: BlobTable; readonly folder: Pick<Blobs, "get">; readonly log: Log },
  options: { readonly hashes: AsyncIterable<string[]>; readonly isOver: () => boolean },
): Promise<number> {
  const { table, folder, log } = parts;
  let taken = 0;
  for await (const hashes of options.hashes) {
    const present = await table.find(hashes);
    // One after the other: people are served meanwhile.
    for (const hash of hashes) {
      if (options.isOver()) return taken;
      if (present.has(hash)) continue;
      const bytes = await folder.get(hash);
      // A damaged one stays where it is: under its hash it would be taken for whole.
      if (bytes === undefined || (await hashBytes(bytes)) !== hash) continue;
      await table.put(hash, bytes);
      taken += 1;
    }
  }
  if (taken > 0) log.info("Images were moved from the data folder to the database", { pictures: taken });
  return taken;
}
