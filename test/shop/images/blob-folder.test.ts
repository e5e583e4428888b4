import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createBlobFolder } from "../../../src/shop/images/blob-folder.ts";
import { type AppendFile, type FileLayer, nodeFileLayer } from "../../../src/kit/files/file-layer.ts";

const bytes = new TextEncoder().encode("the bytes of a picture");
const hash = createHash("sha256").update(bytes).digest("hex");

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "blobs-"));
  folder = join(root, "shop", "blobs");
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** The disk with one operation that fails, of the layer or of its files. */
function failing(operation: "append" | "datasync" | "rename" | "syncFolder"): FileLayer {
  const fail = (): Promise<never> => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" }));
  if (operation === "rename") return { ...nodeFileLayer, rename: fail };
  if (operation === "syncFolder") {
    return {
      ...nodeFileLayer,
      syncFolder: (path) =>
        path.startsWith(`${folder}/`) && !path.endsWith("..") ? fail() : nodeFileLayer.syncFolder(path),
    };
  }
  return {
    ...nodeFileLayer,
    openAppend: async (path, options): Promise<AppendFile> => {
      const file = await nodeFileLayer.openAppend(path, options);
      return { ...file, [operation]: fail };
    },
  };
}

describe("createBlobFolder", () => {
  it("stores bytes under their hash, readable by the owner only, and returns them", async () => {
    const blobs = createBlobFolder(nodeFileLayer, folder);
    assert.equal(await blobs.get(hash), undefined);
    await blobs.put(hash, bytes);
    assert.deepEqual(await blobs.get(hash), bytes);
    const below = join(folder, hash.slice(0, 2));
    assert.deepEqual(await readdir(below), [hash]);
    assert.equal((await stat(below)).mode & 0o777, 0o700);
    assert.equal((await stat(join(below, hash))).mode & 0o777, 0o600);
    assert.deepEqual(await createBlobFolder(nodeFileLayer, folder).get(hash), bytes);
  });

  it("keeps the same once, also when it comes twice at a time", async () => {
    let opened = 0;
    const counting: FileLayer = {
      ...nodeFileLayer,
      openAppend: (path, options) => {
        opened += 1;
        return nodeFileLayer.openAppend(path, options);
      },
    };
    const blobs = createBlobFolder(counting, folder);
    await Promise.all([blobs.put(hash, bytes), blobs.put(hash, bytes)]);
    await blobs.put(hash, bytes);
    assert.equal(opened, 1);
    await Promise.all([
      createBlobFolder(nodeFileLayer, folder).put(hash, bytes),
      createBlobFolder(nodeFileLayer, folder).put(hash, bytes),
    ]);
    assert.deepEqual(await readdir(join(folder, hash.slice(0, 2))), [hash]);
  });

  for (const operation of ["append", "datasync", "rename", "syncFolder"] as const) {
    it(`says store_unavailable and leaves nothing when ${operation} fails, and takes the same later`, async () => {
      const blobs = createBlobFolder(failing(operation), folder);
      await assert.rejects(blobs.put(hash, bytes), { name: "StoreError", code: "store_unavailable" });
      assert.deepEqual(await readdir(join(folder, hash.slice(0, 2))), []);
      assert.equal(await blobs.get(hash), undefined);
      const healed = createBlobFolder(nodeFileLayer, folder);
      await healed.put(hash, bytes);
      assert.deepEqual(await healed.get(hash), bytes);
    });
  }

  it("takes no name but a hash", async () => {
    const blobs = createBlobFolder(nodeFileLayer, folder);
    for (const name of ["../../../etc/passwd", hash.toUpperCase(), `${hash}/..`, ""]) {
      await assert.rejects(blobs.get(name), RangeError);
      await assert.rejects(async () => blobs.put(name, bytes), RangeError);
    }
  });
});
