import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { nodeFileLayer } from "../../../../src/kit/files/file-layer.ts";
import { findDamagedOrigin, readOrigin } from "../../../../src/store/series/samples/origin.ts";

describe("the name of a sample log's folder", () => {
  let folder: string;
  const toPath = (): string => join(folder, "origin");

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-origin-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is made once", async () => {
    assert.equal(await findDamagedOrigin(nodeFileLayer, folder), undefined);
    const origin = await readOrigin(folder);
    assert.equal(await readOrigin(folder), origin);
    assert.equal(await findDamagedOrigin(nodeFileLayer, folder), undefined);
  });

  it("is refused after any of its bits turned over", async () => {
    const origin = await readOrigin(folder);
    const whole = await readFile(toPath());
    for (let bit = 0; bit < origin.length * 8; bit += 1) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8((bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)), bit >> 3);
      await writeFile(toPath(), bytes);
      await assert.rejects(readOrigin(folder), /origin" is damaged/u, `bit ${bit}`);
      assert.equal(await findDamagedOrigin(nodeFileLayer, folder), toPath());
    }
  });

  it("is taken without a checksum, as earlier versions made it", async () => {
    await writeFile(toPath(), "org_01m8gn9e0v0m4mevcwdsd2gjsx\n");
    assert.equal(await readOrigin(folder), "org_01m8gn9e0v0m4mevcwdsd2gjsx");
  });
});
