import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import process from "node:process";
import { afterEach, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import type { ProbeContext, ProbeResult } from "../../../src/kit/probes/probe.ts";
import { targetSchema } from "../../../src/kit/probes/targets.ts";
import { until } from "../../support/eventually.ts";
import { good } from "./certificates.ts";
import { look, sayResult, serveHttp, serveTcp, type TargetServer } from "./targets.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function start(listener: RequestListener, options: { tls?: boolean } = {}): Promise<TargetServer> {
  const server = await serveHttp(listener, options.tls === true ? good : undefined);
  cleanUp.push(() => server.close());
  return server;
}

async function startRaw(onSocket: (socket: Socket) => void): Promise<TargetServer> {
  const server = await serveTcp(onSocket);
  cleanUp.push(() => server.close());
  return server;
}

const at = ({ port }: TargetServer, path = "/"): string => `http://localhost:${port}${path}`;

function lookAt(
  server: TargetServer,
  more: object = {},
  options: Partial<ProbeContext> = {},
): Promise<ProbeResult> {
  return look({ kind: "http", url: at(server), ...more }, options);
}

/** Long enough for a connection on this machine, short enough to wait for. */
const SHORT = { timeoutMs: 400 };

/** Writes as long as there is a reader. */
function writeForever(socket: Socket, chunk: string): void {
  const go = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", go);
  go();
}

