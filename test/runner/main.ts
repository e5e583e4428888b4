/**
 * `npm test`: test files, small ones of a room together in a process: on Node, and on Deno those that meet a runtime.
 * `--slow` adds what no small install runs, such as several nodes: CI does. `npm run test:all`: all on both. The last line
 * is "N passed, N failed".
 * npm test -- [--node] [--deno] [--slow] [--all] [--e2e|--nodes] [--verbose] [--jobs=N] [--timeout=SECONDS] [--durations] [--again]
 * [part of a path …]
 */
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { parseArgs } from "node:util";
import { startPostgresServer } from "../support/postgres-server.ts";
import { buildPages } from "../support/pages.ts";
import { killAllOnSignal, runProcess, type ProcessResult } from "../support/process.ts";
import { findUnsteady, listFailed } from "./again.ts";
import { bundleTests, type TestBundles } from "./bundles.ts";
import { findSkipReasons, sumCounts, type TestCounts } from "./counts.ts";
import { createDurations, type Durations } from "./durations.ts";
import { toProcessorTime, toSeconds, toSlowest } from "./times.ts";
import { groupFiles } from "./groups.ts";
import { isForAllAlone, isForBothRuntimes, startsPrograms, usesDatabase } from "./reach.ts";
import { toCountsText, type FileResult, toFileResult, toFileResults } from "./results.ts";
import { type RuntimeKind, runtimes } from "./runtimes.ts";

/** One process on one runtime. */
interface Task {
  readonly runtime: RuntimeKind;
  readonly files: readonly string[];
}

interface TaskResult {
  readonly files: readonly FileResult[];
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
  /** What runs in place of TypeScript, where there is something. */
  readonly bundles: ReadonlyMap<RuntimeKind, TestBundles>;
}

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
  return (
    entries
      // The benchmarks' peers bring tests of their own.
      .filter((entry) => !entry.split(sep).includes("node_modules"))
      .filter((entry) => entry.endsWith(".test.ts") && suiteOf(entry) === options.suite)
      .map((entry) => relative(process.cwd(), join(folder, entry)))
      .filter((path) => options.filters.length === 0 || options.filters.some((part) => path.includes(part)))
      .sort()
  );
}

async function runTask(task: Task, settings: RunSettings): Promise<TaskResult> {
  const { runtime, files } = task;
  const [file = ""] = files;
  const timeoutMs = settings.toTimeoutMs(task);
  const bundles = settings.bundles.get(runtime);
  const path = join(settings.reports, `${runtime.name}-${file.replaceAll(sep, "-")}`);
  const run = await runProcess({
    command: runtime.command(),
    args: runtime.args(bundles?.files.get(file) ?? file, path),
    env: {
      NO_COLOR: "1",
      FORCE_COLOR: undefined,
      NODE_OPTIONS: undefined,
      TEST_DATABASE_URL: settings.databaseUrl,
      TEST_PROGRAMS: bundles?.programs,
    },
    timeoutMs,
  });
  const report = await readFile(path, "utf8").catch(() => "");
  if (files.length > 1)
    return { files: toFileResults(files, { ended: runtime.parseFiles(report), run, timeoutMs }), run };
  return { files: [toFileResult(file, { counts: runtime.parse(report), run, timeoutMs })], run };
}

function showTask({ runtime }: Task, options: { result: TaskResult; verbose: boolean }): void {
  const { result, verbose } = options;
  for (const { file, counts, seconds, problem } of result.files) {
    const sign = counts.failed === 0 ? "ok  " : "FAIL";
    say(`${sign} ${runtime.name} ${file}  ${toCountsText(counts)}  ${seconds.toFixed(1)} s`);
    if (problem !== undefined) say(`     ${problem}`);
  }
  const { output } = result.run;
  for (const reason of findSkipReasons(output)) say(`     skipped: ${reason}`);
  if (result.files.every(({ counts }) => counts.failed === 0) && !verbose) return;
  const from = verbose ? 0 : Math.max(0, output.search(runtime.failures));
  say(output.slice(from).replace(/^/gmu, "     | "));
}

