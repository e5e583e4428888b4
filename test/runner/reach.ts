/** Which test files meet the runtime: by what they import, directly and through others. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { projectFolder } from "../support/process.ts";

/** What a module takes from others of the project when it runs; types are gone by then. */
const imported = /(?:^(?:import|export)\s(?!type\s)[^;"]*?|\bimport\(\s*)"(\.[^"\n]+|#runtime)"/gmu;

/** The port itself is types. */
const runtimeAdapters = /^src[/\\]runtime[/\\](?!runtime\.ts$)/u;
/** What starts programs on the runtime of the test. */
const starters = /^test[/\\]support[/\\](?:own-runtime|program)\.ts$/u;

/** Tests of what talks to the system by the runtime's modules: files, sockets, databases, native hashes. */
const adapterTests =
  /^(?:agent|auth[/\\]client|auth[/\\]passwords[/\\](?:foreign|password)-hash|bus|contract[/\\](?:blobs|bus|rollups|store)\b|kit[/\\](?:files|mail|outbound)|store[/\\](?:journal|postgres|series))/u;

/** The disk is a model there, and the same on each runtime. */
const onModels = /(?:crash|power-cut)\.test\.ts$/u;

/** Creates databases on the server that the runner started. */
const databases = /^test[/\\]support[/\\]postgres\.ts$/u;

/**
 * What a second runtime tells nothing new about, and what takes long: scripts for Node, several nodes, kills, old data,
 * the words of a start that fails, and PostgreSQL but for its faults and connections.
 */
const forOne =
  /^(?:lab|scripts|tooling|upgrade|service[/\\]migration|monitor[/\\](?:install|proto)|auth[/\\](?:client[/\\]package|pages)|contract[/\\](?:rollups|store-postgres)|main-(?:(?:history-)?postgres|shop-kill(?:-services)?|start|\w+-nodes)\.test)/u;

/**
 * What a small install does not run, and what takes a minute of each `npm test`: whole programs and races on PostgreSQL,
 * several nodes, kills beside payment services. CI runs them (`--slow`), and `npm run test:all` on both runtimes.
 */
const forAll =
  /^(?:main-(?:(?:history-)?postgres|heartbeats-kill|places|shop-kill-services|\w+-nodes)\.test|(?:auth|shop)[/\\]races-(?:postgres|two-stores)\.test|contract[/\\]rollups-postgres\.test|simulation[/\\](?:runtimes|seeds)[/\\])/u;

const known = new Map<string, readonly string[]>();

function listImports(path: string): readonly string[] {
  const before = known.get(path);
  if (before !== undefined) return before;
  const found = Array.from(readFileSync(path, "utf8").matchAll(imported), ([, name = ""]) =>
    name === "#runtime" ? join(projectFolder, "src/runtime/node.ts") : resolve(dirname(path), name),
  ).filter((found) => existsSync(found));
  known.set(path, found);
  return found;
}

/** The modules of the project that a file loads, itself among them, from the project's folder. */
function listReached(file: string): readonly string[] {
  const reached = new Set([resolve(file)]);
  // A set hands out what is added while one walks over it.
  for (const path of reached)
    if (/\.tsx?$/u.test(path)) for (const next of listImports(path)) reached.add(next);
  return [...reached].map((path) => relative(projectFolder, path));
}

/**
 * Whether `npm test` leaves out a test file, for CI and `npm run test:all`.
 * @param folder that of all tests
 */
export function isForAllAlone(file: string, folder: string): boolean {
  return forAll.test(relative(folder, file));
}

/** Whether a file runs on listeners of the runtime, or starts programs. */
export function meetsRuntime(file: string): boolean {
  return listReached(file).some((path) => runtimeAdapters.test(path) || starters.test(path));
}

/** Whether a file makes databases. */
export function usesDatabase(file: string): boolean {
  return listReached(file).some((path) => databases.test(path));
}

/** Whether a file starts programs that have bundles. */
export function startsPrograms(file: string): boolean {
  return listReached(file).some((path) => starters.test(path));
}

/**
 * Whether a test file is worth its time on the second runtime in every run, and not only before a release.
 * @param folder that of all tests
 */
export function isForBothRuntimes(file: string, folder: string): boolean {
  const path = relative(folder, file);
  if (forOne.test(path) || onModels.test(path)) return false;
  return adapterTests.test(path) || meetsRuntime(file);
}
