/** The real disk below all stores. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";

describe("nodeFileLayer", () => {
  it("makes a folder with those above it, also when others do so at the same moment", async () => {
    const root = await mkdtemp(join(tmpdir(), "trivet-files-"));
    try {
      for (let round = 0; round < 50; round += 1) {
        const above = join(root, String(round), "shop");
        const below = Array.from({ length: 8 }, (_, n) => join(above, "blobs", String(n % 3)));
        await Promise.all(below.map((path) => nodeFileLayer.makeFolder(path)));
        for (const path of [above, ...below]) assert.equal((await stat(path)).mode & 0o777, 0o700);
      }
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it("says what stands where a folder shall be", async () => {
    const root = await mkdtemp(join(tmpdir(), "trivet-files-"));
    try {
      const file = await nodeFileLayer.openAppend(join(root, "file"));
      await file.close();
      await assert.rejects(nodeFileLayer.makeFolder(join(root, "file")), { code: "EEXIST" });
      await assert.rejects(nodeFileLayer.makeFolder(join(root, "file", "below")), { code: "ENOTDIR" });
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it("names the file that a full disk takes no more of", { skip: !existsSync("/dev/full") }, async () => {
    const file = await nodeFileLayer.openAppend("/dev/full");
    try {
      await assert.rejects(file.append(Buffer.from("x")), {
        code: "ENOSPC",
        message: /no space left on device.* "\/dev\/full"$/iu,
      });
    } finally {
      await file.close();
    }
  });
});
