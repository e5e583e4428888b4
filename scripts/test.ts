/**
 * `npm test`: every test file in a process of its own, on Node and then on Deno. Hidden here: how
 * files are found, cut off when they hang, and counted. The last line is "N passed, N failed".
 *
 *   npm test -- [--node] [--deno] [--e2e|--nodes] [--verbose] [--jobs=N] [--timeout=SECONDS] [part of a path …]
 */
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { parseArgs } from "node:util";
import { startPostgresServer } from "../test/support/postgres-server.ts";
import { killAllOnSignal, projectFolder, runProcess } from "./process.ts";
import type { ProcessResult } from "./process.ts";
import { bundleTests } from "./test-bundles.ts";
import { noTests, parseJunitCounts, parseTapCounts, sumCounts } from "./test-counts.ts";
import type { TestCounts } from "./test-counts.ts";

interface RuntimeKind {
  readonly name: "node" | "deno";
  readonly args: (file: string, report: string) => readonly string[];
  readonly parse: (report: string) => TestCounts | undefined;
  /** Where the output begins to speak of the failures alone. */
  readonly failures: RegExp;
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
  readonly timeoutMs: number;
  readonly verbose: boolean;
  readonly reports: string;
  /** What runs in place of a file, where there is something. */
  readonly bundles: ReadonlyMap<string, string>;
}

const deno = join(projectFolder, "node_modules", "deno", "bin.cjs");
const runtimes: readonly RuntimeKind[] = [
  {
    name: "node",
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
    args: (file, report) => [deno, "test", "-A", "--no-check", `--junit-path=${report}`, file],
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

async function runFile(runtime: RuntimeKind, file: string, settings: RunSettings): Promise<FileResult> {
  const report = join(settings.reports, `${runtime.name}-${file.replaceAll(sep, "-")}`);
  const run = await runProcess({
    command: process.execPath,
    args: runtime.args(settings.bundles.get(file) ?? file, report),
    env: {
      NO_COLOR: "1",
      FORCE_COLOR: undefined,
      NODE_OPTIONS: undefined,
      TEST_DATABASE_URL: settings.databaseUrl,
    },
    timeoutMs: settings.timeoutMs,
  });
  const counts = runtime.parse(await readFile(report, "utf8").catch(() => ""));
  const problem = findProblem(run, counts, settings.timeoutMs);
  if (problem === undefined) return { counts: counts ?? noTests, run };
  return { counts: sumCounts([counts ?? noTests, { passed: 0, failed: 1, skipped: 0 }]), problem, run };
}

function showFile(
  runtime: RuntimeKind,
  file: string,
  options: { result: FileResult; verbose: boolean },
): void {
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
  if (good && !verbose) return;
  const { output } = result.run;
  const from = verbose ? 0 : Math.max(0, output.search(runtime.failures));
  say(output.slice(from).replace(/^/gmu, "     | "));
}

async function runRuntime(
  runtime: RuntimeKind,
  files: readonly string[],
  settings: RunSettings,
): Promise<TestCounts> {
  const queue = [...files];
  const counts: TestCounts[] = [];
  async function work(): Promise<void> {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const result = await runFile(runtime, file, settings);
      showFile(runtime, file, { result, verbose: settings.verbose });
      counts.push(result.counts);
    }
  }
  await Promise.all(Array.from({ length: settings.jobs }, work));
  return sumCounts(counts);
}

/** Bundles for Node. When one file is broken all run from their sources, and that one tells what is wrong with it. */
async function prepare(
  runtime: RuntimeKind,
  files: readonly string[],
  reports: string,
): Promise<ReadonlyMap<string, string>> {
  if (runtime.name !== "node") return new Map();
  return bundleTests(files, await mkdtemp(join(reports, "bundles-"))).catch((error: unknown) => {
    say(`The tests run from their sources: ${String(error)}`);
    return new Map<string, string>();
  });
}

/** The server of TEST_DATABASE_URL, or one that ends with this run. */
async function startDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const url = process.env["TEST_DATABASE_URL"];
  if (url !== undefined && url !== "") return { url, stop: () => Promise.resolve() };
  const server = await startPostgresServer({ fast: true });
  return { url: server.url, stop: () => server.stop() };
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      node: { type: "boolean", default: false },
      deno: { type: "boolean", default: false },
      e2e: { type: "boolean", default: false },
      nodes: { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
      folder: { type: "string", default: "test" },
      jobs: { type: "string", default: String(availableParallelism()) },
      timeout: { type: "string", default: "120" },
    },
  });
  const suite = suites.find((name) => values[name]);
  const files = await findTestFiles(values.folder, { suite, filters: positionals });
  const chosen = runtimes.filter(({ name }) => values[name] || values.node === values.deno);
  const reports = await mkdtemp(join(tmpdir(), "trivet-test-"));
  // The browser tests run the program on its files; the nodes have a database of their own.
  const server = suite === undefined ? await startDatabase() : { url: "", stop: () => Promise.resolve() };
  const settings = {
    databaseUrl: server.url,
    jobs: Number(values.jobs),
    timeoutMs: Number(values.timeout) * 1000,
    verbose: values.verbose,
    reports,
    bundles: new Map<string, string>(),
  };
  const closing: string[] = [];
  const totals: TestCounts[] = [];
  let bad = false;
  try {
    for (const runtime of chosen) {
      const started = performance.now();
      const bundles = await prepare(runtime, files, reports);
      const total = await runRuntime(runtime, files, { ...settings, bundles });
      const ran = total.passed + total.failed;
      if (total.failed > 0 || ran === 0) bad = true;
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const skipped = total.skipped === 0 ? "" : `, ${total.skipped} skipped`;
      closing.push(
        `${runtime.name}: ${files.length} files, ${ran} tests ran, ${total.failed} failed${skipped}, ${seconds} s`,
      );
      if (ran === 0) closing.push(`${runtime.name}: no test ran`);
      totals.push(total);
    }
  } finally {
    await server.stop();
    await rm(reports, { recursive: true, force: true });
  }
  const { passed, failed, skipped } = sumCounts(totals);
  say(
    ["", ...closing, `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`].join(
      "\n",
    ),
  );
  return bad ? 1 : 0;
}

killAllOnSignal();
process.exitCode = await main();
