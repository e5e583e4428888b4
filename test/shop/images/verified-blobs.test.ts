/** Pictures whose bytes a disk changed. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createBlobFolder } from "../../../src/shop/images/blob-folder.ts";
import { createLog } from "../../../src/kit/observe/log.ts";
import { createVerifiedBlobs } from "../../../src/shop/images/verified-blobs.ts";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { toBlob } from "../../contract/blobs-contract.ts";

describe("createVerifiedBlobs", () => {
  it("gives no bytes with a turned-over bit, says so in the log, and is mended by the same picture", async () => {
    const root = await mkdtemp(join(tmpdir(), "blobs-"));
    try {
      const folder = join(root, "blobs");
      const lines: string[] = [];
      const log = createLog({ level: "info", write: (line) => lines.push(line) });
      const blobs = createVerifiedBlobs(createBlobFolder(nodeFileLayer, folder), log);
      const { hash, bytes } = toBlob("a picture");
      await blobs.put(hash, bytes);
      const path = join(folder, hash.slice(0, 2), hash);
      const damaged = await readFile(path);
      damaged[3] = (damaged[3] ?? 0) ^ 1;
      await writeFile(path, damaged);
      await assert.rejects(blobs.get(hash), { code: "store_unavailable", message: /is damaged\. The shop/u });
      assert.match(lines.join("\n"), new RegExp(`Restore it from a backup.*${hash}`, "u"));
      await blobs.put(hash, bytes);
      assert.deepEqual(await blobs.get(hash), bytes);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});
