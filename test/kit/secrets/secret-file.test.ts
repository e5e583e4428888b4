import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { loadSecret } from "../../../src/kit/secrets/secret-file.ts";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { FaultyFiles } from "../../store/faulty-files.ts";

const name = "auth-secret.json";
const variable = "AUTH_SECRET";
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-secret-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe("loadSecret", () => {
  it("creates a secret of 48 random bytes once, in a file for its owner only", async () => {
    const place = { folder, name, variable };
    const first = await loadSecret(nodeFileLayer, place);
    assert.equal(first.made, true);
    assert.match(first.secret, /^key_[\w-]{64}$/u);
    assert.equal(first.path, join(folder, name));
    assert.equal((await stat(first.path)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder), [name]);
    assert.deepEqual(await loadSecret(nodeFileLayer, place), { ...first, made: false });
  });

  it("refuses a damaged file, names it and its remedy, and leaves it as it is", async () => {
    const path = join(folder, name);
    for (const text of ["", "{", "[]", '{"secret":""}', '{"secret":"short"}', '{"secret":5}', "null"]) {
      await writeFile(path, text);
      await assert.rejects(loadSecret(nodeFileLayer, { folder, name, variable }), (error: Error) => {
        assert.ok(error.message.includes(path), error.message);
        assert.match(error.message, /backup.*AUTH_SECRET/u);
        return true;
      });
      assert.equal(await readFile(path, "utf8"), text);
    }
  });

  it("leaves no secret behind that a failing disk may have lost, and makes one when it works again", async () => {
    for (const operation of ["append", "datasync", "rename"] as const) {
      const files = new FaultyFiles();
      await files.makeFolder();
      files.fail({ operation });
      const place = { folder: "/data", name, variable };
      await assert.rejects(loadSecret(files, place), /simulated/u);
      const { secret, made } = await loadSecret(files, place);
      assert.equal(made, true);
      assert.equal((await loadSecret(files.afterPowerCut(), place)).secret, secret);
    }
  });
});
