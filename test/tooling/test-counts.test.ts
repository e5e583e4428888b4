import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseJunitCounts, parseTapCounts, sumCounts } from "../runner/counts.ts";

const tap = `TAP version 13
# Subtest: a
ok 1 - a
  ---
  ...
# pass 99
1..5
# tests 5
# suites 1
# pass 2
# fail 1
# cancelled 1
# skipped 1
# todo 0
# duration_ms 8.9
`;

function toJunit(cases: string): string {
  return `<?xml version="1.0"?>\n<testsuites name="deno test">\n<testsuite name="x">${cases}</testsuite>\n</testsuites>\n`;
}

describe("parseTapCounts", () => {
  it("reads the closing comments and not what a test printed before them", () => {
    assert.deepEqual(parseTapCounts(tap), { passed: 2, failed: 2, skipped: 1 });
  });

  it("counts a suite that is skipped as a whole, which the closing comments leave out", () => {
    const suite = `# Subtest: s\nok 1 - s # SKIP no server\n  ---\n  duration_ms: 0.7\n  type: 'suite'\n  ...\n`;
    const test = `# Subtest: t\nok 2 - t # SKIP\n  ---\n  duration_ms: 0.7\n  type: 'test'\n  ...\n`;
    assert.deepEqual(parseTapCounts(`TAP version 13\n${suite}${test}${tap.slice(tap.indexOf("1..5"))}`), {
      passed: 2,
      failed: 2,
      skipped: 2,
    });
  });

  it("is undefined when the report stops before them", () => {
    assert.equal(parseTapCounts(tap.slice(0, tap.indexOf("# fail"))), undefined);
    assert.equal(parseTapCounts(""), undefined);
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

describe("sumCounts", () => {
  it("adds field by field", () => {
    const one = { passed: 1, failed: 2, skipped: 3 };
    assert.deepEqual(sumCounts([one, one]), { passed: 2, failed: 4, skipped: 6 });
  });
});
