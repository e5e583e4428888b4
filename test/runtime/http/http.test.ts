import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { describe, it } from "node:test";
import type { HttpHandler, Listener } from "../../../src/runtime/runtime.ts";
import { serveHttp, type HttpLimits } from "../../../src/runtime/http/http.ts";
import { tellSkipped } from "../../support/missing.ts";
import { connectRaw, exchangeRaw } from "./raw-client.ts";

interface Server extends Listener {
  readonly url: string;
  readonly errors: unknown[];
}

async function withServer(
  options: { handler: HttpHandler; limits?: Partial<HttpLimits> },
  work: (server: Server) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const listener = await serveHttp(
    { hostname: "127.0.0.1", port: 0, handler: options.handler, onError: (error) => errors.push(error) },
    options.limits,
  );
  try {
    await work({ ...listener, url: `http://127.0.0.1:${listener.port}`, errors });
  } finally {
    await listener.close({ graceMs: 0 });
  }
}

function createSignal(): { readonly seen: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined;
  const seen = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { seen, give: () => give() };
}

const echo: HttpHandler = async (request) =>
  new Response(await request.arrayBuffer(), { headers: { "x-method": request.method } });

describe("serveHttp", () => {
  it("carries methods, bodies, headers and status both ways", async () => {
    const handler: HttpHandler = async (request, connection) => {
      const body = await request.text();
      const headers = new Headers({ "x-client": connection.remoteAddress, "content-type": "text/x-test" });
      headers.append("set-cookie", "a=1");
      headers.append("set-cookie", "b=2");
      const { pathname, search } = new URL(request.url);
      return new Response(`${request.method} ${pathname}${search} ${body}`, { status: 207, headers });
    };
    await withServer({ handler }, async ({ url }) => {
      const response = await fetch(`${url}/a%20b?c=d`, { method: "PUT", body: "grüße" });
      assert.equal(response.status, 207);
      assert.equal(response.headers.get("x-client"), "127.0.0.1");
      assert.equal(response.headers.get("content-type"), "text/x-test");
      assert.deepEqual(response.headers.getSetCookie(), ["a=1", "b=2"]);
      assert.equal(await response.text(), "PUT /a%20b?c=d grüße");
    });
  });

  it("names an IPv4 client without the IPv6 prefix on a dual-stack listener", async (t) => {
    const seen: string[] = [];
    const handler: HttpHandler = (_request, connection) => {
      seen.push(connection.remoteAddress);
      return new Response(null);
    };
    let listener: Listener;
    try {
      listener = await serveHttp({ hostname: "::", port: 0, handler });
    } catch {
      t.skip(tellSkipped("this machine has no IPv6"));
      return;
    }
    try {
      await (await fetch(`http://127.0.0.1:${listener.port}/`)).text();
      assert.deepEqual(seen, ["127.0.0.1"]);
    } finally {
      await listener.close({ graceMs: 0 });
    }
  });

  it("keeps bytes exact and answers HEAD without a body", async () => {
    await withServer({ handler: echo }, async ({ url }) => {
      const bytes = new Uint8Array(70_000).map((_, i) => (i * 31) % 256);
      const response = await fetch(url, { method: "POST", body: bytes });
      assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes);
      const head = await fetch(url, { method: "HEAD" });
      assert.equal(head.headers.get("x-method"), "HEAD");
      assert.equal(await head.text(), "");
    });
  });

  it("passes a chunked body on in pieces, so that a handler can stop reading", async () => {
    const handler: HttpHandler = async (request) => {
      let size = 0;
      for await (const chunk of request.body ?? []) {
        size += chunk.byteLength;
        if (size > 100_000) return new Response("too much", { status: 413 });
      }
      return new Response(String(size));
    };
    await withServer({ handler }, async ({ port }) => {
      const client = await connectRaw(port);
      client.socket.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
      const chunk = `4000\r\n${"a".repeat(0x4000)}\r\n`;
      for (let i = 0; i < 12; i += 1) client.socket.write(chunk); // and never the last chunk
      assert.match(await client.until((text) => text.includes("too much")), /^HTTP\/1\.1 413 /u);
      client.socket.destroy();
    });
  });

  it("answers 500 and reports when the handler throws, at once or later", async () => {
    const handler: HttpHandler = (request) => {
      if (request.url.endsWith("/now")) throw new Error("now");
      return Promise.reject(new Error("later"));
    };
    await withServer({ handler }, async ({ url, errors }) => {
      for (const path of ["/now", "/later"]) {
        const response = await fetch(url + path);
        assert.equal(response.status, 500);
        assert.equal(await response.text(), "");
      }
      assert.deepEqual(errors.map(String), ["Error: now", "Error: later"]);
    });
  });

  it("aborts the request's signal when the client goes away, and lives on", async () => {
    const started = createSignal();
    const aborted = createSignal();
    const handler: HttpHandler = async (request) => {
      if (request.method === "GET") return new Response("alive");
      request.signal.addEventListener("abort", aborted.give);
      started.give();
      await aborted.seen;
      return new Response("nobody reads this");
    };
    await withServer({ handler }, async ({ url, port, errors }) => {
      const client = await connectRaw(port);
      client.socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
      await started.seen;
      client.socket.destroy();
      await aborted.seen;
      assert.equal(await (await fetch(url)).text(), "alive");
      assert.deepEqual(errors, []);
    });
  });

  it("survives a client that leaves in the middle of a body that the handler reads", async () => {
    const failed = createSignal();
    const handler: HttpHandler = async (request) => {
      if (request.method === "GET") return new Response("alive");
      try {
        await request.text();
      } catch {
        failed.give();
      }
      return new Response(null, { status: 400 });
    };
    await withServer({ handler }, async ({ url, port }) => {
      const client = await connectRaw(port);
      client.socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc", () =>
        client.socket.destroy(),
      );
      await failed.seen;
      assert.equal(await (await fetch(url)).text(), "alive");
    });
  });

  it("refuses what is no HTTP, no Host, double framing and oversized headers", async () => {
    await withServer({ handler: echo }, async ({ port }) => {
      const cases: [string, RegExp][] = [
        ["\u0000\u0001nonsense\r\n\r\n", /^HTTP\/1\.1 400 /u],
        ["GET / HTTP/1.1\r\n\r\n", /^HTTP\/1\.1 400 /u],
        [
          "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          /^HTTP\/1\.1 400 /u,
        ],
        [`GET / HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /u],
        ["GET / HTTP/1.1\r\nHost: x y\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 400 /u],
        ["GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 400 /u],
        ["GET /a\\b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 400 /u],
      ];
      for (const [bytes, expected] of cases) assert.match(await exchangeRaw(port, bytes), expected);
    });
  });

  it("refuses header bytes that are not UTF-8 and keeps those that are", async () => {
    await withServer({ handler: () => new Response("fine") }, async ({ port }) => {
      const send = (value: string): Promise<string> =>
        exchangeRaw(
          port,
          Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nX-A: ${value}\r\nConnection: close\r\n\r\n`, "latin1"),
        );
      assert.match(await send("caf\u00e9"), /^HTTP\/1\.1 400 /u);
      assert.match(await send("caf\u00c3\u00a9"), /^HTTP\/1\.1 200 /u);
    });
  });

  it("drops a client that is slow with its headers or its body", async () => {
    const limits = { headersTimeoutMs: 100, requestTimeoutMs: 200 };
    await withServer({ handler: echo, limits }, async ({ port }) => {
      assert.match(await exchangeRaw(port, "GET / HTTP/1.1\r\nHost: x\r\nX-A:"), /^HTTP\/1\.1 408 /u);
      const slowBody = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc";
      assert.match(await exchangeRaw(port, slowBody), /^HTTP\/1\.1 408 /u);
      await exchangeRaw(port, "");
    });
  });

  it("drops a client that does not read its answer, and one whose answer never comes", async () => {
    const size = 64 * 1024 * 1024;
    const handler: HttpHandler = async (request) =>
      request.url.endsWith("/never") ? new Promise(() => undefined) : new Response(new Uint8Array(size));
    await withServer({ handler, limits: { idleTimeoutMs: 100 } }, async ({ port }) => {
      const stuck = await connectRaw(port);
      stuck.socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      await stuck.until((text) => text.includes("HTTP/1.1 200"));
      stuck.socket.pause();
      await exchangeRaw(port, "GET /never HTTP/1.1\r\nHost: x\r\n\r\n"); // quiet from later on, so dropped later
      stuck.socket.resume();
      assert.ok((await stuck.ended()).length < size);
    });
  });

  it("writes no second status line to a client that is slow after its answer", async () => {
    const limits = { headersTimeoutMs: 100, requestTimeoutMs: 200 };
    await withServer({ handler: () => new Response("early"), limits }, async ({ port }) => {
      const text = await exchangeRaw(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
      assert.equal(text.match(/HTTP\/1\.1 /gu)?.length, 1);
      assert.match(text, /early$/u);
    });
  });

  it("throws with a code when the port is taken", async () => {
    await withServer({ handler: echo }, async ({ port }) => {
      await assert.rejects(serveHttp({ hostname: "127.0.0.1", port, handler: echo }), { code: "EADDRINUSE" });
    });
  });
});

