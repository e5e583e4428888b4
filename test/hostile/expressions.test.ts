/** Regular expressions, each looked at for input on which its time grows faster than the input's length. Nothing is timed. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { analyse } from "scslre";
import { listExpressions, readExpressions } from "./expressions.ts";

/** What is wrong with an expression, in words; none when nothing is. */
function findFaults({ source, flags }: { source: string; flags: string }): string[] {
  const { reports } = analyse({ source, flags });
  return reports.map(({ type, exponential }) => `${type}${exponential ? ", exponential" : ""}`);
}

describe("regular expressions of src", () => {
  it("take time in proportion to the length of what they are given", async () => {
    const expressions = await listExpressions(fileURLToPath(new URL("../../src", import.meta.url)));
    const slow = expressions.flatMap((expression) =>
      findFaults(expression).map(
        (fault) => `${expression.where} /${expression.source}/${expression.flags}: ${fault}`,
      ),
    );
    assert.deepEqual(slow, []);
    assert.ok(expressions.length >= 250, String(expressions.length));
  });

  it("are all found, and the slow ones among them told", () => {
    const text = [
      'const word = "([a-z]+)";',
      "const half = 6 / 2 / 3;",
      String.raw`const end = text.replace(/\/+$/u, "");`,
      "const nested = new RegExp(`^(?:${word})+$`, 'u');",
      String.raw`const mended = /(?<!\/)\/+$/u;`,
      'const pair = RegExp("^a*a*$");',
    ].join("\n");
    const found = readExpressions("a.ts", text);
    assert.deepEqual(
      found.map(({ where, flags }) => [where, flags]),
      [
        ["a.ts:3", "u"],
        ["a.ts:4", "u"],
        ["a.ts:5", "u"],
        ["a.ts:6", ""],
      ],
    );
    assert.equal(found[1]?.source, "^(?:([a-z]+))+$");
    assert.deepEqual(
      found.map((expression) => findFaults(expression)),
      [["Move"], ["Self, exponential"], [], ["Trade"]],
    );
    assert.throws(() => readExpressions("a.ts", "new RegExp(given)"), /write a template/u);
  });
});
