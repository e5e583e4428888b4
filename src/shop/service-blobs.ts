/** Where the shop keeps pictures: a folder below the data folder, or the database, which then every process reads. */
import type { Blobs } from "./base/blobs.ts";
import { createVerifiedBlobs } from "./images/verified-blobs.ts";
import { createBlobCache } from "./images/blob-cache.ts";
import { nodeFileLayer } from "../kit/files/file-layer.ts";
import { createBlobFolder } from "./images/blob-folder.ts";
import { sweepHeldBlobs } from "./images/held-blobs.ts";
import { createBlobFallback, listBlobFolder, takeOverBlobs } from "./images/blob-takeover.ts";
import type { ServiceContext } from "../service/service.ts";
import type { DataProblem, Scrub } from "../store/scrub.ts";
import { hashBytes } from "../kit/secrets/hash-bytes.ts";
import type { Job } from "../service/jobs.ts";

/** The table of the shop's pictures. */
export const SHOP_BLOB_TABLE = "shop_blobs";
/** The table of smaller pictures. */
const SHOP_SIZE_TABLE = "shop_sizes";
/** Pictures that are kept in memory, in bytes: as they came, and smaller ones. */
const CACHE_BYTES = 32 * 1_048_576;
const SIZES_CACHE_BYTES = 16 * 1_048_576;

interface OpenBlobs {
  readonly blobs: Blobs;
  /** The same without the cache. */
  readonly fileBlobs: Blobs;
  /** Pictures in smaller sizes, which can always be made again. */
  readonly sizes: Blobs;
  /** Compares all pictures and files with their names. */
  readonly scrub: Scrub;
  /** Work that goes on beside. */
  readonly jobs: readonly Job[];
  /** Lets what goes on beside come to its end soon. */
  endJobs(): void;
  close(): Promise<void>;
}

/** Repeated until it went through once: the database may be away just then. */
export function once(name: string, work: () => Promise<void>): Job {
  let isDone = false;
  return {
    name,
    everyMs: () => (isDone ? 3_600_000 : 1_000),
    run: async () => {
      if (isDone) return;
      await work();
      isDone = true;
    },
  };
}

/** Every blob against its name. Its bytes are read whole: none has more than some MiB. */
async function* scrubBlobs(
  toPath: (hash: string) => string,
  parts: AsyncIterable<readonly string[]>,
  blobs: Pick<Blobs, "get">,
): AsyncGenerator<number | DataProblem> {
  for await (const hashes of parts)
    for (const hash of hashes) {
      // Removed since it was listed.
      const bytes = await blobs.get(hash);
      if (bytes === undefined) continue;
      const problem = "does not match its checksum. Restore it from a backup, or upload it again";
      if ((await hashBytes(bytes)) !== hash) yield { path: toPath(hash), problem };
      yield bytes.length;
    }
}

/** Opens the place of pictures. @throws StoreError `store_unavailable` when the database cannot be reached within half a minute */
export async function openShopBlobs(
  context: Pick<ServiceContext, "config" | "clock" | "log">,
): Promise<OpenBlobs> {
  const { dataDir, databaseUrl: url } = context.config;
  const path = `${dataDir}/shop/blobs`;
  const folder = createBlobFolder(nodeFileLayer, path, context.clock);
  // Blobs held by a killed backup; others clean up after themselves.
  const sweepHeld: Job = {
    name: "pictures-held",
    everyMs: () => 600_000,
    run: () => sweepHeldBlobs(nodeFileLayer, path, context.clock).then(() => undefined),
  };
  const open = (place: Blobs): Pick<OpenBlobs, "blobs" | "fileBlobs"> => {
    const fileBlobs = createVerifiedBlobs(place, context.log);
    return { blobs: createBlobCache(fileBlobs, { maxBytes: CACHE_BYTES }), fileBlobs };
  };
  const openSizes = (place: Blobs): Blobs =>
    createBlobCache(createVerifiedBlobs(place, context.log), { maxBytes: SIZES_CACHE_BYTES });
  if (url === undefined) {
    const sizes = openSizes(createBlobFolder(nodeFileLayer, `${dataDir}/shop/sizes`));
    return {
      ...open(folder),
      sizes,
      scrub: () =>
        scrubBlobs(
          (hash) => `${path}/${hash.slice(0, 2)}/${hash}`,
          listBlobFolder(nodeFileLayer, path),
          folder,
        ),
      jobs: [sweepHeld],
      endJobs: () => undefined,
      close: async () => undefined,
    };
  }
  const { openBlobTable } = await import("../store/postgres/blobs.ts");
  const table = await openBlobTable({ url, table: SHOP_BLOB_TABLE, applicationName: "trivet-shop-blobs" });
  const sizes = await openBlobTable({
    url,
    table: SHOP_SIZE_TABLE,
    applicationName: "trivet-shop-sizes",
  }).catch(async (error: unknown) => {
    await table.close();
    throw error;
  });
  let isOver = false;
  const takeOver = once("pictures-take-over", async () => {
    const hashes = listBlobFolder(nodeFileLayer, path);
    await takeOverBlobs({ table, folder, log: context.log }, { hashes, isOver: () => isOver });
  });
  return {
    ...open(createBlobFallback(table, createVerifiedBlobs(folder, context.log))),
    sizes: openSizes(sizes),
    scrub: () => scrubBlobs((hash) => `${SHOP_BLOB_TABLE}/${hash}`, table.listAll(), table),
    jobs: [takeOver, sweepHeld],
    endJobs: () => {
      isOver = true;
    },
    close: async () => {
      await sizes.close();
      await table.close();
    },
  };
}