describe("HTTP probes at hostile targets", () => {
  it("end with their time where nothing, or never all of it, is said", async () => {
    const silent = await startRaw(() => undefined);
    const header = await startRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("x: y\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    const drip = await start((_request, response) => {
      const timer = setInterval(() => response.write("a"), 20);
      response.on("close", () => clearInterval(timer));
    });
    const cases: readonly [TargetServer, string][] = [
      [silent, "while waiting for the response"],
      [header, "while waiting for the response"],
      [drip, "while reading the response"],
    ];
    for (const [server, step] of cases) {
      assert.equal(sayResult(await lookAt(server, {}, SHORT)), `timeout | No response within 0.4 s, ${step}`);
      await until(() => server.open() === 0);
    }
    const handshake = await look({ kind: "http", url: `https://localhost:${silent.port}/` }, SHORT);
    assert.equal(sayResult(handshake), "timeout | No response within 0.4 s, during the TLS handshake");
    await until(() => silent.open() === 0);
  });

  it("end with their time where the name is never found", async () => {
    const lookup = (): Promise<readonly string[]> => new Promise(() => undefined);
    const result = await look({ kind: "http", url: "http://slow.example/" }, { ...SHORT, lookup });
    assert.equal(sayResult(result), "timeout | No response within 0.4 s, during the DNS lookup");
  });

  it("read an endless answer up to the bound and cut the connection", async () => {
    let written = 0;
    const server = await startRaw((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n");
        writeForever(socket, "a".repeat(65_536));
        socket.on("close", () => (written = socket.bytesWritten));
      });
    });
    assert.equal(sayResult(await lookAt(server)), "up | 200 OK");
    await until(() => written > 0);
    assert.ok(written < 50_000_000, `${written} bytes`);
    assert.equal((await lookAt(server, { contains: "b" })).fault, "not_judged");
    const json = await lookAt(server, { json: { path: "a", operator: "exists" } });
    assert.equal(sayResult(json), "not_judged | The response is longer than 1 MiB: its JSON was not read");
  });

  it("refuse endless headers", async () => {
    const server = await startRaw((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\n");
        writeForever(socket, `x: ${"y".repeat(1_000)}\r\n`);
      });
    });
    assert.match(sayResult(await lookAt(server)), /^protocol \| The response is malformed \(\w+\)$/u);
  });

  it("survive endless interim responses", async () => {
    const server = await startRaw((socket) => {
      socket.once("data", () => writeForever(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"));
    });
    const { fault } = await lookAt(server, {}, SHORT);
    // The server runs in this process too: what it sends without end may leave no time for the check.
    assert.ok(["timeout", "protocol", "unsupported"].includes(fault ?? ""), fault);
    await until(() => server.open() === 0);
  });

  it("call what is no HTTP, half of it, or another protocol what it is", async () => {
    const said: readonly [string, string][] = [
      ["SSH-2.0-OpenSSH_9.2\r\n", "protocol"],
      ["HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", "protocol"],
      ["HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "protocol"],
      ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", "protocol"],
      ["", "reset"],
    ];
    for (const [text, fault] of said) {
      const server = await startRaw((socket) => {
        socket.once("data", () => socket.end(text));
      });
      const result = await lookAt(server);
      if (text !== "") assert.equal(result.fault, fault, `${text} ${result.detail}`);
      else assert.ok(["reset", "protocol"].includes(result.fault ?? ""), result.detail);
    }
  });

  it("tell a connection that is broken off from one that is refused", async () => {
    const server = await startRaw((socket) => {
      socket.once("data", () => socket.resetAndDestroy());
    });
    assert.equal(sayResult(await lookAt(server)), "reset | The connection was reset (ECONNRESET)");
    await server.close();
    assert.equal((await lookAt(server)).fault, "refused");
  });

  it("unpack no bomb", async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, "a"));
    const server = await start((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    assert.equal((await lookAt(server)).fault, undefined);
    const result = await lookAt(server, { contains: "b" });
    assert.match(sayResult(result), /^not_judged \| The response is longer than 1 MiB/u);
  });

  it("tell circles, endless chains, and ways that lead nowhere", async () => {
    const server = await start((request, response) => {
      const { url = "" } = request;
      const next: Record<string, string> = {
        "/circle": "/other",
        "/other": "/circle",
        "/file": "file:///etc/passwd",
        "/user": "http://user:secret@localhost/",
        "/nonsense": "http://[",
      };
      response.writeHead(302, { location: next[url] ?? `/chain${Number(url.slice(6)) + 1}` }).end();
    });
    const say = async (path: string): Promise<string> =>
      sayResult(await look({ kind: "http", url: at(server, path) }));
    assert.equal(await say("/circle"), "redirects | The response redirects in a loop");
    assert.equal(await say("/chain0"), "redirects | The response redirects more than 5 times");
    assert.equal(await say("/file"), "redirects | The response redirects to an invalid URL");
    assert.equal(await say("/user"), "redirects | The response redirects to an invalid URL");
    assert.equal(await say("/nonsense"), "status | 302 Found");
  });

  it("keep credentials from other origins and from http behind https", async () => {
    const seen: string[] = [];
    const other = await start((request, response) => {
      seen.push(
        ["x-key", "content-type", "content-length"].map((name) => String(request.headers[name])).join(" "),
      );
      response.end();
    });
    const first = await start((_request, response) => response.writeHead(307, { location: at(other) }).end());
    const target = { method: "POST", body: "secret", headers: [{ name: "x-key", value: "s" }] };
    assert.equal((await lookAt(first, target)).fault, undefined);
    assert.deepEqual(seen, ["undefined undefined 0"]);
    const secure = await start(
      (_request, response) => response.writeHead(302, { location: at(other) }).end(),
      {
        tls: true,
      },
    );
    const down = await look({ kind: "http", url: `https://localhost:${secure.port}/` });
    assert.equal(sayResult(down), "redirects | The response redirects from https to http");
    assert.equal(seen.length, 1);
  });

  it("check addresses after each look-up, and connect to what was checked", async () => {
    const server = await start((_request, response) => response.writeHead(302, { location: "/next" }).end());
    let asked = 0;
    // A name that resolves to another machine on the second lookup: allowed first, the metadata service then.
    const rebinding = (): Promise<readonly string[]> =>
      Promise.resolve([(asked += 1) === 1 ? "127.0.0.1" : "169.254.169.254"]);
    const result = await lookAt(server, {}, { lookup: rebinding });
    assert.equal(result.fault, "forbidden");
    assert.equal(asked, 2);
    assert.equal(server.connections(), 1);
  });

  it("ask no private address unless allowed, not even as one of several or behind a redirect", async () => {
    const server = await start((_request, response) => response.end());
    const rules = { allowPrivate: false, privateRemedy: "set the switch" };
    const direct = await look({ kind: "http", url: `http://127.0.0.1:${server.port}/` }, { rules });
    assert.equal(sayResult(direct), 'forbidden | "127.0.0.1" is a private address; set the switch');
    const lookup = (): Promise<readonly string[]> =>
      Promise.resolve(["192.0.2.1", "203.0.113.9", "::ffff:127.0.0.1"]);
    assert.equal((await lookAt(server, {}, { rules, lookup })).fault, "forbidden");
    const away = await start((_request, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end(),
    );
    assert.equal((await lookAt(away)).fault, "forbidden");
    assert.equal(server.connections(), 0);
  });

  it("let nothing into the request that was not set: no line of its own in a header or an address", async () => {
    const server = await startRaw((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    });
    for (const value of ["a\r\nx: y", "a\nb", "a\u0000", "\u2028", "日本"]) {
      const target = { kind: "http", url: at(server), headers: [{ name: "x", value }] };
      assert.equal(targetSchema.safeParse(target).success, false, JSON.stringify(value));
    }
    for (const name of ["a b", "a:", "", "ä", "a\r\nb"]) {
      const target = { kind: "http", url: at(server), headers: [{ name, value: "x" }] };
      assert.equal(targetSchema.safeParse(target).success, false, name);
    }
    assert.equal(targetSchema.safeParse({ kind: "http", url: `${at(server)}\r\nx: y` }).success, false);
    await look({ kind: "http", url: at(server, "/a%0d%0ax: y z") });
    assert.match(server.received(), /^GET \/a%0d%0ax:%20y%20z HTTP\/1\.1\r\n/u);
  });

  it("say details in one short line, whatever the target calls it", async () => {
    const server = await startRaw((socket) => {
      const reason = `\u202e<b>${"é".repeat(3_000)}`;
      socket.once("data", () => socket.end(`HTTP/1.1 500 ${reason}\r\ncontent-length: 0\r\n\r\n`));
    });
    const { detail } = await lookAt(server);
    assert.ok(detail.length <= 200);
    assert.doesNotMatch(detail, /[\p{Cc}\u202e]/u);
  });

  it("survive JSON as deep as 64 KiB allow", async () => {
    const deep = "[".repeat(30_000) + "]".repeat(30_000);
    const server = await start((_request, response) => response.end(deep));
    const result = await lookAt(server, { json: { path: "a", value: "1" } });
    assert.equal(result.fault, "content");
    assert.ok(result.detail.length <= 200);
    const root = await lookAt(server, { json: { path: "$", value: "1" } });
    assert.equal(root.fault, "content");
  });
});

describe("Many HTTP probes at once", () => {
  it(
    "hold little more than their bound each, and nothing when they are over",
    { timeout: 120_000 },
    async () => {
      const server = await startRaw((socket) => {
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n");
          writeForever(socket, "a".repeat(65_536));
        });
      });
      const { signal } = new AbortController();
      const before = process.memoryUsage().rss;
      let peak = before;
      const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
      const results = await Promise.all(
        Array.from({ length: 100 }, () => lookAt(server, { excludes: "b" }, { signal, timeoutMs: 100_000 })),
      );
      clearInterval(timer);
      assert.deepEqual([...new Set(results.map(({ fault }) => fault))], ["not_judged"]);
      await until(() => server.open() === 0);
      assert.equal(getEventListeners(signal, "abort").length, 0);
      assert.ok(peak - before < 600_000_000, `${peak - before} bytes`);
    },
  );
});
