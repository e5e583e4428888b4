/** How many tests ran, read from what the runtimes report: TAP from node:test, JUnit from Deno. */

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Skipped and to-do; a suite that is skipped as a whole is one. */
  readonly skipped: number;
}

/** Nothing ran. */
export const noTests: TestCounts = { passed: 0, failed: 0, skipped: 0 };

/** Adds up counts. */
export function sumCounts(all: readonly TestCounts[]): TestCounts {
  return all.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
    }),
    noTests,
  );
}

/** One line of a TAP report that says how a test or a suite (`describe`) ended. */
interface TapResult {
  /** 0 for lines at the left margin. */
  readonly depth: number;
  readonly name: string;
  readonly ok: boolean;
  /** Skipped or to do. */
  readonly skipped: boolean;
  readonly isSuite: boolean;
  readonly seconds: number;
}

/** Reads the results in their order, what is within a suite before it, and passes over what errors say in their blocks. */
function parseTapResults(tap: string): TapResult[] {
  const lines = tap.split("\n");
  const results: TapResult[] = [];
  for (let at = 0; at < lines.length; at++) {
    const match = /^( *)(not )?ok \d+ - ([^\n]*)$/u.exec(lines[at] ?? "");
    if (match === null) continue;
    const [, margin = "", not, text = ""] = match;
    const [name = "", directive] = text.split(/ # (?=(?:SKIP|TODO)\b)/u);
    const end = lines[at + 1] === `${margin}  ---` ? lines.indexOf(`${margin}  ...`, at) : at;
    const block = lines.slice(at + 2, Math.max(at, end));
    const milliseconds = /duration_ms: ([\d.]+)/u.exec(
      block.find((line) => line.includes("duration_ms: ")) ?? "",
    );
    results.push({
      depth: margin.length / 4,
      name,
      ok: not === undefined,
      skipped: directive !== undefined,
      isSuite: block.includes(`${margin}  type: 'suite'`),
      seconds: Number(milliseconds?.[1] ?? 0) / 1000,
    });
    at = Math.max(at, end);
  }
  return results;
}

/** Tests count, and suites only where they were skipped as a whole: their tests are not looked for then. */
function countResults(results: readonly TapResult[]): TestCounts {
  const skipped = results.filter((result) => result.skipped).length;
  const tests = results.filter(({ isSuite, skipped }) => !isSuite && !skipped);
  const passed = tests.filter(({ ok }) => ok).length;
  return { passed, failed: tests.length - passed, skipped };
}

/** Counts the tests of a TAP report; undefined when it stops before its closing comments, as after a crash. */
export function parseTapCounts(tap: string): TestCounts | undefined {
  return /^1\.\.\d+\n(?:# .*\n)*# duration_ms /mu.test(tap) ? countResults(parseTapResults(tap)) : undefined;
}

/** One of several files that ran in a process, each as a suite with its name. */
export interface FileCounts {
  readonly file: string;
  readonly counts: TestCounts;
  readonly seconds: number;
}

/** Counts the tests of each file that came to its end. A suite that failed by itself (a hook) is a test that failed. */
export function parseTapFiles(tap: string): FileCounts[] {
  const files: FileCounts[] = [];
  let within: TapResult[] = [];
  for (const result of parseTapResults(tap)) {
    if (result.depth > 0) {
      within.push(result);
      continue;
    }
    const counts = countResults(within);
    const failed = result.ok ? counts.failed : Math.max(1, counts.failed);
    files.push({ file: result.name, counts: { ...counts, failed }, seconds: result.seconds });
    within = [];
  }
  return files;
}

/** A case of a JUnit report, which Deno writes for each test and each suite. */
interface JunitCase {
  /** The names of the suites around it, then its own, as the report escapes them. */
  readonly steps: readonly string[];
  readonly counts: TestCounts;
  readonly seconds: number;
}

function toCaseCounts(body: string): TestCounts {
  if (/<(?:failure|error)\b/u.test(body)) return { ...noTests, failed: 1 };
  if (/<skipped\b/u.test(body)) return { ...noTests, skipped: 1 };
  return { ...noTests, passed: 1 };
}

/** Reads the cases of a whole report; none when it is cut short. */
function parseJunitCases(xml: string): JunitCase[] | undefined {
  if (!xml.trimEnd().endsWith("</testsuites>")) return undefined;
  const cases = xml.matchAll(/<testcase name="([^"]*)"([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gsu);
  return Array.from(cases, ([, name = "", attributes = "", body = ""]) => ({
    steps: name.split(" &gt; "),
    counts: toCaseCounts(body),
    seconds: Number(/ time="([\d.]+)"/u.exec(attributes)?.[1] ?? 0),
  }));
}

/** Counts the leaves: Deno lists a suite (`describe`) as a case beside its own cases, named "suite > case". */
function countLeaves(cases: readonly JunitCase[]): TestCounts {
  const parents = new Set(
    cases.flatMap(({ steps }) => steps.slice(1).map((_, depth) => steps.slice(0, depth + 1).join(" > "))),
  );
  return sumCounts(cases.filter(({ steps }) => !parents.has(steps.join(" > "))).map(({ counts }) => counts));
}

/** Counts the tests of a JUnit report. Undefined when the report is cut short. */
export function parseJunitCounts(xml: string): TestCounts | undefined {
  const cases = parseJunitCases(xml);
  return cases === undefined ? undefined : countLeaves(cases);
}

/** Counts the tests of each file of a whole report. A file that failed by itself (a hook) is a test that failed. */
export function parseJunitFiles(xml: string): FileCounts[] {
  const cases = parseJunitCases(xml) ?? [];
  return cases
    .filter(({ steps }) => steps.length === 1)
    .map(({ steps: [file = ""], counts: own, seconds }) => {
      const counts = countLeaves(cases.filter(({ steps }) => steps.length > 1 && steps[0] === file));
      const failed = own.failed === 0 ? counts.failed : Math.max(1, counts.failed);
      return { file, counts: { ...counts, failed }, seconds };
    });
}

/** Why tests of a file were skipped, as `test/support/missing.ts` tells it in the output. */
export function findSkipReasons(output: string): string[] {
  return [...new Set(Array.from(output.matchAll(/^Skipped: (.+)$/gmu), ([, reason = ""]) => reason))];
}
