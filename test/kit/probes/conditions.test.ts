import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { afterEach, describe, it } from "node:test";
import { targetSchema } from "../../../src/kit/probes/targets.ts";
import { good } from "./certificates.ts";
import { look, sayResult, serveHttp, type TargetServer } from "./targets.ts";

let server: TargetServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const page = JSON.stringify({
  state: "degraded",
  version: "1.10",
  queue: 12,
  workers: [{ state: "ok" }, { state: "failed" }],
});

async function serve(status = 200, body: Uint8Array | string = page, headers: object = {}): Promise<string> {
  server = await serveHttp((_request, response) =>
    response.writeHead(status, { "x-cache": "HIT from edge", ...headers }).end(body),
  );
  return `http://localhost:${server.port}/`;
}

type Row = readonly [string, string, string, string];

/** Conditions with what becomes of each: "+" is met, "-" is not, "?" cannot be said. */
async function judge(url: string, rows: readonly Row[], more: object = {}): Promise<readonly string[]> {
  const conditions = rows.map(([subject, name, operator, value]) => ({ subject, name, operator, value }));
  const result = await look({ kind: "http", url, ...more, conditions });
  return (result.conditions ?? []).map(
    ({ isMet, text, seen }) => `${isMet === undefined ? "?" : isMet ? "+" : "-"} ${text}: ${seen}`,
  );
}

