import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { hashSecret } from "../../../src/kit/secrets/admin-token.ts";
import {
  findTokenFault,
  loadAdminToken,
  removeShownToken,
  renewAdminToken,
  writeShownToken,
} from "../../../src/kit/secrets/admin-token-file.ts";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";

describe("loadAdminToken", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-token-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("creates a token once and only keeps its hash, for the owner only", async () => {
    const first = await loadAdminToken(nodeFileLayer, folder);
    assert.ok(first.madeToken);
    assert.equal(first.tokenHash, hashSecret(first.madeToken));
    assert.ok(!(await readFile(first.path, "utf8")).includes(first.madeToken));
    assert.equal((await stat(first.path)).mode & 0o777, 0o600);
    assert.deepEqual(await loadAdminToken(nodeFileLayer, folder), {
      tokenHash: first.tokenHash,
      path: first.path,
    });
  });

  it("creates a new token when the file was removed", async () => {
    const first = await loadAdminToken(nodeFileLayer, folder);
    await rm(first.path);
    const second = await loadAdminToken(nodeFileLayer, folder);
    assert.ok(second.madeToken);
    assert.notEqual(second.tokenHash, first.tokenHash);
  });

  for (const text of ["", "{", "{}", '{"tokenHash":"abc"}']) {
    it(`refuses a file that holds "${text}", says what to do, and leaves it`, async () => {
      const path = join(folder, "admin-token.json");
      await writeFile(path, text);
      await assert.rejects(
        loadAdminToken(nodeFileLayer, folder),
        /remove the file so that the next start creates a new token/u,
      );
      assert.equal(await readFile(path, "utf8"), text);
    });
  }

  it("refuses a file after any of its bits turned over", async () => {
    const { path } = await loadAdminToken(nodeFileLayer, folder);
    const whole = await readFile(path);
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8((bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)), bit >> 3);
      await writeFile(path, bytes);
      await assert.rejects(
        loadAdminToken(nodeFileLayer, folder),
        /does not contain a token hash/u,
        `bit ${bit}`,
      );
      assert.equal((await findTokenFault(nodeFileLayer, folder))?.path, path);
    }
    await writeFile(path, whole);
    assert.equal(await findTokenFault(nodeFileLayer, folder), undefined);
  });

  it("takes a file of an earlier version, which has no checksum", async () => {
    const tokenHash = hashSecret("adm_token");
    await writeFile(join(folder, "admin-token.json"), `${JSON.stringify({ tokenHash })}\n`);
    assert.equal((await loadAdminToken(nodeFileLayer, folder)).tokenHash, tokenHash);
  });

  it("finds a shown token that is not the one of the hash", async () => {
    const { madeToken = "" } = await loadAdminToken(nodeFileLayer, folder);
    const path = await writeShownToken(nodeFileLayer, folder, madeToken);
    assert.equal(await findTokenFault(nodeFileLayer, folder), undefined);
    await writeShownToken(nodeFileLayer, folder, madeToken.toLowerCase());
    assert.equal((await findTokenFault(nodeFileLayer, folder))?.path, path);
  });

  it("takes no half-written file for a token", async () => {
    const files = { ...nodeFileLayer, rename: () => Promise.reject(new Error("ENOSPC")) };
    await assert.rejects(loadAdminToken(files, folder), /ENOSPC/u);
    assert.ok((await loadAdminToken(nodeFileLayer, folder)).madeToken);
  });
});

describe("a new token", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-token-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("takes the place of the former one, also of a damaged file", async () => {
    const first = await loadAdminToken(nodeFileLayer, folder);
    const second = await renewAdminToken(nodeFileLayer, folder);
    assert.notEqual(second.tokenHash, first.tokenHash);
    assert.equal((await loadAdminToken(nodeFileLayer, folder)).tokenHash, second.tokenHash);
    await writeFile(second.path, "{");
    const third = await renewAdminToken(nodeFileLayer, folder);
    assert.equal((await loadAdminToken(nodeFileLayer, folder)).tokenHash, hashSecret(third.madeToken));
  });

  it("is refused in a folder that has none", async () => {
    await assert.rejects(renewAdminToken(nodeFileLayer, folder), /The first start creates one/u);
  });

  it("is in a file of the owner until it is used, not until the former one is", async () => {
    const path = await writeShownToken(nodeFileLayer, folder, "adm_new");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    await removeShownToken(nodeFileLayer, folder, hashSecret("adm_former"));
    assert.equal(await readFile(path, "utf8"), "adm_new\n");
    await removeShownToken(nodeFileLayer, folder, hashSecret("adm_new"));
    await assert.rejects(stat(path), { code: "ENOENT" });
    await removeShownToken(nodeFileLayer, folder, hashSecret("adm_new"));
  });
});
