/**
 * `npm test`: every test file in a process of its own: all on Node, and on Deno those that touch a runtime.
 * `npm run test:all`: all on both. The last line is "N passed, N failed".
 * npm test -- [--node] [--deno] [--all] [--e2e|--nodes] [--verbose] [--jobs=N] [--timeout=SECONDS] [--durations] [part of a
 * path …]
 */
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { parseArgs } from "node:util";
import { denoRunner, isDeno } from "../support/own-runtime.ts";
import { startPostgresServer } from "../support/postgres-server.ts";
import { killAllOnSignal, runProcess, type ProcessResult } from "../support/process.ts";
import { bundleTests, type TestBundles } from "./bundles.ts";
import {
  findSkipReasons,
  noTests,
  parseJunitCounts,
  parseTapCounts,
  sumCounts,
  type TestCounts,
} from "./counts.ts";
import { createDurations } from "./durations.ts";

interface RuntimeKind {
  readonly name: "node" | "deno";
  readonly command: () => string;
  readonly args: (file: string, report: string) => readonly string[];
  readonly parse: (report: string) => TestCounts | undefined;
  /** Where the output begins to speak of the failures alone. */
  readonly failures: RegExp;
}

/** One file on one runtime. */
interface Task {
  readonly runtime: RuntimeKind;
  readonly file: string;
}

interface FileResult {
  readonly counts: TestCounts;
  /** What is wrong with the file as a whole, beyond the tests that failed. */
  readonly problem?: string;
  readonly run: ProcessResult;
}

interface RunSettings {
  /** A PostgreSQL server that every file may make databases on. */
  readonly databaseUrl: string;
  readonly jobs: number;
  /** After which a file counts as hung. */
  readonly toTimeoutMs: (task: Task) => number;
  readonly verbose: boolean;
  readonly reports: string;
  /** What Node runs in place of TypeScript, where there is something. */
  readonly bundles: TestBundles | undefined;
}

let denoPath: string | undefined;
const runtimes: readonly RuntimeKind[] = [
  {
    name: "node",
    command: () => (isDeno ? "node" : process.execPath),
    // Run directly and not by `--test`: that counts a file without a test as a test that passed.
    args: (file, report) => [
      ...(file.endsWith(".mjs") ? ["--enable-source-maps"] : ["--import", "tsx"]),
      ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
      ...["--test-reporter=tap", `--test-reporter-destination=${report}`, file],
    ],
    parse: parseTapCounts,
    failures: /^✖ failing tests:$/mu,
  },
  {
    name: "deno",
    // The wrapper that npm installs is a Node program that would wait beside each file.
    command: () => (denoPath ??= denoRunner()[0]),
    args: (file, report) => ["test", "-A", "--no-check", `--junit-path=${report}`, file],
    parse: parseJunitCounts,
    failures: /^ ERRORS $/mu,
  },
];

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Suites that need more than npm brings, each run by a script of its own. */
type Suite = "e2e" | "nodes";
const suites: readonly Suite[] = ["e2e", "nodes"];

async function findTestFiles(
  folder: string,
  options: { suite: Suite | undefined; filters: readonly string[] },
): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const suiteOf = (entry: string): Suite | undefined =>
    suites.find((suite) => entry.startsWith(`${suite}${sep}`));
  return entries
    .filter((entry) => entry.endsWith(".test.ts") && suiteOf(entry) === options.suite)
    .map((entry) => relative(process.cwd(), join(folder, entry)))
    .filter((path) => options.filters.length === 0 || options.filters.some((part) => path.includes(part)))
    .sort();
}

function findProblem(
  run: ProcessResult,
  counts: TestCounts | undefined,
  timeoutMs: number,
): string | undefined {
  if (run.timedOut) return `hung: cut off after ${timeoutMs / 1000} s`;
  if (run.signal !== undefined) return `ended by ${run.signal}`;
  if (counts === undefined) return `holds no test, or stopped before its end (exit ${run.code ?? "unknown"})`;
  if (counts.passed + counts.failed + counts.skipped === 0) return "ran no test";
  if (run.code !== 0 && counts.failed === 0) return `exit ${run.code ?? "unknown"} though no test failed`;
  return undefined;
}

async function runFile(task: Task, settings: RunSettings): Promise<FileResult> {
  const { runtime, file } = task;
  const timeoutMs = settings.toTimeoutMs(task);
  const bundles = runtime.name === "node" ? settings.bundles : undefined;
  const report = join(settings.reports, `${runtime.name}-${file.replaceAll(sep, "-")}`);
  const run = await runProcess({
    command: runtime.command(),
    args: runtime.args(bundles?.files.get(file) ?? file, report),
    env: {
      NO_COLOR: "1",
      FORCE_COLOR: undefined,
      NODE_OPTIONS: undefined,
      TEST_DATABASE_URL: settings.databaseUrl,
      TEST_PROGRAMS: bundles?.programs,
    },
    timeoutMs,
  });
  const counts = runtime.parse(await readFile(report, "utf8").catch(() => ""));
  const problem = findProblem(run, counts, timeoutMs);
  if (problem === undefined) return { counts: counts ?? noTests, run };
  return { counts: sumCounts([counts ?? noTests, { passed: 0, failed: 1, skipped: 0 }]), problem, run };
}