describe("conditions of HTTP checks", () => {
  it("each say what was seen", async () => {
    const url = await serve();
    const said = await judge(url, [
      ["status", "", "=", "200-299"],
      ["status", "", "!=", "200"],
      ["status", "", "<", "400"],
      ["body", "", "contains", "degraded"],
      ["body", "", "contains", "absent word"],
      ["body", "", "excludes", "failed"],
      ["body", "", "matches", '"queue":\\d+'],
      ["body", "", "mismatches", "(?i)FAILED"],
      ["header", "X-Cache", "contains", "edge"],
      ["header", "x-cache", "=", "MISS"],
      ["header", "x-other", "absent", ""],
      ["header", "x-other", "exists", ""],
      ["json", "$.state", "=", "ok"],
      ["json", "version", "=", "1.10"],
      ["json", "version", "=", "1.1"],
      ["json", "$.workers[*].state", "=", "ok"],
      ["json", "$.workers[?@.state=='failed']", "absent", ""],
      ["json", "$.gone", "!=", "x"],
      ["json", "$.queue", "<=", "12"],
    ]);
    assert.deepEqual(said, [
      "+ Status = 200-299: 200 OK",
      "- Status != 200: 200 OK",
      "+ Status < 400: 200 OK",
      '+ Body contains "degraded": "degraded"',
      '- Body contains "absent word": not found in 94 characters',
      '- Body excludes "failed": "failed"',
      '+ Body matches "\\"queue\\":\\\\d+": "\\"queue\\":12"',
      '- Body mismatches "(?i)FAILED": "failed"',
      '+ Header X-Cache contains "edge": "HIT from edge"',
      '- Header x-cache = "MISS": "HIT from edge"',
      "+ Header x-other absent: no such header",
      "- Header x-other exists: no such header",
      '- JSON $.state = "ok": "degraded"',
      '+ JSON version = "1.10": "1.10"',
      '- JSON version = "1.1": "1.10"',
      '- JSON $.workers[*].state = "ok": "failed" (1 of 2 values)',
      "- JSON $.workers[?@.state=='failed'] absent: an object",
      '- JSON $.gone != "x": not in the response',
      '+ JSON $.queue <= "12": 12',
    ]);
  });

  it("name in the alert all that are not met, with what was seen", async () => {
    const url = await serve();
    const result = await look({
      kind: "http",
      url,
      conditions: [
        { subject: "json", name: "$.queue", operator: "<", value: "10" },
        { subject: "header", name: "x-cache", operator: "exists" },
        { subject: "json", name: "$.state", operator: "=", value: "ok" },
      ],
    });
    assert.equal(sayResult(result), 'content | JSON $.queue < "10": 12; JSON $.state = "ok": "degraded"');
  });

  it("on the status replace the accepted ones, and come first", async () => {
    const url = await serve(503, "busy");
    const say = async (...conditions: object[]): Promise<string> =>
      sayResult(await look({ kind: "http", url, conditions }));
    assert.equal(await say(), "status | 503 Service Unavailable");
    assert.equal(
      await say({ subject: "status", operator: "=", value: "503" }),
      "up | 503 Service Unavailable",
    );
    assert.equal(
      await say(
        { subject: "body", operator: "contains", value: "fine" },
        { subject: "status", operator: "<", value: "500" },
      ),
      'status | Body contains "fine": not found in 4 characters; Status < 500: 503 Service Unavailable',
    );
    assert.equal(
      await say({ subject: "body", operator: "contains", value: "busy" }),
      "status | 503 Service Unavailable",
    );
  });

  it("work beside the single fields, which keep their meaning", async () => {
    const url = await serve();
    const both = {
      contains: "nothing",
      conditions: [{ subject: "body", operator: "contains", value: "state" }],
    };
    const result = await look({ kind: "http", url, ...both });
    assert.equal(sayResult(result), "content | The expected text is not in the response");
    assert.deepEqual(
      result.conditions?.map(({ isMet }) => isMet),
      [true],
    );
    assert.equal((await look({ kind: "http", url })).conditions, undefined);
  });

  it("on the time and the certificate", async () => {
    server = await serveHttp((_request, response) => response.end("x"), good);
    const url = `https://localhost:${server.port}/`;
    let ms = 0;
    const clock = { now: () => Date.UTC(2125, 11, 1), monotonic: () => (ms += 10) };
    const conditions = [
      { subject: "time", operator: "<", value: "5" },
      { subject: "certificate", operator: ">", value: "30" },
      { subject: "certificate", operator: ">=", value: "31" },
      { subject: "certificate", operator: ">", value: "31" },
    ];
    const result = await look({ kind: "http", url, conditions }, { clock });
    assert.deepEqual(
      result.conditions?.map(({ isMet, seen }) => [isMet, seen.replace(/\d+ ms/u, "n ms")]),
      [
        [false, "n ms"],
        [true, "31 days left"],
        [true, "31 days left"],
        [false, "31 days left"],
      ],
    );
    assert.equal(result.fault, "slow");
    const days = await look({ kind: "http", url, conditions: conditions.slice(3) }, { clock });
    assert.equal(sayResult(days), "certificate_ends | Certificate > 31 days: 31 days left");
  });

  it("are not judged if the body was not read", async () => {
    const url = await serve(200, gzipSync(`${"x".repeat(2_000_000)}END`), { "content-encoding": "gzip" });
    const rows: readonly Row[] = [
      ["body", "", "contains", "END"],
      ["body", "", "excludes", "END"],
      ["body", "", "matches", "END$"],
      ["json", "a", "exists", ""],
      ["body", "", "contains", "xxx"],
    ];
    const long = "The response is longer than 1 MiB";
    assert.deepEqual(await judge(url, rows), [
      `? Body contains "END": ${long}`,
      `? Body excludes "END": ${long}`,
      `? Body matches "END$": ${long}`,
      `? JSON a exists: ${long}`,
      '+ Body contains "xxx": "xxx"',
    ]);
    const [first] = rows;
    assert.ok(first);
    const [subject, , operator, value] = first;
    const conditions = [{ subject, operator, value }];
    assert.equal(
      sayResult(await look({ kind: "http", url, conditions })),
      `not_judged | Body contains "END": ${long}`,
    );
    assert.equal(sayResult(await look({ kind: "http", url, conditions, maxBodyMib: 3 })), "up | 200 OK");
    const beside = [...conditions, { subject: "status", operator: "=", value: "404" }];
    assert.equal((await look({ kind: "http", url, conditions: beside })).fault, "status");
  });

  it("take no time that grows faster than the body, whatever expression they have", async () => {
    const url = await serve(200, "a".repeat(200_000));
    const conditions = [
      { subject: "body", operator: "matches", value: "(a+)+b" },
      { subject: "body", operator: "matches", value: "(?:a|aa)+$" },
    ];
    const result = await look({ kind: "http", url, conditions }, { timeoutMs: 20_000 });
    assert.deepEqual(
      result.conditions?.map(({ isMet }) => isMet),
      [false, true],
    );
    await server?.close();
    const large = await serve(200, "ab".repeat(500_000));
    const costly = [{ subject: "body", operator: "matches", value: "[ab]{490}[0-9]" }];
    assert.equal(
      sayResult(await look({ kind: "http", url: large, conditions: costly })),
      'not_judged | Body matches "[ab]{490}[0-9]": The regular expression takes too long on a response of this size',
    );
  });

  it("are refused with words for the member that is wrong", () => {
    const parse = (condition: object): string => {
      const parsed = targetSchema.safeParse({
        kind: "http",
        url: "http://a.example",
        conditions: [condition],
      });
      return parsed.success
        ? "taken"
        : `${String(parsed.error.issues[0]?.path.at(-1))}: ${parsed.error.issues[0]?.message}`;
    };
    assert.equal(
      parse({ subject: "json", name: "$.a[", operator: "=" }).startsWith("name: must be a path"),
      true,
    );
    assert.equal(
      parse({ subject: "header", name: "", operator: "exists" }),
      "name: must be the name of a header",
    );
    assert.match(
      parse({ subject: "body", operator: "matches", value: "(a" }),
      /^value: must be a regular expression of RE2/u,
    );
    assert.match(
      parse({ subject: "body", operator: "matches", value: "(?=a)" }),
      /^value: must be a regular/u,
    );
    assert.match(
      parse({ subject: "time", operator: "<", value: "soon" }),
      /^value: must be a whole number of milliseconds/u,
    );
    assert.match(parse({ subject: "status", operator: "matches", value: "2" }), /^operator: must be one of/u);
    assert.match(
      parse({ subject: "certificate", operator: ">", value: "" }),
      /^value: must be a whole number of days/u,
    );
    assert.equal(parse({ subject: "status", operator: "=", value: "200-299, 304" }), "taken");
    assert.equal(
      parse({ subject: "body", name: "x", operator: "contains", value: "a" }).startsWith(
        "name: must be empty",
      ),
      true,
    );
  });
});
