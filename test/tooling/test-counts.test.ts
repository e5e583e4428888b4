import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  noTests,
  parseJunitCounts,
  parseJunitFiles,
  parseTapCounts,
  parseTapFiles,
  sumCounts,
} from "../runner/counts.ts";
import { toSlowest } from "../runner/times.ts";

/** What Node writes: `margin` for each suite around it. */
function toTap(line: string, options: { margin?: string; kind?: string; said?: string } = {}): string {
  const { margin = "", kind = "test", said = "" } = options;
  return `${margin}${line}\n${margin}  ---\n${margin}  duration_ms: 1500.5\n${margin}  type: '${kind}'\n${said}${margin}  ...\n`;
}

const closing = "1..2\n# tests 4\n# suites 2\n# pass 2\n# fail 1\n# cancelled 0\n# duration_ms 8.9\n";
const inner = { margin: "    " };
const tap = [
  "TAP version 13\n# Subtest: a.test.ts\n",
  toTap("ok 1 - adds", inner),
  toTap("not ok 2 - divides", { ...inner, said: "      error: |-\n        ok 7 - what an error says\n" }),
  toTap("ok 3 - waits # SKIP no server", inner),
  toTap("not ok 1 - a.test.ts", { kind: "suite" }),
  "# Subtest: b.test.ts\n# pass 99\n",
  toTap("ok 1 - multiplies \\# ok 8", inner),
  toTap("ok 2 - b.test.ts", { kind: "suite" }),
  closing,
].join("");

function toJunit(cases: string): string {
  return `<?xml version="1.0"?>\n<testsuites name="deno test">\n<testsuite name="x">${cases}</testsuite>\n</testsuites>\n`;
}

describe("parseTapCounts", () => {
  it("counts tests, neither suites nor what tests and errors say", () => {
    assert.deepEqual(parseTapCounts(tap), { passed: 2, failed: 1, skipped: 1 });
  });

  it("counts a suite that is skipped as a whole as one", () => {
    const suite = toTap("ok 1 - s # SKIP no server", { kind: "suite" });
    assert.deepEqual(parseTapCounts(`TAP version 13\n${suite}${closing}`), {
      passed: 0,
      failed: 0,
      skipped: 1,
    });
  });

  it("reads a long report at once", () => {
    const said = "        location: 'somewhere'\n".repeat(1000);
    const skipped = toTap("ok 1 - s # SKIP", { ...inner, said });
    assert.deepEqual(parseTapCounts(`${skipped}${said}${closing}`), { passed: 0, failed: 0, skipped: 1 });
  });

  it("is undefined when the report stops before its end", () => {
    assert.equal(parseTapCounts(tap.slice(0, tap.indexOf("# duration_ms"))), undefined);
    assert.equal(parseTapCounts(""), undefined);
  });
});

describe("parseTapFiles", () => {
  it("counts for each file, and knows how long it took", () => {
    assert.deepEqual(parseTapFiles(tap), [
      { file: "a.test.ts", counts: { passed: 1, failed: 1, skipped: 1 }, seconds: 1.5005 },
      { file: "b.test.ts", counts: { passed: 1, failed: 0, skipped: 0 }, seconds: 1.5005 },
    ]);
  });

  it("counts a hook that failed as a test that failed", () => {
    const [file] = parseTapFiles(toTap("ok 1 - a", inner) + toTap("not ok 1 - c.test.ts", { kind: "suite" }));
    assert.deepEqual(file?.counts, { passed: 1, failed: 1, skipped: 0 });
  });
});

describe("parseJunitCounts", () => {
  it("counts cases and not the suites that hold them", () => {
    const xml = toJunit(
      `<testcase name="s" classname="a"><failure message="1 test step failed">x</failure></testcase>
       <testcase name="s &gt; good" classname="a"></testcase>
       <testcase name="s &gt; bad" classname="a"><failure message="m">Assertion</failure></testcase>
       <testcase name="s &gt; inner" classname="a"></testcase>
       <testcase name="s &gt; inner &gt; off" classname="a">
         <skipped/>
       </testcase>
       <testcase name="alone" classname="a"><error message="Cancelled"/></testcase>`,
    );
    assert.deepEqual(parseJunitCounts(xml), { passed: 1, failed: 2, skipped: 1 });
  });

  it("is zero for a report without cases and undefined for half a report", () => {
    assert.deepEqual(parseJunitCounts('<testsuites tests="0">\n</testsuites>\n'), {
      passed: 0,
      failed: 0,
      skipped: 0,
    });
    assert.equal(parseJunitCounts('<testsuites tests="1">\n<testsuite>'), undefined);
  });
});

describe("parseJunitFiles", () => {
  it("counts for each file, and knows how long it took", () => {
    const xml = toJunit(
      `<testcase name="a.test.ts" classname="x" time="1.500" line="1"></testcase>
       <testcase name="a.test.ts &gt; s" classname="y" time="0.100"></testcase>
       <testcase name="a.test.ts &gt; s &gt; adds" classname="y" time="0.100"></testcase>
       <testcase name="a.test.ts &gt; s &gt; divides" classname="y" time="0.100"><failure message="m">x</failure></testcase>
       <testcase name="b.test.ts" classname="x" time="0.250"></testcase>
       <testcase name="hook.test.ts" classname="x" time="0.000"><failure message="m">x</failure></testcase>
       <testcase name="hook.test.ts &gt; adds" classname="y" time="0.000"></testcase>`,
    );
    assert.deepEqual(parseJunitFiles(xml), [
      { file: "a.test.ts", counts: { passed: 1, failed: 1, skipped: 0 }, seconds: 1.5 },
      { file: "b.test.ts", counts: { passed: 0, failed: 0, skipped: 0 }, seconds: 0.25 },
      { file: "hook.test.ts", counts: { passed: 1, failed: 1, skipped: 0 }, seconds: 0 },
    ]);
    assert.deepEqual(parseJunitFiles(xml.slice(0, 300)), []);
  });
});

describe("toSlowest", () => {
  it("names the ten slowest files of all, and none of a short run", () => {
    const result = (seconds: number) => ({ file: `${seconds}.test.ts`, counts: noTests, seconds });
    const run = (count: number) =>
      new Map([
        [{ name: "node" }, new Map(Array.from({ length: count }, (_, at) => [`${at}`, result(at)]))],
        [{ name: "deno" }, new Map([["slow", result(99)]])],
      ]);
    assert.deepEqual(toSlowest(run(9)), []);
    const [line = ""] = toSlowest(run(12));
    assert.match(
      line,
      /^Slowest: deno 99\.test\.ts 99\.0 s, node 11\.test\.ts 11\.0 s, .*node 3\.test\.ts 3\.0 s$/u,
    );
  });
});

describe("sumCounts", () => {
  it("adds field by field", () => {
    const one = { passed: 1, failed: 2, skipped: 3 };
    assert.deepEqual(sumCounts([one, one]), { passed: 2, failed: 4, skipped: 6 });
  });
});
