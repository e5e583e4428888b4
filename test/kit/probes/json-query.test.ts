import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { findQueryFault, queryJson, QueryLimitError } from "../../../src/kit/probes/json-query.ts";
import { findPathFault, judgeJson } from "../../../src/kit/probes/json-rules.ts";

interface ComplianceTest {
  readonly name: string;
  readonly selector: string;
  readonly invalid?: boolean;
  readonly document?: unknown;
  readonly results?: readonly unknown[];
}

/** Where RE2 reads an expression in another way than RFC 9485 does; none of the sample. */
const known = new Set<string>([]);

describe("JSONPath", () => {
  it("follows RFC 9535 in a sample of its compliance test suite", async () => {
    const text = await readFile(new URL("./jsonpath-compliance.json", import.meta.url), "utf8");
    const { tests }: { tests: readonly ComplianceTest[] } = JSON.parse(text);
    assert.ok(tests.length > 130);
    for (const { name, selector, invalid, document, results = [] } of tests) {
      if (known.has(name)) continue;
      assert.equal(findQueryFault(selector) !== undefined, invalid === true, name);
      if (invalid === true) continue;
      const found = JSON.stringify(queryJson(selector, document));
      assert.ok(results.map((result) => JSON.stringify(result)).includes(found), `${name}: ${found}`);
    }
  });

  it("ends soon, however the path and the document are made", () => {
    const list = Array.from({ length: 400 }, (_, index) => ({ id: index, tags: ["a".repeat(40), "b"] }));
    const deep: unknown = JSON.parse(`${"[".repeat(150_000)}1${"]".repeat(150_000)}`);
    const wide: unknown = JSON.parse(`[${"0,".repeat(200_000)}0]`);
    const costly: readonly (readonly [string, unknown])[] = [
      ["$..[?$..[?$..id]]", list],
      ["$..*..*..*..*..*", [[[[[[[[[[list]]]]]]]]]]],
      [`$${"[*,*,*,*]".repeat(12)}`, [[[[[[[[[[[[1]]]]]]]]]]]]],
      ["$..[?search($[0], '(a+)+$')]", ["a".repeat(60_000), ...list]],
      ["$[?length($[0])>1]", ["x".repeat(8_000_000), ...list]],
      ["$..id", deep],
      ["$[?@ == $.a]", { a: wide, b: wide, c: wide, d: wide, e: wide, f: wide }],
      ["$..*", wide],
    ];
    for (const [path, document] of costly)
      assert.throws(() => queryJson(path, document), QueryLimitError, path);
    const cheap = [
      `$..${"[*,*]..".repeat(10)}id`,
      "$[?@ == $]",
      `$[?${"(".repeat(60)}@.no${")".repeat(60)}]`,
    ];
    for (const path of cheap) assert.deepEqual(queryJson(path, list), [], path);
  });

  it("reads a large document that a plain query goes through once", () => {
    const servers = Array.from({ length: 50_000 }, (_, id) => ({ id, state: id === 49_999 ? "down" : "up" }));
    assert.deepEqual(queryJson("$..[?@.state == 'down'].id", { servers }), [49_999]);
    assert.equal(
      judgeJson({ value: { servers } }, { path: "$.servers[-1].state", operator: "=", value: "down" }).isMet,
      true,
    );
  });

  it("matches in linear time where a backtracking engine takes forever", () => {
    const text = `${"a".repeat(5_000)}!`;
    assert.deepEqual(queryJson("$[?search(@, '(a|aa)+$')]", [text]), []);
    assert.deepEqual(queryJson("$[?match(@, '(a|aa)+!')]", [text]), [text]);
  });
});

describe("rules on JSON values", () => {
  const value = {
    version: "1.10",
    count: 0,
    none: null,
    list: [{ state: "up" }, { state: "up" }, { state: "down" }],
    "*": "a star",
    items: { "0": "zero" },
  };
  const say = (path: string, operator: string, expected = ""): string => {
    // `as`: the operators are those of the table.
    const { isMet, seen } = judgeJson({ value }, { path, operator: operator as "=", value: expected });
    return `${isMet === undefined ? "open" : isMet} | ${seen}`;
  };

  it("take plain paths as ever, and everything else as JSONPath", () => {
    assert.equal(say("list[2].state", "=", "down"), 'true | "down"');
    assert.equal(say("$.list[-1].state", "=", "down"), 'true | "down"');
    assert.equal(say("items.0", "=", "zero"), 'true | "zero"');
    assert.equal(say("$.items[0]", "=", "zero"), 'true | "zero"');
    assert.equal(say("$['version']", "=", "1.10"), 'true | "1.10"');
    assert.equal(say("version", "=", "1.1"), 'false | "1.10"');
    assert.equal(say("$.list[?@.state=='down'].state", "exists"), 'true | "down"');
    assert.equal(say("$.list[?@.state=='lost']", "absent"), "true | not in the response");
    assert.equal(say("$.list[?@.state=='lost']", "!=", "x"), "false | not in the response");
    assert.equal(say("$.list[?@.state=='lost']", "exists"), "false | not in the response");
  });

  it("ask every value of several, and say how many are others", () => {
    assert.equal(say("$.list[*].state", "=", "up"), 'false | "down" (1 of 3 values)');
    assert.equal(say("$.list[0:2].state", "=", "up"), 'true | "up" (2 of 2 values)');
    assert.equal(say("$.list[*].state", "!=", "lost"), 'true | "up" (3 of 3 values)');
  });

  it("say what is wrong with a path", () => {
    for (const path of ["status", "$.a[0]", "$..a", "$.a[?@.b>1]", "$['a','b']", "a.b", "['a b']"])
      assert.equal(findPathFault(path), undefined, path);
    for (const path of ["$.a[", "$..", "$[?]", "a..b", "$.a[?@.b = 1]", "$[?nothing(@)]"])
      assert.match(findPathFault(path) ?? "", /^must be a path such as/u, path);
  });

  it("are open where the query takes too long, and not met where there is no JSON", () => {
    const tree = Array.from({ length: 400 }, (_, id) => ({ id }));
    const { isMet, seen } = judgeJson(
      { value: tree },
      { path: "$..[?$..[?$..id]]", operator: "exists", value: "" },
    );
    assert.deepEqual([isMet, seen], [undefined, "The JSONPath expression takes too long on this response"]);
    assert.deepEqual(judgeJson(undefined, { path: "a", operator: "absent", value: "" }).isMet, false);
  });
});
