/** The pages as `npm start` and the tests build them, in a copy of the sources. */
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { isDeno } from "../support/own-runtime.ts";
import { projectFolder, runProcess } from "../support/process.ts";

describe("scripts/pages.js", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-pages-"));
    for (const path of ["src", "scripts", "package.json", "package-lock.json", "deno.json"])
      await cp(join(projectFolder, path), join(folder, path), {
        recursive: true,
        filter: (source) => !source.includes(join("src", "web", "built")),
      });
    await symlink(join(projectFolder, "node_modules"), join(folder, "node_modules"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const build = async (): Promise<void> => {
    const args = [...(isDeno ? ["run", "-A"] : []), "scripts/pages.js"];
    const { code, output } = await runProcess({ command: process.execPath, args, cwd: folder });
    assert.equal(code, 0, output);
  };
  /** Name of each file → its bytes, as text. */
  const readBuilt = async (): Promise<Map<string, string>> => {
    const built = join(folder, "src", "web", "built");
    const entries = await readdir(built, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort();
    return new Map(
      await Promise.all(files.map(async (path) => [path, await readFile(path, "base64")] as const)),
    );
  };

  it("gives whole pages to two that build them at once, and leaves nothing else behind", async () => {
    await Promise.all([build(), build()]);
    const both = await readBuilt();
    assert.ok(both.size > 100, String(both.size));
    assert.deepEqual(
      (await readdir(join(folder, "src", "web"))).filter((name) => name.startsWith("built")).sort(),
      ["built", "built.state"],
    );
    await rm(join(folder, "src", "web", "built"), { recursive: true });
    await build();
    assert.deepEqual(await readBuilt(), both);
  });

  it("replaces the files of a changed source, and no other", async () => {
    const earlier = await readBuilt();
    const source = join(folder, "src", "texts", "de", "web-auth.json");
    const texts = await readFile(source, "utf8");
    await writeFile(source, texts.replace(/^\{/u, '{ "auth.test": "Probe",'));
    await writeFile(join(folder, "src", "web", "built", "stale-0123456789.js"), "");
    await build();
    const later = await readBuilt();
    assert.deepEqual([...later.keys()], [...earlier.keys()]);
    const changed = [...later].filter(([name, bytes]) => earlier.get(name) !== bytes).map(([name]) => name);
    assert.equal(changed.length, 1, changed.join());
    assert.match(changed[0] ?? "", /auth.(?:locale|sections)-de\.json$/u);
  });
});