/**
 * Runs the tasks in their order, so many at a time as there are jobs; tells of each result as it comes.
 * @param options.more what is still being prepared: it is added to the queue, which `sort` puts in order
 */
async function runTasks(
  tasks: readonly Task[],
  options: {
    settings: RunSettings;
    onResult: (task: Task, result: TaskResult) => void;
    more?: Promise<readonly Task[]>;
    sort?: (tasks: readonly Task[]) => Task[];
  },
): Promise<void> {
  const { settings, onResult, more = Promise.resolve([]), sort = (all) => [...all] } = options;
  let queue = [...tasks];
  const added = more.then((others) => {
    if (others.length > 0) queue = sort([...queue, ...others]);
  });
  async function work(): Promise<void> {
    for (;;) {
      let task = queue.shift();
      if (task === undefined) {
        await added;
        task = queue.shift();
      }
      if (task === undefined) return;
      const result = await runTask(task, settings);
      showTask(task, { result, verbose: settings.verbose });
      onResult(task, result);
    }
  }
  await Promise.all(Array.from({ length: settings.jobs }, work));
}

/** Files on a runtime for which bundles save more time than making them takes. */
const WORTH_BUNDLES = 5;

/** What runs on a runtime, and in which processes. */
interface Bundled {
  readonly groups: readonly (readonly string[])[];
  readonly bundles?: TestBundles;
}

/** Bundles. When one file is broken all run from their sources, and that one tells what is wrong with it. */
async function prepare(
  files: readonly string[],
  options: { runtime: RuntimeKind; folder: string; durations: Durations; reports: string },
): Promise<Bundled> {
  const { runtime, folder } = options;
  const sources = { groups: files.map((file) => [file]) };
  if (files.length < WORTH_BUNDLES) return sources;
  const secondsOf = (file: string): number => options.durations.expect(runtime.name, file);
  const groups = await groupFiles(files, { folder, secondsOf });
  try {
    const place = await mkdtemp(join(options.reports, "bundles-"));
    const settings = { runtime: runtime.name, folder: place, startPrograms: files.some(startsPrograms) };
    return { groups, bundles: await bundleTests(groups, settings) };
  } catch (error) {
    say(`The tests run from their sources: ${String(error)}`);
    return sources;
  }
}

