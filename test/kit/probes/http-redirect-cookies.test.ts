import assert from "node:assert/strict";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { afterEach, describe, it } from "node:test";
import { good } from "./certificates.ts";
import { look, sayResult, serveHttp, type TargetServer } from "./targets.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function start(listener: RequestListener): Promise<TargetServer> {
  const server = await serveHttp(listener);
  cleanUp.push(() => server.close());
  return server;
}

const cookieOf = ({ headers }: IncomingMessage): string => headers.cookie ?? "";

function redirect(response: ServerResponse, location: string, cookies: string[] = []): void {
  response.writeHead(302, { location, "set-cookie": cookies }).end();
}

describe("HTTP probes keep cookies within one try", () => {
  it("so that a page that redirects to itself once is no circle", async () => {
    const server = await start((request, response) => {
      if (cookieOf(request) === "seen=1") response.end("welcome");
      else redirect(response, request.url ?? "/", ["seen=1; Path=/; HttpOnly"]);
    });
    const target = { kind: "http", url: `http://localhost:${server.port}/a/b` };
    for (let tries = 0; tries < 2; tries += 1)
      assert.equal(sayResult(await look({ ...target, contains: "welcome" })), "up | 200 OK");
    assert.equal(server.connections(), 4);
  });

  it("and a circle is one all the same: without cookies, with the same, and with a new one each time", async () => {
    let count = 0;
    const server = await start((request, response) => {
      const cookies = { "/same": ["a=1"], "/new": [`a=${(count += 1)}`] }[request.url ?? ""] ?? [];
      redirect(response, request.url ?? "/", cookies);
    });
    const say = async (path: string): Promise<string> =>
      sayResult(await look({ kind: "http", url: `http://localhost:${server.port}${path}` }));
    assert.equal(await say("/none"), "redirects | The response redirects in a loop");
    assert.equal(await say("/same"), "redirects | The response redirects in a loop");
    assert.equal(await say("/new"), "redirects | The response redirects more than 5 times");
  });

  it("by host, domain, path, scheme and end, beside those that the check sends itself", async () => {
    const seen: string[] = [];
    const server = await start((request, response) => {
      const { port } = server;
      seen.push(`${request.headers.host?.split(":")[0]}${request.url} ${cookieOf(request)}`);
      if (request.url === "/in/")
        redirect(response, `http://www.shop.example:${port}/in/next`, [
          "host=1; Path=/",
          "domain=2; Domain=.shop.example; Path=/",
          "folder=3",
          "other=4; Path=/elsewhere",
          "secure=5; Path=/; Secure",
          "foreign=6; Domain=bank.example; Path=/",
          "over=7; Path=/; Max-Age=0",
          "old=8; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
          "noise",
          'quoted="9 9"; Path=/',
        ]);
      else if (request.url === "/in/next") redirect(response, `http://shop.example:${port}/in/deep/`);
      else if (request.url === "/in/deep/") redirect(response, `http://bank.example:${port}/`);
      else response.end("done");
    });
    const result = await look({
      kind: "http",
      url: `http://shop.example:${server.port}/in/`,
      headers: [{ name: "Cookie", value: "own=0" }],
    });
    assert.equal(sayResult(result), "up | 200 OK");
    assert.deepEqual(seen, [
      "shop.example/in/ own=0",
      "www.shop.example/in/next domain=2",
      'shop.example/in/deep/ host=1; domain=2; folder=3; quoted="9 9"',
      "bank.example/ ",
    ]);
  });
});

describe("HTTP probes with a Host header of the check", () => {
  it("send it in place of the host of the URL, and never to the target of a redirect", async () => {
    const hosts: string[] = [];
    const codings = new Set<string>();
    const server = await start((request, response) => {
      hosts.push(request.headers.host ?? "");
      codings.add(String(request.headers["accept-encoding"]));
      if (request.url === "/away") redirect(response, `http://other.example:${server.port}/`);
      else response.end("ok");
    });
    const headers = [
      { name: "Host", value: "www.example.org" },
      { name: "Accept-Encoding", value: "gzip, br" },
    ];
    await look({ kind: "http", url: `http://127.0.0.1:${server.port}/`, headers });
    await look({ kind: "http", url: `http://127.0.0.1:${server.port}/away`, headers });
    assert.deepEqual(hosts, ["www.example.org", "www.example.org", `other.example:${server.port}`]);
    assert.deepEqual([...codings], ["gzip, br", "identity"]);
  });

  it("ask for the certificate of that host at an address, and of the URL's name otherwise", async () => {
    const server = await serveHttp((_request, response) => response.end("ok"), good);
    cleanUp.push(() => server.close());
    const say = async (host: string, value?: string): Promise<string> => {
      const headers = value === undefined ? [] : [{ name: "Host", value }];
      return sayResult(await look({ kind: "http", url: `https://${host}:${server.port}/`, headers }));
    };
    assert.equal(await say("127.0.0.1", "localhost"), "up | 200 OK");
    assert.equal(await say("127.0.0.1", "localhost:8443"), "up | 200 OK");
    assert.match(await say("127.0.0.1", "www.example.org"), /^certificate \| .*"www\.example\.org"/u);
    assert.match(await say("shop.example", "localhost"), /^certificate \| .*"shop\.example"/u);
  });
});
