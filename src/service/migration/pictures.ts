/** The shop's pictures in a data folder or a database, and their move from one to the other. */
import { createHash } from "node:crypto";
import pg from "pg";
import { createBlobFolder } from "../../shop/images/blob-folder.ts";
import { listBlobFolder } from "../../shop/images/blob-takeover.ts";
import { SHOP_BLOB_TABLE } from "../../shop/service-blobs.ts";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { type BlobTable, openBlobTable } from "../../store/postgres/blobs.ts";
import { toUnavailable } from "../../store/postgres/failures.ts";

export interface PicturePlace {
  /** For people; never with a password. */
  readonly label: string;
  /** The names of all, in parts. */
  list(): AsyncIterable<readonly string[]>;
  get(hash: string): Promise<Uint8Array | undefined>;
  put(hash: string, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** The result of a move. */
export interface MovedPictures {
  /** Pictures of the source, all of which the target has now. */
  readonly pictures: number;
  /** Those that the target did not have before. */
  readonly added: number;
}

/** The pictures below a data folder. */
export function openPictureFolder(data: string): PicturePlace {
  const folder = `${data}/shop/blobs`;
  const blobs = createBlobFolder(nodeFileLayer, folder);
  return {
    label: `the folder "${folder}"`,
    list: () => listBlobFolder(nodeFileLayer, folder),
    get: (hash) => blobs.get(hash),
    put: (hash, bytes) => blobs.put(hash, bytes),
    close: async () => undefined,
  };
}

async function hasTable(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined); // told by the query that meets it
  try {
    await client.connect().catch((error: unknown) => Promise.reject(toUnavailable(error)));
    const text =
      "select 1 from information_schema.tables where table_schema = current_schema() and table_name = $1";
    return (await client.query(text, [SHOP_BLOB_TABLE])).rowCount === 1;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function* listTable(table: BlobTable): AsyncGenerator<readonly string[], void> {
  let after = "";
  for (;;) {
    const hashes = await table.list(after);
    const last = hashes.at(-1);
    if (last === undefined) return;
    yield hashes;
    after = last;
  }
}

/** The pictures in a database; a source without a table of them is empty and gets none. `label` names it without its password. */
export async function openPictureTable(
  url: string,
  { label, isSource }: { readonly label: string; readonly isSource: boolean },
): Promise<PicturePlace> {
  const isEmpty = isSource && !(await hasTable(url));
  const table = isEmpty
    ? undefined
    : await openBlobTable({ url, table: SHOP_BLOB_TABLE, applicationName: "trivet-migrate" });
  return {
    label,
    list: () => (table === undefined ? noParts() : listTable(table)),
    get: async (hash) => table?.get(hash),
    put: async (hash, bytes) => table?.put(hash, bytes),
    close: async () => table?.close(),
  };
}

async function* noParts(): AsyncGenerator<readonly string[], void> {
  // A database that no shop with pictures ever used.
}

function isWhole(hash: string, bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes !== undefined && createHash("sha256").update(bytes).digest("hex") === hash;
}

/**
 * Puts every picture of one place into another, which keeps what it has beside them.
 * @throws Error for a picture that is damaged, or is not read back as it was
 */
export async function movePictures(from: PicturePlace, to: PicturePlace): Promise<MovedPictures> {
  const counts = { pictures: 0, added: 0 };
  for await (const hashes of from.list()) {
    for (const hash of hashes) {
      counts.pictures += 1;
      if (isWhole(hash, await to.get(hash))) continue;
      const bytes = await from.get(hash);
      if (!isWhole(hash, bytes)) throw new Error(`The image ${hash} in ${from.label} is damaged`);
      await to.put(hash, bytes);
      if (!isWhole(hash, await to.get(hash)))
        throw new Error(`The image ${hash} was not copied correctly to ${to.label}. Run the command again`);
      counts.added += 1;
    }
  }
  return counts;
}
