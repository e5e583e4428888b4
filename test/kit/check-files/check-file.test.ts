import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type CheckFile,
  fillTarget,
  isTooNew,
  parseCheckFile,
} from "../../../src/kit/check-files/check-file.ts";
import { hashChecks, hashDefinition } from "../../../src/kit/check-files/check-hash.ts";
import { client } from "../probes/chain-certificates.ts";

const http = { kind: "http", url: "https://www.example.org/" };

function parse(value: unknown): ReturnType<typeof parseCheckFile> {
  return parseCheckFile(new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)));
}

function fileOf(value: unknown): CheckFile {
  const parsed = parse(value);
  assert.ok(parsed.ok, parsed.ok ? "" : parsed.problem);
  return parsed.file;
}

function problemOf(value: unknown): string {
  const parsed = parse(value);
  assert.ok(!parsed.ok);
  return parsed.problem;
}

describe("parseCheckFile", () => {
  it("fills in what is usual, and allows nothing beyond it", () => {
    const file = fileOf({ v: 1, checks: [{ id: "chk_a", target: http }] });
    assert.deepEqual(file.allow, []);
    const [check] = file.checks;
    assert.deepEqual(
      [check?.intervalSeconds, check?.timeoutSeconds, check?.failures, check?.retrySeconds, check?.inverted],
      [60, 10, 2, 20, false],
    );
    assert.ok(check?.target.kind === "http" && check.target.statuses === "200-299");
  });

  it("says where it is wrong, without a value of the file", () => {
    assert.match(problemOf('{\n  "v": 1,\n  "checks": [}\n'), /unexpected character/u);
    assert.match(problemOf(""), /unexpected end at 1:1/u);
    assert.match(problemOf({ v: 2, checks: [] }), /^v: /u);
    const secret = "s3cret-value";
    const wrong = { id: "chk_a", target: { ...http, headers: [{ name: "x-key", value: `${secret}\n` }] } };
    assert.match(problemOf({ v: 1, checks: [wrong] }), /^checks\[0\]\.target\.headers\[0\]/u);
    assert.ok(!problemOf({ v: 1, checks: [wrong] }).includes(secret));
    assert.match(problemOf({ v: 1, checks: [{ id: "a", target: http, run: "reboot" }] }), /^checks\[0\]: /u);
    assert.match(problemOf({ v: 1, allow: ["shell"], checks: [] }), /^allow\[0\]: /u);
    const twice = [
      { id: "a", target: http },
      { id: "a", target: http },
    ];
    assert.equal(problemOf({ v: 1, checks: twice }), "checks[1].id: must not be repeated");
  });

  it("goes on with what this agent knows, where a check is for newer ones", () => {
    const file = fileOf({
      v: 1,
      checks: [
        { id: "a", target: http },
        { id: "b", level: 99, shape: "new", target: { kind: "quantum", host: "x", spin: 1 } },
        { id: "c", level: 99, target: { ...http, entangled: true } },
        { id: "d", level: 2, target: { ...http, conditions: [] } },
      ],
    });
    assert.deepEqual(
      file.checks.map((check) => [check.id, isTooNew(check)]),
      [
        ["a", false],
        ["b", true],
        ["c", true],
        ["d", false],
      ],
    );
    assert.match(
      problemOf({ v: 1, checks: [{ id: "a", level: 2, target: { ...http, x: 1 } }] }),
      /^checks\[0\]/u,
    );
    assert.match(
      problemOf({ v: 1, checks: [{ id: "a b", level: 99, target: { kind: "y" } }] }),
      /^checks\[0\]/u,
    );
  });

  it("takes a key from a variable of one line", () => {
    const target = { ...http, clientCertificate: client.cert, clientKey: { env: "TRIVET_CHECK_KEY" } };
    const [check] = fileOf({ v: 1, checks: [{ id: "a", target }] }).checks;
    assert.ok(check);
    const filled = fillTarget(check.target, { TRIVET_CHECK_KEY: client.key.replaceAll("\n", "\\n") });
    assert.ok("target" in filled && filled.target.kind === "http");
    assert.equal(filled.target.clientKey, client.key);
  });

  it("holds 200 checks and 256 KiB", () => {
    const many = (count: number): object => ({
      v: 1,
      checks: Array.from({ length: count }, (_, index) => ({ id: `c${index}`, target: http })),
    });
    assert.equal(fileOf(many(200)).checks.length, 200);
    assert.match(problemOf(many(201)), /^checks: /u);
    assert.equal(problemOf(" ".repeat(256 * 1024 + 1)), "the file is larger than 256 KiB");
  });

  it("asks the environment for values under names of its own only", () => {
    const withEnv = (env: string): object => ({
      v: 1,
      checks: [{ id: "a", target: { ...http, headers: [{ name: "x-key", env }] } }],
    });
    const target = fileOf(withEnv("TRIVET_CHECK_KEY")).checks[0]?.target;
    assert.ok(target !== undefined);
    const filled = fillTarget(target, { TRIVET_CHECK_KEY: "abc" });
    assert.ok("target" in filled && filled.target.kind === "http");
    assert.deepEqual(filled.target.headers, [{ name: "x-key", value: "abc" }]);
    assert.deepEqual(fillTarget(target, {}), {
      problem: "TRIVET_CHECK_KEY is not set in the environment of the agent",
    });
    assert.deepEqual(fillTarget(target, { TRIVET_CHECK_KEY: "a\r\nb: c" }), {
      problem: "TRIVET_CHECK_KEY has characters that are not allowed in a header",
    });
    assert.match(problemOf(withEnv("TRIVET_KEY")), /^checks\[0\]/u);
    assert.match(problemOf(withEnv("PATH")), /^checks\[0\]/u);
  });
});

