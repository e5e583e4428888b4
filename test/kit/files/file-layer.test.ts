/** The real disk below all stores. */
import assert from "node:assert/strict";
import { constants, existsSync } from "node:fs";
import { mkdtemp, readFile, readdir, readlink, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";

describe("nodeFileLayer", () => {
  it("creates a folder with its parents, also concurrently", async () => {
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

  it("says what is in the place of a folder", async () => {
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

  it("appends durably at the end, in turn with what is appended and cut", async () => {
    const root = await mkdtemp(join(tmpdir(), "trivet-files-"));
    const path = join(root, "file");
    const file = await nodeFileLayer.openAppend(path);
    try {
      await file.append(Buffer.from("a"));
      await file.appendDurably(Buffer.from("bc"));
      await file.append(Buffer.from("d"));
      await file.truncate(2);
      await file.appendDurably(Buffer.from("e"));
      assert.equal(await readFile(path, "utf8"), "abe");
    } finally {
      await file.close();
      await rm(root, { recursive: true, force: true });
    }
  });

  it(
    "opens for durable appends what the system syncs with each write",
    { skip: !existsSync("/proc/self/fd") },
    async () => {
      const root = await mkdtemp(join(tmpdir(), "trivet-files-"));
      const path = join(root, "file");
      const file = await nodeFileLayer.openAppend(path);
      try {
        await file.appendDurably(Buffer.from("a"));
        const flags: number[] = [];
        for (const name of await readdir("/proc/self/fd")) {
          if ((await readlink(`/proc/self/fd/${name}`).catch(() => "")) !== path) continue;
          const info = await readFile(`/proc/self/fdinfo/${name}`, "utf8");
          flags.push(Number.parseInt(/^flags:\s*(\d+)/mu.exec(info)?.[1] ?? "", 8));
        }
        assert.equal(flags.filter((each) => (each & constants.O_DSYNC) !== 0).length, 1);
      } finally {
        await file.close();
        await rm(root, { recursive: true, force: true });
      }
    },
  );

  it("names the file that a full disk takes no more of", { skip: !existsSync("/dev/full") }, async () => {
    const file = await nodeFileLayer.openAppend("/dev/full");
    try {
      for (const append of [file.append, file.appendDurably])
        await assert.rejects(append(Buffer.from("x")), {
          code: "ENOSPC",
          message: /no space left on device.* "\/dev\/full"$/iu,
        });
    } finally {
      await file.close();
    }
  });
});
