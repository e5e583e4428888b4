import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { isDeno } from "../support/own-runtime.ts";
import { projectFolder } from "../support/process.ts";

const taken = [
  "scripts/start.js",
  "scripts/bundle-start.ts",
  "scripts/process.ts",
  "src/runtime/program-bundle.ts",
];

// In pieces, because a bundle of this test replaces the whole word.
const ownUrl = ["import", "meta", "url"].join(".");

describe("npm start", { skip: isDeno && "Deno runs the sources" }, () => {
  let folder = "";

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-start-"));
    for (const path of taken) await cp(join(projectFolder, path), join(folder, path));
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await writeFile(join(folder, "package-lock.json"), "{}");
    await mkdir(join(folder, "node_modules"));
    for (const name of ["tsx", "esbuild"])
      await symlink(join(projectFolder, "node_modules", name), join(folder, "node_modules", name));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const writeMain = (text: string): Promise<void> => writeFile(join(folder, "src", "main.ts"), text);
  const start = (...args: string[]): string =>
    execFileSync(process.execPath, [join(folder, "scripts", "start.js"), ...args], {
      encoding: "utf8",
      cwd: tmpdir(),
    });
  const listBundles = (): Promise<string[]> => readdir(join(folder, "node_modules", ".cache", "trivet"));

  const program = (word: string): string =>
    `const word: string = "${word}";\nconsole.log(word, ${ownUrl}.includes("/src/main.ts"), ...process.argv.slice(2));\n`;

  it("runs one bundle of the sources, and makes it anew when they changed", async () => {
    await writeMain(program("first"));
    assert.equal(start("shop", "--help"), "first true shop --help\n");
    const [first] = await listBundles();
    assert.equal(start(), "first true\n");
    assert.deepEqual(await listBundles(), [first]);
    await writeMain(program("second ü"));
    assert.equal(start(), "second ü true\n");
    const bundles = await listBundles();
    assert.equal(bundles.length, 1);
    assert.notEqual(bundles[0], first);
  });

  it("runs the sources where no bundle can be kept", async () => {
    await writeFile(join(folder, "node_modules", ".cache"), "a file");
    await writeMain(program("plain"));
    assert.equal(start("auth"), "plain true auth\n");
  });

  it("says what is wrong with a source", async () => {
    await writeMain("const broken: = 1;");
    assert.throws(start, ({ stderr }: { stderr: string }) => stderr.includes("main.ts"));
  });
});
