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
import type { Blobs } from "../../../src/shop/base/blobs.ts";
import { toBlob } from "../../contract/blobs-contract.ts";

interface DamagedPlace {
  readonly blobs: Blobs;
  readonly lines: readonly string[];
}

/** Keeps a picture, and changes a bit of its file. */
async function withDamaged(
  run: (
    place: DamagedPlace,
    picture: { readonly hash: string; readonly bytes: Uint8Array<ArrayBuffer> },
  ) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "blobs-"));
  try {
    const folder = join(root, "blobs");
    const lines: string[] = [];
    const log = createLog({ level: "info", write: (line) => lines.push(line) });
    const blobs = createVerifiedBlobs(createBlobFolder(nodeFileLayer, folder), log);
    const picture = toBlob("a picture");
    await blobs.put(picture.hash, picture.bytes);
    const path = join(folder, picture.hash.slice(0, 2), picture.hash);
    const damaged = await readFile(path);
    damaged[3] = (damaged[3] ?? 0) ^ 1;
    await writeFile(path, damaged);
    await run({ blobs, lines }, picture);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

describe("createVerifiedBlobs", () => {
  it("gives no bytes with a turned-over bit, says so in the log, and is repaired by the same picture", () =>
    withDamaged(async ({ blobs, lines }, { hash, bytes }) => {
      await assert.rejects(blobs.get(hash), { code: "store_unavailable", message: /is damaged\. The shop/u });
      assert.match(lines.join("\n"), new RegExp(`Restore it from a backup.*${hash}`, "u"));
      await blobs.put(hash, bytes);
      assert.deepEqual(await blobs.get(hash), bytes);
    }));

  it("is repaired by the same picture before anyone has read the damaged one", () =>
    withDamaged(async ({ blobs }, { hash, bytes }) => {
      await blobs.put(hash, bytes);
      assert.deepEqual(await blobs.get(hash), bytes);
    }));
});
