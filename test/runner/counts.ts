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
  /** 0 for what stands at the left margin. */
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

/**
 * Counts the leaves of a JUnit report: Deno lists a suite (`describe`) as a case beside its own
 * cases, named "suite > case". Undefined when the report is cut short.
 */
export function parseJunitCounts(xml: string): TestCounts | undefined {
  if (!xml.trimEnd().endsWith("</testsuites>")) return undefined;
  const cases = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/testcase>)/gsu)].map(
    (match) => ({
      name: match[1] ?? "",
      body: match[2] ?? "",
    }),
  );
  const parents = new Set<string>();
  for (const { name } of cases) {
    const steps = name.split(" &gt; ");
    for (let depth = 1; depth < steps.length; depth++) parents.add(steps.slice(0, depth).join(" &gt; "));
  }
  return sumCounts(
    cases
      .filter(({ name }) => !parents.has(name))
      .map(({ body }) => {
        if (/<(?:failure|error)\b/u.test(body)) return { passed: 0, failed: 1, skipped: 0 };
        if (/<skipped\b/u.test(body)) return { passed: 0, failed: 0, skipped: 1 };
        return { passed: 1, failed: 0, skipped: 0 };
      }),
  );
}

/** Why tests of a file were skipped, as `test/support/missing.ts` tells it in the output. */
export function findSkipReasons(output: string): string[] {
  return [...new Set(Array.from(output.matchAll(/^Skipped: (.+)$/gmu), ([, reason = ""]) => reason))];
}