describe("hashes of checks", () => {
  const usual = fileOf({ v: 1, checks: [{ id: "a", name: "A", target: http }] }).checks;
  const [first] = usual;

  it("are those of what is looked at: not of names, values of headers, or the order", () => {
    const other = fileOf({
      v: 1,
      allow: ["private"],
      checks: [
        { id: "b", target: { kind: "ping", host: "example.org" } },
        { name: "Other", target: { url: http.url, kind: "http" }, id: "a" },
      ],
    }).checks;
    assert.ok(first !== undefined && other[1] !== undefined);
    assert.equal(hashDefinition(other[1]), hashDefinition(first));
    assert.equal(hashChecks(other), hashChecks(other.toReversed()));
    assert.notEqual(hashChecks(other), hashChecks(usual));
    const header = (more: object): string => {
      const target = { ...http, headers: [{ name: "X-Key", ...more }] };
      const [check] = fileOf({ v: 1, checks: [{ id: "a", target }] }).checks;
      assert.ok(check !== undefined);
      return hashDefinition(check);
    };
    assert.equal(header({ value: "1" }), header({ env: "TRIVET_CHECK_X" }));
    assert.notEqual(header({ value: "1" }), hashDefinition(first));
  });

  it("tell another target, time-out or rhythm", () => {
    assert.ok(first !== undefined);
    const target = { ...first.target, statuses: "200" };
    assert.notEqual(hashDefinition({ ...first, target }), hashDefinition(first));
    assert.notEqual(hashDefinition({ ...first, timeoutSeconds: 11 }), hashDefinition(first));
    const slower = { ...first, intervalSeconds: 61 };
    assert.equal(hashDefinition(slower), hashDefinition(first));
    assert.notEqual(hashChecks([slower]), hashChecks([first]));
  });

  it("stay when a later version adds a member that is empty", () => {
    assert.ok(first !== undefined);
    const target = { ...first.target, proxy: "", tries: 0, marks: [], deep: { on: false } };
    assert.equal(hashDefinition({ ...first, target }), hashDefinition(first));
  });

  it("are those that were written down: machines hold files for years", () => {
    assert.ok(first !== undefined);
    assert.deepEqual([hashDefinition(first), hashChecks(usual)], ["aeab0bfd85c1d934", "29feaf6d47596ed5"]);
  });
});
