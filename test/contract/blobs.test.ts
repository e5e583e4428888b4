/** Pictures in memory, in a folder, and behind a cache. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBlobFolder } from "../../src/shop/images/blob-folder.ts";
import { createBlobCache } from "../../src/shop/images/blob-cache.ts";
import { createMemoryBlobs } from "../../src/shop/base/blobs.ts";
import { nodeFileLayer } from "../../src/kit/files/file-layer.ts";
import { describeBlobs } from "./blobs-contract.ts";

describeBlobs("memory", async () => {
  const blobs = createMemoryBlobs();
  return { sides: [blobs, blobs], close: async () => undefined };
});

describeBlobs("a folder", async () => {
  const root = await mkdtemp(join(tmpdir(), "blobs-"));
  const open = (): ReturnType<typeof createBlobFolder> =>
    createBlobFolder(nodeFileLayer, join(root, "shop", "blobs"));
  return { sides: [open(), open()], close: () => rm(root, { recursive: true, force: true }) };
});

describeBlobs("memory behind a cache that holds one or none", async () => {
  const blobs = createMemoryBlobs();
  return {
    sides: [createBlobCache(blobs, { maxBytes: 10 }), createBlobCache(blobs, { maxBytes: 10 })],
    close: async () => undefined,
  };
});
