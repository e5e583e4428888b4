/**
 * `npm run mutants -- ROOM … [--max N] [--tests PART] [--again FILE]`: changes the code of a room in one place at a time and runs its
 * tests. A change that no test notices survives: either a test is missing, or the change makes no difference. `--tests`
 * takes only the files with PART in their path, and `--again` tries only the survivors that an earlier run printed to
 * FILE: first the fast tests, then all of them on what is left.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { z } from "zod";
import { textOf } from "../../../src/kit/thrown.ts";
import { projectFolder, runProcess } from "../../support/process.ts";
import { type Mutant, instrument, runtimeText } from "./instrument.ts";
import { type MutantRoom, mutantRooms } from "./rooms.ts";

/** For the tests without a mutant, also on a busy machine. */
const TIMEOUT_MS = 600_000;
/** A mutant whose tests take so many times as long never ends. */
const SLOWER = 10;

interface Bundles {
  readonly mutants: readonly Mutant[];
  readonly files: readonly string[];
}

async function bundle({ sources, tests }: MutantRoom, folder: string): Promise<Bundles> {
  const mutants: Mutant[] = [];
  const texts = new Map<string, string>();
  for (const file of sources) {
    const made = instrument(file, await readFile(join(projectFolder, file), "utf8"), mutants.length);
    mutants.push(...made.mutants);
    texts.set(file, made.text);
  }
  const runtime = join(folder, "runtime.mjs");
  await writeFile(runtime, runtimeText);
  await build({
    absWorkingDir: projectFolder,
    entryPoints: tests.map((test) => ({ in: test, out: basename(test, ".ts") })),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    inject: [runtime],
    logLevel: "error",
    plugins: [
      {
        name: "mutants",
        setup(target) {
          target.onLoad({ filter: /[/\\](?:src|test)[/\\].*\.tsx?$/ }, async ({ path }) => {
            const file = relative(projectFolder, path);
            const text = texts.get(file) ?? (await readFile(path, "utf8"));
            const url = JSON.stringify(pathToFileURL(path).href);
            const loader = path.endsWith("x") ? "tsx" : "ts";
            return { contents: text.replaceAll(/\bimport\.meta\.url\b/gu, () => url), loader };
          });
        },
      },
    ],
  });
  return { mutants, files: tests.map((test) => join(folder, `${basename(test, ".ts")}.mjs`)) };
}

/** Whether the tests of a file pass; undefined when they do not end. */
async function passes(
  file: string,
  env: Record<string, string>,
  timeoutMs: number,
): Promise<boolean | undefined> {
  const { code } = await runProcess({
    command: process.execPath,
    args: ["--test-reporter=dot", file],
    cwd: projectFolder,
    env,
    timeoutMs,
  });
  return code === undefined ? undefined : code === 0;
}

const reachedSchema = z.array(z.number());

interface Reached {
  readonly ids: ReadonlySet<number>;
  readonly tookMs: number;
}

/** File → the mutants that its tests reach. @throws Error when a test fails without any mutant */
async function findReached(files: readonly string[], folder: string): Promise<Map<string, Reached>> {
  const reached = new Map<string, Reached>();
  for (const file of files) {
    const to = join(folder, "reached.json");
    const started = performance.now();
    if (!(await passes(file, { MUTANTS_REACHED: to }, TIMEOUT_MS)))
      throw new Error(`${basename(file)} fails without a mutant`);
    const ids = new Set(reachedSchema.parse(JSON.parse(await readFile(to, "utf8"))));
    reached.set(file, { ids, tookMs: performance.now() - started });
  }
  return reached;
}

const show = ({ file, line, change }: Mutant): string => `${file}:${line} ${change}`;

async function tryRoom(
  name: string,
  room: MutantRoom,
  { max, again }: { max: number; again: string | undefined },
): Promise<void> {
  const cache = join(projectFolder, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "mutants-"));
  try {
    const { mutants, files } = await bundle(room, folder);
    const reached = await findReached(files, folder);
    // With --max, every so many of them.
    const step = Math.max(1, Math.ceil(mutants.length / max));
    const survived = again === undefined ? undefined : await readFile(again, "utf8");
    const isMeant = (mutant: Mutant): boolean => survived?.includes(`  ${show(mutant)}`) ?? true;
    const chosen = mutants.filter(isMeant).filter((_, at) => at % step === 0);
    const survivors: string[] = [];
    const queue = [...chosen];
    const work = async (): Promise<void> => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const { id } = mutant;
        // The fastest first: one that notices the change saves the others.
        const near = [...reached]
          .filter(([, { ids }]) => ids.has(id))
          .toSorted(([, one], [, other]) => one.tookMs - other.tookMs);
        let isKilled = false;
        for (const [file, { tookMs }] of near)
          if (!isKilled)
            isKilled = (await passes(file, { MUTANT: String(id) }, 10_000 + SLOWER * tookMs)) !== true;
        if (!isKilled) survivors.push(`${show(mutant)}${near.length === 0 ? " (not reached)" : ""}`);
      }
    };
    await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
    const killed = chosen.length - survivors.length;
    console.log(
      `${name}: ${killed} of ${chosen.length} killed (${((100 * killed) / chosen.length).toFixed(1)} %)`,
    );
    for (const survivor of survivors.toSorted()) console.log(`  ${survivor}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      max: { type: "string" },
      tests: { type: "string", default: "" },
      again: { type: "string" },
    },
  });
  const names = positionals.length === 0 ? Object.keys(mutantRooms) : positionals;
  for (const name of names) {
    const room = mutantRooms[name];
    if (room === undefined)
      throw new Error(`No room is called "${name}". There are ${Object.keys(mutantRooms).join(", ")}`);
    const tests = room.tests.filter((test) => test.includes(values.tests));
    await tryRoom(
      name,
      { ...room, tests },
      { max: Number(values.max ?? Number.POSITIVE_INFINITY), again: values.again },
    );
  }
}

try {
  await main();
} catch (error) {
  console.error(textOf(error));
  process.exitCode = 1;
}