describe("closing a listener", () => {
  it("ends idle connections at once and lets a running request finish", async () => {
    const started = createSignal();
    const release = createSignal();
    const handler: HttpHandler = async (request) => {
      if (request.url.endsWith("/slow")) {
        started.give();
        await release.seen;
      }
      return new Response("done");
    };
    await withServer({ handler }, async ({ port, close }) => {
      const silent = await connectRaw(port);
      const idle = await connectRaw(port);
      idle.socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      await idle.until((text) => text.endsWith("done"));
      const busy = await connectRaw(port);
      busy.socket.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
      await started.seen;
      const closed = close({ graceMs: 60_000 });
      await Promise.all([silent.ended(), idle.ended()]);
      await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
      release.give();
      assert.match(await busy.ended(), /Connection: close[\s\S]*done$/iu);
      await closed;
      await close(); // a second call joins the first
    });
  });

  it("finishes a response that is being streamed", async () => {
    const release = createSignal();
    const handler: HttpHandler = () =>
      new Response(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode("first,"));
            await release.seen;
            controller.enqueue(new TextEncoder().encode("last"));
            controller.close();
          },
        }),
      );
    await withServer({ handler }, async ({ port, close }) => {
      const client = await connectRaw(port);
      client.socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      await client.until((text) => text.includes("first,"));
      const closed = close({ graceMs: 60_000 });
      release.give();
      assert.match(await client.ended(), /last/u);
      await closed;
    });
  });

  it("ends what still runs after the grace time", async () => {
    const started = createSignal();
    const handler: HttpHandler = () => {
      started.give();
      return new Promise(() => undefined);
    };
    await withServer({ handler }, async ({ port, close }) => {
      const pending = new Promise<string>((resolve) => {
        httpRequest({ port, host: "127.0.0.1" })
          .on("error", () => resolve("dropped"))
          .end();
      });
      await started.seen;
      await close({ graceMs: 20 });
      assert.equal(await pending, "dropped");
    });
  });
});
