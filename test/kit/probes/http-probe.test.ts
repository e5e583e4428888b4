import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { afterEach, describe, it } from "node:test";
import { describeTarget } from "../../../src/kit/probes/probes.ts";
import { targetSchema } from "../../../src/kit/probes/targets.ts";
import { ended, good, otherName, type Pair, selfSigned } from "./certificates.ts";
import { createContext, findClosedPort, look, sayResult, serveHttp, type TargetServer } from "./targets.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function start(listener: RequestListener, pair?: Pair): Promise<TargetServer> {
  const server = await serveHttp(listener, pair);
  cleanUp.push(() => server.close());
  return server;
}

async function startText(body: string, status = 200): Promise<string> {
  const server = await start((_request, response) => response.writeHead(status).end(body));
  return `http://localhost:${server.port}/`;
}

describe("HTTP probes", () => {
  it("send what was set, and say status, time and steps of the answer", async () => {
    let seen = "";
    const server = await start((request, response) => {
      const { method, url, headers } = request;
      request.setEncoding("utf8");
      request.on("data", (text: string) => {
        seen = `${method} ${url} ${String(headers["x-key"])} ${headers["content-type"]} ${headers["user-agent"]} ${text}`;
        response.writeHead(201, "Made").end("x");
      });
    });
    const result = await look({
      kind: "http",
      url: `http://localhost:${server.port}/a?b=c`,
      method: "PUT",
      headers: [{ name: "X-Key", value: "s" }],
      body: '{"a":1}',
    });
    assert.equal(sayResult(result), "up | 201 Made");
    assert.equal(seen, 'PUT /a?b=c s application/json Trivet/test {"a":1}');
    assert.ok(result.latencyMs !== undefined && result.latencyMs > 0);
    assert.deepEqual(Object.keys(result.phases ?? {}).toSorted(), ["body", "connect", "dns", "firstByte"]);
    assert.equal(result.certificate, undefined);
  });

  it("let the check name its own type and user agent, and nothing of how it is sent", async () => {
    let seen = "";
    const server = await start((request, response) => {
      seen = `${request.headers["user-agent"]} ${request.headers["content-type"]}`;
      response.end();
    });
    const url = `http://localhost:${server.port}/`;
    const headers = [
      { name: "User-Agent", value: "Mine" },
      { name: "Content-Type", value: "text/csv" },
    ];
    await look({ kind: "http", url, method: "POST", headers, body: "a,b" });
    assert.equal(seen, "Mine text/csv");
    for (const name of ["Trailer", "content-LENGTH", "Transfer-Encoding", "Connection"])
      assert.equal(
        targetSchema.safeParse({ kind: "http", url, headers: [{ name, value: "x" }] }).success,
        false,
      );
  });

  it("judge statuses by single ones and spans", async () => {
    const url = await startText("", 304);
    assert.equal(sayResult(await look({ kind: "http", url })), "status | 304 Not Modified");
    for (const statuses of ["304", "200-299, 304", "300-399", "200,300-310"])
      assert.equal((await look({ kind: "http", url, statuses })).fault, undefined, statuses);
  });

  it("judge content: what must be there, and what must not", async () => {
    const url = await startText("all systems go");
    const look1 = async (more: object): Promise<string> =>
      sayResult(await look({ kind: "http", url, ...more }));
    assert.equal(await look1({ contains: "systems", excludes: "error" }), "up | 200 OK");
    assert.equal(await look1({ contains: "System" }), "content | The expected text is not in the response");
    assert.equal(await look1({ excludes: "go" }), "content | The response contains the forbidden text");
    assert.equal(await look1({ json: { path: "a", value: "1" } }), "content | The response is not JSON");
    assert.equal(await look1({ method: "HEAD" }), "up | 200 OK");
  });

  it("judge values in JSON", async () => {
    const url = await startText(
      JSON.stringify({
        ok: true,
        count: 12,
        text: "v1.2",
        version: "1.10",
        age: "42",
        none: null,
        list: [{ state: "up" }, "b"],
        "a.b": { "c'd": 1 },
      }),
    );
    const cases: readonly [string, string, string, boolean][] = [
      ["ok", "=", "true", true],
      ["$.count", "=", "12.0", true],
      ["count", "<", "9", false],
      ["count", ">", "9", true],
      ["count", ">=", "12", true],
      ["count", "<=", "11", false],
      ["text", "contains", "v1", true],
      ["text", "!=", "v1.3", true],
      ["list[0].state", "=", "up", true],
      ['$["list"][1]', "=", "b", true],
      ["list", "contains", "b", true],
      ["none", "=", "null", true],
      ["none", "exists", "", true],
      ["missing", "exists", "", false],
      ["missing", "!=", "x", false],
      ["missing", "absent", "", true],
      ["missing", "<", "5", false],
      ["missing", "contains", "", false],
      ["list[2]", "absent", "", true],
      ["none", "absent", "", false],
      ["none", "!=", "x", true],
      ["version", "=", "1.1", false],
      ["version", "!=", "1.1", true],
      ["version", "=", "1.10", true],
      ["count", "=", "1.2e1", true],
      ["ok", "=", "1", false],
      ["age", ">", "9", true],
      ["list[-1]", "=", "b", true],
      ["list[-2].state", "=", "up", true],
      ["list[-3]", "exists", "", false],
      ["['a.b']['c\\'d']", "=", "1", true],
      ['$["a.b"]["c\'d"]', "=", "1", true],
      ["a.b", "exists", "", false],
      ["list[7].state", "=", "up", false],
      ["toString", "exists", "", false],
      ["__proto__", "exists", "", false],
      ["a..b", "exists", "", false],
    ];
    for (const [path, operator, value, isUp] of cases) {
      const result = await look({ kind: "http", url, json: { path, operator, value } });
      assert.equal(result.fault, isUp ? undefined : "content", `${path} ${operator} ${value}`);
    }
    const wrong = await look({ kind: "http", url, json: { path: "text", value: "v9" } });
    assert.equal(wrong.detail, '"text" is "v1.2", expected = "v9"');
  });

  it("tell slow from down", async () => {
    const url = await startText("x");
    let ms = 0;
    const clock = { now: () => Date.now(), monotonic: () => (ms += 100) };
    const result = await look({ kind: "http", url, maxLatencyMs: 50 }, { clock });
    assert.equal(result.fault, "slow");
    assert.match(result.detail, /^\d+ ms, more than 50 ms$/u);
    assert.equal((await look({ kind: "http", url, maxLatencyMs: 60_000 }, { clock })).fault, undefined);
  });

  it("follow redirects, turn a POST into a GET, and stop where told", async () => {
    const seen: string[] = [];
    const server = await start((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      if (request.url === "/end") response.end("here");
      else response.writeHead(302, { location: "/end" }).end();
    });
    const target = { kind: "http", url: `http://localhost:${server.port}/`, method: "POST", body: "x" };
    assert.equal(sayResult(await look({ ...target, contains: "here" })), "up | 200 OK");
    assert.deepEqual(seen, ["POST /", "GET /end"]);
    assert.equal(sayResult(await look({ ...target, maxRedirects: 0 })), "status | 302 Found");
    assert.equal(sayResult(await look({ ...target, maxRedirects: 0, statuses: "302" })), "up | 302 Found");
  });

  it("show the certificate, good or bad, and refuse a bad one before anything is sent", async () => {
    const cases: readonly [Pair, RegExp | undefined][] = [
      [good, undefined],
      [ended, /^The certificate expired on 2021-01-01$/u],
      [otherName, /^The certificate is not valid for "localhost"$/u],
      [selfSigned, /^The certificate is not trusted \([A-Z_]+\)$/u],
    ];
    for (const [pair, expected] of cases) {
      let requests = 0;
      const server = await start((_request, response) => {
        requests += 1;
        response.end();
      }, pair);
      const target = { kind: "http", url: `https://localhost:${server.port}/` };
      const result = await look(target);
      assert.equal(result.fault, expected === undefined ? undefined : "certificate");
      if (expected !== undefined) assert.match(result.detail, expected);
      assert.equal(result.certificate?.isTrusted, expected === undefined);
      assert.equal(requests, expected === undefined ? 1 : 0);
      const ignoring = await look({ ...target, ignoresCertificate: true });
      assert.equal(ignoring.fault, undefined);
      assert.equal(ignoring.certificate?.isTrusted, expected === undefined);
    }
  });

  it("tell a certificate that ends soon, after everything that is worse", async () => {
    const server = await start((_request, response) => response.end("x"), good);
    const target = { kind: "http", url: `https://127.0.0.1:${server.port}/`, certificateDays: 30 };
    const clock = { now: () => Date.UTC(2125, 11, 12), monotonic: () => performance.now() };
    const result = await look(target, { clock });
    assert.equal(sayResult(result), "certificate_ends | The certificate expires on 2126-01-01, in 20 days");
    assert.equal(result.certificate?.validTo, Date.UTC(2126, 0, 1));
    assert.equal((await look({ ...target, contains: "y" }, { clock })).fault, "content");
    assert.equal((await look({ ...target, certificateDays: 0 }, { clock })).fault, undefined);
    assert.equal((await look(target)).fault, undefined);
  });

  it("name what keeps an answer from coming", async () => {
    const plain = await start((_request, response) => response.end());
    const closed = await findClosedPort();
    const say = async (url: string, options = {}): Promise<string> =>
      sayResult(await look({ kind: "http", url }, options));
    assert.match(await say(`http://localhost:${closed}/`), /^refused \| The connection was refused/u);
    assert.match(await say(`https://localhost:${plain.port}/`), /^tls \| /u);
    const none = { lookup: () => Promise.reject(new Error("no")) };
    assert.equal(
      await say("http://nobody.example/", none),
      'dns | The name "nobody.example" has no IP address',
    );
    const empty = { lookup: () => Promise.resolve([]) };
    assert.equal(
      await say("http://nobody.example/", empty),
      'dns | The name "nobody.example" has no IP address',
    );
  });

  it("take the next address of a name where one is closed", async () => {
    const server = await start((_request, response) => response.end());
    const lookup = (): Promise<readonly string[]> => Promise.resolve(["127.0.0.2", "127.0.0.1"]);
    assert.equal(
      (await look({ kind: "http", url: `http://two.example:${server.port}/` }, { lookup })).fault,
      undefined,
    );
  });

  it("are said without what may be a secret", () => {
    const say = (url: string): string => describeTarget(targetSchema.parse({ kind: "http", url }));
    assert.equal(say("https://example.org/health?token=s#t"), "GET example.org/health");
    assert.equal(say("http://example.org:8080/"), "GET http://example.org:8080");
    assert.ok(say(`https://example.org/${"a".repeat(500)}`).length <= 200);
  });

  it("end at once when the place stops", async () => {
    const stop = new AbortController();
    const server = await start(() => stop.abort());
    const context = createContext({ signal: stop.signal });
    const result = await look({ kind: "http", url: `http://localhost:${server.port}/` }, context);
    assert.equal(sayResult(result), "timeout | Canceled before a response arrived");
    assert.equal(
      (await look({ kind: "tcp", host: "localhost", port: server.port }, context)).fault,
      "timeout",
    );
  });
});
