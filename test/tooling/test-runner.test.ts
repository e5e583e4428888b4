/** test/runner/main.ts, run over planted test files. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { projectFolder } from "../support/process.ts";
import { isDeno, toRunArguments } from "../support/own-runtime.ts";

const passing = 'import { it } from "node:test";\nit("passes", () => undefined);\n';

interface Outcome {
  readonly code: number;
  readonly lines: readonly string[];
}

// The runner is a program of Node, whatever runs this file: once is enough.
describe("test/runner/main.ts", { skip: isDeno && "it runs on Node" }, () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-runner-"));
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** As many test files as make bundles worth their time. */
  async function writeMany(): Promise<void> {
    for (const name of ["a", "b", "c", "d", "e"]) await writeFile(join(folder, `${name}.test.ts`), passing);
  }

  function run(...args: readonly string[]): Promise<Outcome> {
    const runner = join("test", "runner", "main.ts");
    const command = [...toRunArguments(runner), `--folder=${folder}`, ...args];
    return new Promise((resolve) => {
      execFile(process.execPath, command, { cwd: projectFolder }, (error, stdout) => {
        resolve({
          code: typeof error?.code === "number" ? error.code : 0,
          lines: stdout.trimEnd().split("\n"),
        });
      });
    });
  }

  it("runs each file on both runtimes and closes with the sum", async () => {
    await writeFile(join(folder, "a.test.ts"), passing);
    await writeFile(join(folder, "b.test.ts"), `${passing}it.skip("waits", () => undefined);\n`);
    await writeFile(join(folder, "not-a-test.ts"), "throw new Error('never loaded');\n");
    const { code, lines } = await run("--all");
    assert.equal(code, 0);
    assert.equal(lines.at(-1), "4 passed, 0 failed, 2 skipped");
  });

  it("only runs on Deno what depends on the runtime, directly or through others, by default", async () => {
    const runtime = relative(folder, join(projectFolder, "src", "runtime"));
    await mkdir(join(folder, "store", "journal"), { recursive: true });
    await writeFile(join(folder, "store", "journal", "a.test.ts"), passing);
    await writeFile(join(folder, "bench.ts"), `export { createRuntime } from "${runtime}/shell.ts";\n`);
    await writeFile(join(folder, "b.test.ts"), `import { createRuntime } from "./bench.ts";\n${passing}`);
    await writeFile(
      join(folder, "c.test.ts"),
      `import type { Runtime } from "${runtime}/node.ts";\n${passing}`,
    );
    await writeFile(join(folder, "d.test.ts"), passing);
    const { lines } = await run();
    assert.deepEqual(
      lines.filter((line) => line.includes("files,")),
      ["node: 4 files, 4 tests ran, 0 failed", "deno: 2 files, 2 tests ran, 0 failed"],
    );
    assert.equal(lines.at(-1), "6 passed, 0 failed");
  });

  it("leaves what no small install runs to --slow and --all", async () => {
    await mkdir(join(folder, "store", "journal"), { recursive: true });
    await writeFile(join(folder, "store", "journal", "a.test.ts"), passing);
    await writeFile(join(folder, "main-postgres.test.ts"), passing);
    const sums: string[] = [];
    for (const args of [[], ["--slow"], ["--all"]])
      sums.push((await run(...args)).lines.filter((line) => line.includes("files,")).join("; "));
    assert.deepEqual(sums, [
      "node: 1 files, 1 tests ran, 0 failed; deno: 1 files, 1 tests ran, 0 failed",
      "node: 2 files, 2 tests ran, 0 failed; deno: 1 files, 1 tests ran, 0 failed",
      "node: 2 files, 2 tests ran, 0 failed; deno: 2 files, 2 tests ran, 0 failed",
    ]);
  });

  it("counts what is skipped, also where that is all, and says why", async () => {
    const told = 'console.log("\\nSkipped: the moon is not up");\n';
    const skipped =
      'import { describe, it } from "node:test";\ndescribe("moonlight", { skip: "no moon" }, () => it("shines", () => undefined));\n';
    await writeFile(join(folder, "a.test.ts"), `${told}${skipped}`);
    await writeFile(join(folder, "b.test.ts"), passing);
    const { code, lines } = await run("--all");
    assert.equal(code, 0);
    assert.ok(
      lines.includes(
        `Skipped, because the moon is not up: ${relative(projectFolder, join(folder, "a.test.ts"))}`,
      ),
    );
    assert.equal(lines.at(-1), "2 passed, 0 failed, 2 skipped");
  });

  it("runs what failed once more by itself, and names what passes then as unsteady", async () => {
    const mark = JSON.stringify(join(folder, "mark"));
    const once = `import { existsSync, writeFileSync } from "node:fs";
import { it } from "node:test";
it("fails the first time", () => {
  if (existsSync(${mark})) return;
  writeFileSync(${mark}, "");
  throw new Error("broken once");
});
`;
    await writeFile(join(folder, "a.test.ts"), once);
    await writeFile(join(folder, "b.test.ts"), passing);
    const file = relative(projectFolder, join(folder, "a.test.ts"));
    const { code, lines } = await run("--node");
    assert.equal(code, 0);
    assert.ok(lines.some((line) => line.includes("broken once")));
    assert.ok(lines.includes(`Unsteady, failed beside others and passed alone: node ${file}`));
    assert.equal(lines.at(-1), "2 passed, 0 failed");
    await rm(join(folder, "mark"));
    const named = await run("--node", "a.test");
    assert.equal(named.code, 1);
    assert.equal(named.lines.at(-1), "0 passed, 1 failed");
  });

  it("exits non-zero and shows the failure when a test fails", async () => {
    await writeFile(
      join(folder, "a.test.ts"),
      `${passing}it("breaks", () => { throw new Error("broken on purpose"); });\n`,
    );
    const { code, lines } = await run("--all");
    assert.equal(code, 1);
    assert.equal(lines.at(-1), "2 passed, 2 failed");
    assert.match(lines.join("\n"), /broken on purpose/u);
  });

  it("names the line of the source where a test failed", async () => {
    await writeMany();
    const failing = `${passing}\nit("breaks", () => { throw new Error("broken on purpose"); });\n`;
    await writeFile(join(folder, "a.test.ts"), failing);
    const { lines } = await run("--node");
    assert.match(lines.join("\n"), /a\.test\.ts:4:/u);
  });

  it("runs the other files when one cannot be read as TypeScript", async () => {
    await writeMany();
    await writeFile(join(folder, "broken.test.ts"), "const = ;\n");
    const { code, lines } = await run("--node");
    assert.equal(code, 1);
    assert.match(lines.join("\n"), /run from their sources: .*broken\.test\.ts:1/su);
    assert.equal(lines.at(-1), "5 passed, 1 failed");
  });

  for (const runtime of ["node", "deno"])
    it(`runs small files of a room in one process on ${runtime}, and counts each`, async () => {
      const write = (name: string, text: string): Promise<void> =>
        writeFile(join(folder, `${name}.test.ts`), text);
      await mkdir(join(folder, "shop"));
      for (const name of ["a", "b"]) await write(`shop/${name}`, `${passing}globalThis.met = true;\n`);
      const meets = 'it("meets them", () => { if (!globalThis.met) throw new Error("alone"); });\n';
      await write("shop/c", `${passing}${meets}`);
      await write("shop/d", "export {};\n");
      await write(
        "shop/e",
        'for (const at of [1]) {\n  await null;\n}\nthrow new Error("while it loads");\n',
      );
      await mkdir(join(folder, "auth"));
      await write("auth/a", passing);
      await write(
        "auth/b",
        'import { it } from "node:test";\nit("leaves", () => process.kill(process.pid, "SIGKILL"));\n',
      );
      const { code, lines } = await run(`--${runtime}`);
      assert.equal(code, 1);
      const said = lines.join("\n");
      const begins = (sign: string, name: string): string =>
        `${sign} ${runtime} [^\n]*${name}\\.test\\.ts {2}[^\n]*`;
      assert.match(said, new RegExp(`${begins("ok  ", "shop/c")}`, "u"));
      assert.match(said, new RegExp(`${begins("FAIL", "shop/d")}\n +ran no test`, "u"));
      assert.match(said, new RegExp(`${begins("FAIL", "shop/e")}.*while it loads`, "su"));
      assert.match(said, new RegExp(`${begins("FAIL", "auth/b")}\n +ended by SIGKILL`, "u"));
      // What a process reported is lost when it is killed: only its run alone says that the other file passes.
      assert.match(said, new RegExp(`${begins("FAIL", "auth/a")}.*${begins("ok  ", "auth/a")}`, "su"));
      assert.equal(lines.at(-1), "5 passed, 3 failed");
    });

  it("finds which file of a process left an uncaught error, by running it", async () => {
    await mkdir(join(folder, "shop"));
    for (const name of ["a", "c", "d", "e"])
      await writeFile(join(folder, "shop", `${name}.test.ts`), passing);
    const late = `import { it } from "node:test";
it("goes on", () => new Promise((resolve) => {
  setTimeout(() => { throw new Error("broken later"); }, 1);
  setTimeout(resolve, 1);
}));
`;
    await writeFile(join(folder, "shop", "b.test.ts"), late);
    const { code, lines } = await run("--node");
    assert.equal(code, 1);
    const said = lines.join("\n");
    assert.match(said, /FAIL node [^\n]*b\.test\.ts {2}0 passed, 1 failed.*broken later/su);
    assert.equal(lines.at(-1), "4 passed, 1 failed");
  });

  it("fails when no test ran at all, but for those of packages", async () => {
    const packageFolder = join(folder, "lab", "node_modules", "peer");
    await mkdir(packageFolder, { recursive: true });
    await writeFile(join(packageFolder, "peer.test.ts"), passing);
    const { code, lines } = await run("--node");
    assert.equal(code, 1);
    assert.equal(lines.at(-1), "0 passed, 0 failed");
  });

  it("fails for a file that holds no test", async () => {
    await writeFile(join(folder, "a.test.ts"), passing);
    await writeFile(join(folder, "empty.test.ts"), "export {};\n");
    const { code, lines } = await run("--all");
    assert.equal(code, 1);
    assert.equal(lines.at(-1), "2 passed, 2 failed");
  });

  it("fails for a file whose process ends early with exit 0", async () => {
    await writeFile(
      join(folder, "early.test.ts"),
      'import { it } from "node:test";\nit("leaves", () => process.exit(0));\n',
    );
    const { code, lines } = await run("--all");
    assert.equal(code, 1);
    assert.equal(lines.at(-1), "0 passed, 2 failed");
  });

  it("cuts off a file that hangs and names it", async () => {
    const hanging =
      'import { it } from "node:test";\nit("hangs", () => new Promise(() => setInterval(() => {}, 1000)));\n';
    await writeFile(join(folder, "hang.test.ts"), hanging);
    const { code, lines } = await run("--node", "--timeout=3");
    assert.equal(code, 1);
    assert.match(lines.join("\n"), /FAIL node .*hang\.test\.ts[^\n]*\n +hung: cut off after 3 s/u);
    assert.equal(lines.at(-1), "0 passed, 1 failed");
  });

  it("runs only the files that a filter names", async () => {
    await writeFile(join(folder, "a.test.ts"), passing);
    await writeFile(join(folder, "b.test.ts"), 'throw new Error("not chosen");\n');
    const { code, lines } = await run("--deno", "a.test");
    assert.equal(code, 0);
    assert.equal(lines.at(-1), "1 passed, 0 failed");
  });
});
