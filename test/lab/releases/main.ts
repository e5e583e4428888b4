/**
 * `npm run releases [-- package single nodes] [--tests PART,…]`: builds what people get, and starts each of it on an empty
 * folder: the package by npx, all services as one file, and the bundle on each version of Node that package.json names,
 * where npm must install without a warning. Needs the npm registry.
 */
import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../../../src/kit/thrown.ts";
import { nodeOptions } from "../../../src/runtime/start-options.ts";
import { projectFolder, runProcess } from "../../support/process.ts";
import { tryServices } from "./trial.ts";

/** The newest of each line that npm had for x64 and arm64. */
const versions = ["22.23.3", "24.21.0", "26.10.0"];

/** What meets the runtime most: listeners, files, native hashes, programs, and a simulated run beside Deno. */
const ownTests = ["runtime/", "auth/passwords", "kit/outbound/outbound.test", "simulation/runtimes"];

const say = (line: string): void => console.log(line);

async function must(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const { cwd = projectFolder, env } = options;
  const { code, output } = await runProcess({ command, args, cwd, env, timeoutMs: 900_000 });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${code ?? "unknown"}\n${output}`);
  return output;
}

/** What npm warns of, but for what the machine's own settings hold, which is not ours to mend. */
const warningsOf = (output: string): string[] =>
  output
    .split("\n")
    .filter((line) => /npm warn|deprecat|warning/iu.test(line))
    .filter((line) => !/Unknown (?:env|user|global|builtin) config/u.test(line));

const sizeLines = (output: string): string =>
  output
    .split("\n")
    .filter((line) => /[KM]iB/u.test(line))
    .join("; ");

async function build(folder: string): Promise<string> {
  const dist = join(folder, "dist");
  await must("npm", ["run", "--silent", "build", "--", "--to", dist]);
  return dist;
}

/** By npx, in a folder of its own: data lies there unless DATA_DIR names another. */
async function tryPackage(folder: string, dist: string): Promise<void> {
  const empty = join(folder, "empty");
  await mkdir(empty);
  await must("npm", ["pack", "--silent", dist], { cwd: empty });
  const [name = ""] = await readdir(empty);
  const version = await must("npx", ["--yes", `./${name}`, "--version"], { cwd: empty });
  assert.match(version, /^\d+\.\d+\.\d+$/mu);
  const said = await must("npm", ["install", "--prefix", empty, `./${name}`], { cwd: empty });
  assert.deepEqual(warningsOf(said), []);
  await tryServices(["env", join(empty, "node_modules", ".bin", "trivet")]);
  say(`ok   package: ${name} by npx and by npm install`);
}

async function trySingle(folder: string): Promise<void> {
  const to = join(folder, "single");
  const output = await must("npm", [
    "run",
    "--silent",
    "build:single",
    "--",
    "--plain",
    "--arch",
    process.arch,
    "--to",
    to,
  ]);
  const file = join(to, `trivet-linux-${process.arch}`);
  await tryServices(["env", "-u", "PATH", file], { XDG_CACHE_HOME: join(folder, "cache") });
  say(`ok   single: ${sizeLines(output)}`);
}

/** Node of a version, from npm; resolves with an environment that finds it first. */
async function installNode(
  version: string,
  folder: string,
): Promise<{ node: string; env: NodeJS.ProcessEnv }> {
  const name = `node-${process.platform}-${process.arch}`;
  await must(
    "npm",
    ["install", "--silent", "--no-save", "--ignore-scripts", "--prefix", folder, `${name}@${version}`],
    {
      cwd: folder,
    },
  );
  const node = join(folder, "node_modules", name, "bin", "node");
  return { node, env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}` } };
}

/** What a clone does first. */
async function tryClean(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const clone = join(folder, "clone");
  await mkdir(clone);
  for (const name of ["package.json", "package-lock.json", ".npmrc"])
    await copyFile(join(projectFolder, name), join(clone, name));
  const said = await must("npm", ["ci", "--engine-strict", "--prefer-offline"], { cwd: clone, env });
  assert.deepEqual(warningsOf(said), []);
}

async function tryNode(
  version: string,
  folder: string,
  parts: { dist: string; tests: readonly string[] },
): Promise<void> {
  await mkdir(folder);
  const startMs = performance.now();
  const { node, env } = await installNode(version, folder);
  await tryClean(folder, env);
  await tryServices([node, ...nodeOptions, join(parts.dist, "trivet.js")]);
  const args = ["--import", "tsx", "test/runner/main.ts", "--node", ...parts.tests];
  const output = parts.tests.length === 0 ? "" : await must(node, args, { env });
  const [counts = "no tests"] = output.match(/^\d+ passed, 0 failed.*$/mu) ?? [];
  say(
    `ok   nodes: Node ${version}, npm ci without a warning, ${counts}, ${((performance.now() - startMs) / 1_000).toFixed(0)} s`,
  );
}

async function tryNodes(folder: string, parts: { dist: string; tests: readonly string[] }): Promise<void> {
  for (const version of versions) await tryNode(version, join(folder, version), parts);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { tests: { type: "string", default: ownTests.join(",") } },
    allowPositionals: true,
  });
  const tests = values.tests.split(",").filter(Boolean);
  const parts: Readonly<Record<string, (folder: string, dist: string) => Promise<void>>> = {
    package: tryPackage,
    single: trySingle,
    nodes: (folder, dist) => tryNodes(folder, { dist, tests }),
  };
  const room = await mkdtemp(join(tmpdir(), "trivet-releases-"));
  try {
    const dist = await build(room);
    for (const [name, run] of Object.entries(parts)) {
      if (positionals.length > 0 && !positionals.includes(name)) continue;
      const folder = join(room, name);
      await mkdir(folder);
      await run(folder, dist).catch((error: unknown) => {
        process.exitCode = 1;
        say(`FAIL ${name}: ${textOf(error)}`);
      });
    }
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

await main();
