/** Two builds of the same sources, in two folders with other settings around them, are equal byte for byte. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, before, describe, it } from "node:test";
import { findProgram, tellSkipped } from "../support/missing.ts";
import { isDeno } from "../support/own-runtime.ts";
import { projectFolder, runProcess } from "../support/process.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-reproducible-"));
});
after(() => rm(folder, { recursive: true, force: true }));

async function build(project: string, to: string, env: Record<string, string> = {}): Promise<void> {
  const script = 'umask "${MASK:-022}"; exec node --import tsx scripts/build.ts --to "$1"';
  const args = ["-c", script, "sh", to];
  const { code, output } = await runProcess({ command: "sh", args, cwd: project, env, timeoutMs: 120_000 });
  assert.equal(code, 0, output);
}

const AT = "2026-11-29T00:00:00Z";

/** Calls a function of scripts/release in a process of its own; resolves with what it prints. */
async function call(file: string, line: string, ...args: readonly string[]): Promise<string> {
  const script = `import * as release from "./scripts/release/${file}"; const [one, two] = process.argv.slice(1);
    const at = new Date("${AT}"); process.stdout.write((await ${line}) ?? "");`;
  const { code, output } = await runProcess({
    command: "node",
    args: ["--import", "tsx", "--input-type=module", "-e", script, ...args],
    cwd: projectFolder,
    timeoutMs: 60_000,
  });
  assert.equal(code, 0, output);
  return output;
}

/** Path → hash of every file. */
async function hashFiles(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const pairs = files.sort().map(async (file) => {
    const hash = createHash("sha256").update(await readFile(file));
    return [relative(root, file), hash.digest("hex")] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

describe("a build", { skip: isDeno && "it is built by Node" }, () => {
  it("is the same in another folder, time zone, language, and with another umask", async () => {
    const other = join(folder, "a folder with spaces");
    await mkdir(other);
    const left = new Set([".git", "node_modules", "dist", "data"]);
    for (const name of await readdir(projectFolder))
      if (!left.has(name)) await cp(join(projectFolder, name), join(other, name), { recursive: true });
    await rm(join(other, "src/web/built"), { recursive: true, force: true });
    // Links, because a copy of all packages takes long, and a link to their folder would show another path to the bundler.
    const linked = await runProcess({
      command: "cp",
      args: ["-a", "-l", join(projectFolder, "node_modules"), other],
    });
    if (linked.code !== 0) {
      await rm(join(other, "node_modules"), { recursive: true, force: true });
      await cp(join(projectFolder, "node_modules"), join(other, "node_modules"), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
    const [one, two] = [join(folder, "one"), join(folder, "two")];
    await build(projectFolder, one);
    await build(other, two, { TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8", MASK: "077" });
    const [first, second] = [await hashFiles(one), await hashFiles(two)];
    assert.ok(Object.keys(first).length > 200);
    assert.deepEqual(second, first);

    const bill = await call("bill.ts", "release.writeBill(one, at)", one);
    assert.equal(await call("bill.ts", "release.writeBill(one, at)", two), bill);
    const { components } = JSON.parse(bill) as { components: readonly { readonly name: string }[] };
    const names = components.map(({ name }) => name);
    for (const name of ["hono", "preact", "sharp", "node", "noto-sans-thai.ttf.gz", "figtree"])
      assert.ok(
        names.some((each) => each === name || each.startsWith(`${name}-`)),
        `the bill lists ${name}`,
      );
    assert.ok(!names.includes("oxlint"), "what only builds it is left out");
  });
});

const skip =
  findProgram("tar") === undefined && tellSkipped("tar is not installed (Debian: apt install tar)");
describe("an archive of a release", { skip: isDeno ? "it is built by Node" : skip }, () => {
  it("depends on names and contents alone", async () => {
    const archives: string[] = [];
    for (const [round, mode] of [0o600, 0o644].entries()) {
      const room = join(folder, `round-${round}`, "trivet-1.2.3");
      await mkdir(room, { recursive: true });
      const names = ["b.txt", "a.txt"];
      for (const name of round === 0 ? names : names.toReversed()) {
        await writeFile(join(room, name), name, { mode });
        await utimes(join(room, name), round * 1_000, round * 1_000);
      }
      const archive = join(folder, `round-${round}.tar.gz`);
      await call("archive.ts", "release.archiveFolder(one, two, at)", room, archive);
      archives.push((await readFile(archive)).toString("base64"));
    }
    assert.equal(archives[1], archives[0]);
  });
});
