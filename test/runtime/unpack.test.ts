import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type PackedFiles, listRoots, unpackFiles } from "../../src/runtime/unpack.ts";

function pack(contents: Readonly<Record<string, string>>): PackedFiles {
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
  return {
    hashes: Object.fromEntries(Object.entries(contents).map(([path, text]) => [path, hash(text)])),
    read: (path) => new TextEncoder().encode(contents[path]),
  };
}

describe("unpackFiles", () => {
  let folder = "";
  let root = "";
  const files = pack({ "trivet.js": "run()", "node_modules/hash/hash.node": "binary" });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-unpack-"));
    root = join(folder, "cache", "trivet");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

  it("writes every file without access for others, and the same once", async () => {
    const place = unpackFiles(files, [root]);
    assert.equal(await readFile(join(place, "node_modules/hash/hash.node"), "utf8"), "binary");
    assert.deepEqual([modeOf(root), modeOf(place), modeOf(join(place, "trivet.js"))], [0o700, 0o700, 0o600]);
    const { ino } = lstatSync(join(place, "trivet.js"));
    assert.equal(unpackFiles(files, [root]), place);
    assert.equal(lstatSync(join(place, "trivet.js")).ino, ino);
    assert.equal((await readdir(root)).length, 1);
  });

  it("replaces what was changed, cut off, removed, or led elsewhere", async () => {
    const place = unpackFiles(files, [root]);
    const binary = join(place, "node_modules/hash/hash.node");
    const elsewhere = join(folder, "elsewhere");
    await writeFile(elsewhere, "binary");
    for (const damage of [
      () => writeFile(binary, "hostil"),
      () => writeFile(binary, "bin"),
      () => rm(binary),
      () => rm(binary).then(() => symlink(elsewhere, binary)),
    ]) {
      await damage();
      assert.equal(unpackFiles(files, [root]), place);
      assert.ok(lstatSync(binary).isFile());
      assert.equal(await readFile(binary, "utf8"), "binary");
    }
    assert.equal((await readdir(root)).length, 1);
  });

  it("takes a folder back that others could write into", async () => {
    await mkdir(root, { recursive: true });
    await chmod(root, 0o777);
    unpackFiles(files, [root]);
    assert.equal(modeOf(root), 0o700);
  });

  it("goes on to the next folder where one leads elsewhere or is a file, and says why there is none", async () => {
    const link = join(folder, "link");
    await mkdir(join(folder, "aim"));
    await symlink(join(folder, "aim"), link);
    const file = join(folder, "file");
    await writeFile(file, "");
    assert.ok(unpackFiles(files, [link, file, root]).startsWith(root));
    assert.deepEqual(await readdir(join(folder, "aim")), []);
    assert.throws(
      () => unpackFiles(files, [link, join(file, "below")]),
      /"[^"]+link" is not a folder.*ENOTDIR/u,
    );
  });

  it("keeps the three versions that were started last", async () => {
    const places = ["1", "2", "3"].map((text) => unpackFiles(pack({ "trivet.js": text }), [root]));
    for (const [index, place] of places.entries()) await utimes(place, 1_000 + index, 1_000 + index);
    const last = unpackFiles(pack({ "trivet.js": "4" }), [root]);
    const kept = new Set((await readdir(root)).map((name) => join(root, name)));
    assert.deepEqual(kept, new Set([places[1], places[2], last]));
  });
});

describe("listRoots", () => {
  const own = { home: "/home/ada", temporary: "/tmp", user: 1000 };

  it("begins with the folder that systemd names, and ends with one of the user's own", () => {
    assert.deepEqual(listRoots({ CACHE_DIRECTORY: "/var/cache/trivet:/var/cache/more" }, own), [
      "/var/cache/trivet/program",
      "/home/ada/.cache/trivet",
      "/tmp/trivet-1000",
    ]);
  });

  it("takes an absolute XDG_CACHE_HOME alone, as its specification says", () => {
    assert.deepEqual(listRoots({ XDG_CACHE_HOME: "/cache" }, own).slice(0, 1), ["/cache/trivet"]);
    assert.deepEqual(listRoots({ XDG_CACHE_HOME: "cache" }, own).slice(0, 1), ["/home/ada/.cache/trivet"]);
  });
});
