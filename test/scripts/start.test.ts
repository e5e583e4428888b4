import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { isDeno } from "../support/own-runtime.ts";
import { projectFolder } from "../support/process.ts";

const taken = [
  "scripts/start.js",
  "scripts/bundle-start.ts",
  "scripts/pages.js",
  "scripts/process.ts",
  "src/runtime/program-bundle.ts",
];

/** In place of scripts/web.ts: notes how often it ran, and writes a page that names the state. */
const builder = `import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
const [state = ""] = process.argv.slice(2);
mkdirSync("src/web/built", { recursive: true });
writeFileSync("src/web/built/index.html", state);
writeFileSync("src/web/built.state", state);
appendFileSync("node_modules/builds", "a build\\n");
`;

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
    await mkdir(join(folder, "src", "web"), { recursive: true });
    await writeFile(join(folder, "scripts", "web.ts"), builder);
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

  const countBuilds = async (): Promise<number> => {
    const text = await readFile(join(folder, "node_modules", "builds"), "utf8");
    return text.trimEnd().split("\n").length;
  };

  it("builds the pages once, and again when a source changed or they were removed", async () => {
    await writeMain(program("first"));
    start();
    start();
    assert.equal(await countBuilds(), 1);
    await writeFile(join(folder, "src", "web", "new.css"), "a { color: red }");
    start();
    assert.equal(await countBuilds(), 2);
    await rm(join(folder, "src", "web", "built"), { recursive: true });
    start();
    assert.equal(await countBuilds(), 3);
  });

  it("goes on with existing pages where they cannot be built, and says what to do where there are none", async () => {
    await writeMain(program("first"));
    await writeFile(join(folder, "scripts", "web.ts"), 'throw new Error("no room");\n');
    const run = (): string =>
      spawnSync(process.execPath, [join(folder, "scripts", "start.js")], { encoding: "utf8" }).stderr;
    assert.match(run(), /Run "npm ci" and "npm run web" as a user who may write to this folder.*no room/su);
    await mkdir(join(folder, "src", "web", "built"));
    await writeFile(join(folder, "src", "web", "built", "index.html"), "<p>older</p>");
    assert.match(run(), /the existing ones in src\/web\/built are served.*no room/su);
  });
});