function showFile({ runtime, file }: Task, options: { result: FileResult; verbose: boolean }): void {
  const { result, verbose } = options;
  const { passed, failed, skipped } = result.counts;
  const good = failed === 0;
  const parts = [
    `${passed} passed`,
    ...(good ? [] : [`${failed} failed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  say(
    `${good ? "ok  " : "FAIL"} ${runtime.name} ${file}  ${parts.join(", ")}  ${result.run.seconds.toFixed(1)} s`,
  );
  if (result.problem !== undefined) say(`     ${result.problem}`);
  for (const reason of findSkipReasons(result.run.output)) say(`     skipped: ${reason}`);
  if (good && !verbose) return;
  const { output } = result.run;
  const from = verbose ? 0 : Math.max(0, output.search(runtime.failures));
  say(output.slice(from).replace(/^/gmu, "     | "));
}

/** Runs the tasks in their order, so many at a time as there are jobs; tells of each result as it comes. */
async function runTasks(
  tasks: readonly Task[],
  options: { settings: RunSettings; onResult: (task: Task, result: FileResult) => void },
): Promise<void> {
  const queue = [...tasks];
  async function work(): Promise<void> {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      const result = await runFile(task, options.settings);
      showFile(task, { result, verbose: options.settings.verbose });
      options.onResult(task, result);
    }
  }
  await Promise.all(Array.from({ length: options.settings.jobs }, work));
}

/** Bundles for Node. When one file is broken all run from their sources, and that one tells what is wrong with it. */
async function prepare(files: readonly string[], reports: string): Promise<TestBundles | undefined> {
  return bundleTests(files, await mkdtemp(join(reports, "bundles-"))).catch((error: unknown) => {
    say(`The tests run from their sources: ${String(error)}`);
    return undefined;
  });
}

/** The server of TEST_DATABASE_URL, or one that ends with this run. */
async function startDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const url = process.env["TEST_DATABASE_URL"];
  if (url !== undefined && url !== "") return { url, stop: () => Promise.resolve() };
  const server = await startPostgresServer({ fast: true });
  return { url: server.url, stop: () => server.stop() };
}

function toSkipped({ skipped }: TestCounts): string {
  return skipped === 0 ? "" : `, ${skipped} skipped`;
}

function toSum(total: TestCounts): string {
  return `${total.passed} passed, ${total.failed} failed${toSkipped(total)}`;
}

/** What came of one runtime. */
function toLine(name: string, { files, total }: { files: number; total: TestCounts }): string {
  const ran = total.passed + total.failed;
  if (ran === 0) return `${name}: no test ran`;
  return `${name}: ${files} files, ${ran} tests ran, ${total.failed} failed${toSkipped(total)}`;
}

/** Rooms whose code or packages meet the runtime: listeners, files, sockets, hashes, the whole program. */
const runtimeRooms =
  /^(?:main|config|runtime|store|bus|contract|agent|hostile|upgrade|kit[/\\](?:files|http|mail|outbound|secrets)|auth[/\\](?:client|passwords|second-factor)|shop[/\\](?:transfer|chat)|monitor[/\\]ingest)/u;

/** Whether a test file is worth its time on the second runtime in every run, and not only in CI's. */
function touchesRuntime(file: string, folder: string): boolean {
  return runtimeRooms.test(relative(folder, file));
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      node: { type: "boolean", default: false },
      all: { type: "boolean", default: false },
      deno: { type: "boolean", default: false },
      e2e: { type: "boolean", default: false },
      nodes: { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
      folder: { type: "string", default: "test" },
      jobs: { type: "string", default: String(availableParallelism()) },
      timeout: { type: "string" },
      durations: { type: "boolean", default: false },
    },
  });
  const suite = suites.find((name) => values[name]);
  const files = await findTestFiles(values.folder, { suite, filters: positionals });
  const chosen = runtimes.filter(({ name }) => values[name] || values.node === values.deno);
  const reports = await mkdtemp(join(tmpdir(), "trivet-test-"));
  // The browser tests run the program on its files; the nodes have a database of their own.
  const server = suite === undefined ? await startDatabase() : { url: "", stop: () => Promise.resolve() };
  const durations = await createDurations();
  // Somebody who names a runtime, or files, wants just that.
  const isWhole = values.all || values.deno || positionals.length > 0;
  const tasks = durations.sort(
    chosen.flatMap((runtime) =>
      files
        .filter((file) => isWhole || runtime.name === "node" || touchesRuntime(file, values.folder))
        .map((file) => ({ runtime, file })),
    ),
  );
  const skips = new Map<string, Set<string>>();
  const counts = new Map<RuntimeKind, TestCounts>(chosen.map((runtime) => [runtime, noTests]));
  const started = performance.now();
  try {
    const settings = {
      databaseUrl: server.url,
      jobs: Number(values.jobs),
      toTimeoutMs: (task: Task) => Number(values.timeout ?? durations.limitSeconds(task)) * 1000,
      verbose: values.verbose,
      reports,
      bundles: chosen.some(({ name }) => name === "node") ? await prepare(files, reports) : undefined,
    };
    await runTasks(tasks, {
      settings,
      onResult: (task, result) => {
        durations.note(task, result.run.seconds);
        for (const reason of findSkipReasons(result.run.output))
          skips.set(reason, (skips.get(reason) ?? new Set()).add(task.file));
        counts.set(task.runtime, sumCounts([counts.get(task.runtime) ?? noTests, result.counts]));
      },
    });
  } finally {
    await server.stop();
    await rm(reports, { recursive: true, force: true });
  }
  if (values.durations) await durations.save();
  const closing = [
    ...[...skips].map(([reason, from]) => `Skipped, because ${reason}: ${[...from].join(", ")}`),
    ...[...counts].map(([runtime, total]) => {
      const ran = tasks.filter((task) => task.runtime === runtime).length;
      return toLine(runtime.name, { files: ran, total });
    }),
  ];
  const total = sumCounts([...counts.values()]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  say(["", ...closing, `${seconds} s`, toSum(total)].join("\n"));
  const empty = [...counts.values()].some(({ passed, failed }) => passed + failed === 0);
  return empty || total.failed > 0 ? 1 : 0;
}

killAllOnSignal();
process.exitCode = await main();
