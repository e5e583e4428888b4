import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
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

  it("runs a bundle of the sources, and makes another when they changed", async () => {
    await writeMain(program("first"));
    assert.equal(start("shop", "--help"), "first true shop --help\n");
    const [first] = await listBundles();
    assert.equal(start(), "first true\n");
    assert.deepEqual(await listBundles(), [first]);
    await writeMain(program("second ü"));
    assert.equal(start(), "second ü true\n");
    assert.equal((await listBundles()).length, 2);
  });

  it("reads a part when it is needed, also one of an older bundle that still runs", async () => {
    await mkdir(join(folder, "src", "service"));
    const part = 'console.log("a part");\nexport {};\n';
    await writeFile(join(folder, "src", "service", "part.ts"), part);
    const wait =
      'if (process.argv[2] === "wait") { process.stdin.resume(); process.stdin.on("end", () => import("./service/part.ts")); }';
    await writeMain(`console.log("begun");\n${wait}\n`);
    const child = spawn(process.execPath, [join(folder, "scripts", "start.js"), "wait"]);
    const said = child.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
    assert.equal((await said.next()).value, "begun\n");
    for (const word of ["second", "third"]) {
      await writeMain(program(word));
      start();
    }
    child.stdin.end();
    assert.equal((await said.next()).value, "a part\n");
    await writeMain(program("fourth"));
    start();
    assert.equal((await listBundles()).length, 3);
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
