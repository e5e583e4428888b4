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

/** The closing comments count tests alone, and the tests of a skipped suite are not looked for. */
const SKIPPED_SUITE =
  /^ *ok \d+ - [^\n]* # SKIP\b[^\n]*\n *---\n(?: {2,}(?!\.\.\.)[^\n]*\n)*? *type: 'suite'$/gmu;

/** Reads the closing comments of a TAP report; undefined when it stops before them, as after a crash. */
export function parseTapCounts(tap: string): TestCounts | undefined {
  const read = (name: string): number | undefined => {
    // The runner's own lines stand at the left margin and last; diagnostics of tests come before.
    const last = [...tap.matchAll(new RegExp(`^# ${name} (\\d+)$`, "gmu"))].at(-1);
    return last?.[1] === undefined ? undefined : Number(last[1]);
  };
  const [passed, failed, cancelled] = [read("pass"), read("fail"), read("cancelled")];
  if (passed === undefined || failed === undefined || cancelled === undefined) return undefined;
  const suites = tap.match(SKIPPED_SUITE)?.length ?? 0;
  const skipped = (read("skipped") ?? 0) + (read("todo") ?? 0) + suites;
  return { passed, failed: failed + cancelled, skipped };
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