/** Files of a process that said why tests are skipped. */
function toSkipping({ files }: TaskResult): string[] {
  return files.filter(({ counts }) => counts.skipped > 0).map(({ file }) => file);
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

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      node: { type: "boolean", default: false },
      all: { type: "boolean", default: false },
      slow: { type: "boolean", default: false },
      deno: { type: "boolean", default: false },
      e2e: { type: "boolean", default: false },
      nodes: { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
      folder: { type: "string", default: "test" },
      jobs: { type: "string" },
      timeout: { type: "string" },
      durations: { type: "boolean", default: false },
      again: { type: "boolean", default: false },
    },
  });
  const suite = suites.find((name) => values[name]);
  // A command that names a runtime, or files, runs just that.
  const isNamed = values.node || values.deno || positionals.length > 0;
  const found = await findTestFiles(values.folder, { suite, filters: positionals });
  const files = found.filter(
    (file) => values.all || values.slow || isNamed || !isForAllAlone(file, values.folder),
  );
  const chosen = runtimes.filter(({ name }) => values[name] || values.node === values.deno);
  const started = performance.now();
  const reports = await mkdtemp(join(tmpdir(), "trivet-test-"));
  // The browser tests run the program on its files; the nodes have a database of their own.
  const needsDatabase = suite === undefined && files.some(usesDatabase);
  const [server] = await Promise.all([
    needsDatabase ? startDatabase() : { url: "", stop: () => Promise.resolve() },
    values.folder === "test" ? buildPages() : undefined,
  ]);
  const durations = await createDurations();
  const isWhole = values.all || values.deno || positionals.length > 0;
  const bundles = new Map<RuntimeKind, TestBundles>();
  const tasks: Task[] = [];
  const prepareFor = async (runtime: RuntimeKind): Promise<readonly Task[]> => {
    const own = files.filter(
      (file) => isWhole || runtime.name === "node" || isForBothRuntimes(file, values.folder),
    );
    const made = await prepare(own, { ...values, runtime, durations, reports });
    if (made.bundles !== undefined) bundles.set(runtime, made.bundles);
    const prepared = made.groups.map((group): Task => ({ runtime, files: group }));
    tasks.push(...prepared);
    return prepared;
  };
  const [firstRuntime, secondRuntime] = chosen;
  const first = firstRuntime === undefined ? [] : await prepareFor(firstRuntime);
  const skips = new Map<string, Set<string>>();
  const results = new Map<RuntimeKind, Map<string, FileResult>>(
    chosen.map((runtime) => [runtime, new Map()]),
  );
  const unsteady: string[] = [];
  const prepared = performance.now();
  try {
    const settings = {
      databaseUrl: server.url,
      // One more than there are processors: tests wait for disks and timers, those in a browser for the page.
      jobs: Number(values.jobs ?? availableParallelism() + 1),
      toTimeoutMs: (task: Task) => Number(values.timeout ?? durations.limitSeconds(task)) * 1000,
      verbose: values.verbose,
      reports,
      bundles,
    };
    const onResult = (task: Task, result: TaskResult): void => {
      for (const done of result.files) {
        durations.note(task.runtime.name, done);
        results.get(task.runtime)?.set(done.file, done);
      }
      for (const reason of findSkipReasons(result.run.output))
        skips.set(reason, new Set([...(skips.get(reason) ?? []), ...toSkipping(result)]));
    };
    // What runs on Deno is prepared while the longest files run on Node.
    const more = secondRuntime === undefined ? Promise.resolve([]) : prepareFor(secondRuntime);
    const sort = durations.sort.bind(durations);
    await runTasks(sort(first), { settings, onResult, more, sort });
    // A command that names files shows their output at once.
    const failed = values.again || positionals.length === 0 ? listFailed(results) : [];
    if (failed.length > 0) say(`\nOnce more, each alone: ${failed.map(({ file }) => file).join(", ")}`);
    const alone = failed.map(({ runtime, file }): Task => ({ runtime, files: [file] }));
    await runTasks(alone, { settings: { ...settings, jobs: 1, bundles: new Map() }, onResult });
    unsteady.push(...findUnsteady(failed, results));
  } finally {
    await server.stop();
    await rm(reports, { recursive: true, force: true });
  }
  if (values.durations) await durations.save();
  const counts = new Map(
    [...results].map(([runtime, of]) => [runtime, sumCounts([...of.values()].map((done) => done.counts))]),
  );
  const closing = [
    ...unsteady.map((name) => `Unsteady, failed beside others and passed alone: ${name}`),
    ...[...skips].map(([reason, from]) => `Skipped, because ${reason}: ${[...from].join(", ")}`),
    ...toSlowest(results),
    ...[...counts].map(([runtime, total]) => {
      const ran = tasks.filter((task) => task.runtime === runtime).flatMap((task) => task.files).length;
      return toLine(runtime.name, { files: ran, total });
    }),
  ];
  const total = sumCounts([...counts.values()]);
  const times = [
    `${toSeconds(performance.now() - started)}, ${toSeconds(prepared - started)} of them before the first test`,
    ...toProcessorTime(),
  ];
  say(["", ...closing, times.join("; "), toSum(total)].join("\n"));
  const empty = [...counts.values()].some(({ passed, failed }) => passed + failed === 0);
  return empty || total.failed > 0 ? 1 : 0;
}

killAllOnSignal();
process.exitCode = await main();
