/** The application on a real port: what the listener's lightweight requests could do differently. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../src/kit/http/app.ts";
import { AppError } from "../../src/kit/errors.ts";
import { problemResponses } from "../../src/kit/http/schemas.ts";
import { serveHttp } from "../../src/runtime/http/http.ts";
import { upgradeWebSocket } from "../../src/runtime/http/upgrade.ts";
import { createAppHarness, readProblem } from "../kit/app-harness.ts";
import { connectRaw, exchangeRaw, handshake } from "./http/raw-client.ts";

const route = createRoute({
  method: "post",
  path: "/things",
  request: {
    body: { required: true, content: { "application/json": { schema: z.object({ name: z.string() }) } } },
  },
  responses: {
    201: { description: "Made", content: { "application/json": { schema: z.object({ name: z.string() }) } } },
    ...problemResponses("bad_request", "invalid", "too_large", "unsupported_media_type"),
  },
});

async function withApp(
  options: { setUp?: (app: ServiceApp) => void; trustedProxies?: readonly string[] },
  work: (server: { url: string; port: number; logged: () => Record<string, unknown>[] }) => Promise<void>,
): Promise<void> {
  const { app, logged } = createAppHarness({ trustedProxies: options.trustedProxies ?? [] });
  app.openapi(route, (c) => c.json({ name: c.req.valid("json").name }, 201));
  app.get("/client", (c) => c.text(c.get("clientAddress")));
  options.setUp?.(app);
  const listener = await serveHttp({
    hostname: "127.0.0.1",
    port: 0,
    handler: (request, connection) => app.fetch(request, connection),
  });
  try {
    await work({ url: `http://127.0.0.1:${listener.port}`, port: listener.port, logged });
  } finally {
    await listener.close({ graceMs: 0 });
  }
}

const json = { "content-type": "application/json" };

describe("an application on a real port", () => {
  it("takes JSON whole and in chunks", async () => {
    await withApp({}, async ({ url }) => {
      const body = '{"name":"grüße"}';
      const whole = await fetch(`${url}/things`, { method: "POST", headers: json, body });
      assert.equal(whole.status, 201);
      assert.deepEqual(await whole.json(), { name: "grüße" });
      const stream = new Blob([body]).stream();
      const init = { method: "POST", headers: json, body: stream, duplex: "half" };
      const chunked = await fetch(`${url}/things`, init);
      assert.deepEqual(await chunked.json(), { name: "grüße" });
    });
  });

  it("answers the problems of hostile bodies", async () => {
    await withApp({}, async ({ url }) => {
      const cases: [string | Uint8Array<ArrayBuffer>, Record<string, string>, number][] = [
        ['{"name":1}', json, 422],
        ['{"name":"a",}', json, 400],
        [new Uint8Array([0x22, 0xff, 0x22]), json, 400],
        ['{"name":"x"}', { "content-type": "text/plain" }, 415],
        [new TextEncoder().encode('{"name":"x"}'), {}, 415],
        [`{"name":"${"x".repeat(1_000)}"}`, json, 413],
      ];
      for (const [body, headers, status] of cases) {
        const response = await fetch(`${url}/things`, { method: "POST", headers, body });
        assert.equal(response.status, status);
        assert.equal((await readProblem(response))["requestId"], response.headers.get("x-request-id"));
      }
    });
  });

  it("answers 413 before a body has come whole, announced or in chunks", async () => {
    await withApp({}, async ({ port }) => {
      const start = "POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
      const announced = await connectRaw(port);
      announced.socket.write(`${start}Content-Length: 5000000\r\n\r\n{`);
      assert.match(await announced.until((text) => text.includes("too_large")), /^HTTP\/1\.1 413 /u);
      const chunked = await connectRaw(port);
      chunked.socket.write(`${start}Transfer-Encoding: chunked\r\n\r\n`);
      for (let i = 0; i < 3; i += 1) chunked.socket.write(`200\r\n${" ".repeat(0x200)}\r\n`);
      assert.match(await chunked.until((text) => text.includes("too_large")), /^HTTP\/1\.1 413 /u);
      for (const client of [announced, chunked]) client.socket.destroy();
    });
  });

  it("repeats no request to TRACE", async () => {
    await withApp({}, async ({ port }) => {
      const answer = await exchangeRaw(
        port,
        "TRACE /client HTTP/1.1\r\nHost: x\r\nCookie: secret=1\r\nConnection: close\r\n\r\n",
      );
      assert.match(answer, /^HTTP\/1\.1 405 /u);
      assert.doesNotMatch(answer, /secret=1/u);
    });
  });

  it("answers 400 quietly when the client leaves within a body", async () => {
    let tellStarted = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      tellStarted = resolve;
    });
    let tellFailed: (error: unknown) => void = () => undefined;
    const failed = new Promise<unknown>((resolve) => {
      tellFailed = resolve;
    });
    const setUp = (app: ServiceApp): void => {
      app.post("/read", async (c) => {
        tellStarted();
        return c.json(
          await c.req.json().catch((error: unknown) => {
            tellFailed(error);
            throw error;
          }),
        );
      });
    };
    await withApp({ setUp }, async ({ port, logged }) => {
      const client = await connectRaw(port);
      client.socket.write("POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{");
      await started;
      client.socket.destroy();
      const error = await failed;
      assert.ok(error instanceof AppError);
      assert.equal(error.code, "bad_request");
      assert.ok(logged().every((line) => line["level"] !== "error"));
    });
  });

  it("knows the client's address", async () => {
    const headers = { "x-forwarded-for": "198.51.100.7" };
    await withApp({}, async ({ url }) => {
      assert.equal(await (await fetch(`${url}/client`, { headers })).text(), "127.0.0.1");
    });
    await withApp({ trustedProxies: ["127.0.0.1"] }, async ({ url }) => {
      assert.equal(await (await fetch(`${url}/client`, { headers })).text(), "198.51.100.7");
    });
  });

  it("answers HEAD, OPTIONS, 404 and 405", async () => {
    await withApp({}, async ({ url }) => {
      const head = await fetch(`${url}/client`, { method: "HEAD" });
      assert.equal(head.status, 200);
      assert.equal(await head.text(), "");
      assert.equal((await fetch(`${url}/client`, { method: "OPTIONS" })).status, 204);
      assert.equal((await fetch(`${url}/none`)).status, 404);
      assert.equal((await fetch(`${url}/things`)).headers.get("allow"), "POST, OPTIONS");
    });
  });
});

describe("WebSocket handshakes through the application", () => {
  const setUp = (app: ServiceApp): void => {
    app.get("/ws", (c) => {
      if (c.req.header("origin") === "https://evil.example")
        throw new AppError("origin_refused", "Not from there");
      return upgradeWebSocket(c.req.raw).response;
    });
  };

  it("get the request id with 101, and are logged as that", async () => {
    await withApp({ setUp }, async ({ port, logged }) => {
      const client = await connectRaw(port);
      client.socket.write(handshake("/ws", { "X-Request-Id": "r1" }));
      const text = await client.until((received) => received.includes("\r\n\r\n"));
      assert.match(text, /^HTTP\/1\.1 101 /u);
      assert.match(text, /\r\nx-request-id: [0-9a-f]{16}-[0-9a-z]+\r\n/iu);
      client.socket.destroy();
      assert.deepEqual(
        logged().map((line) => [line["route"], line["status"]]),
        [["/ws", 101]],
      );
    });
  });

  it("are refused with problem documents", async () => {
    await withApp({ setUp }, async ({ port, url }) => {
      const foreign = await exchangeRaw(port, handshake("/ws", { Origin: "https://evil.example" }));
      assert.match(foreign, /^HTTP\/1\.1 403 [\s\S]*"code":"origin_refused"/u);
      assert.match(foreign, /\r\nx-request-id: /u);
      assert.match(await exchangeRaw(port, handshake("/none")), /^HTTP\/1\.1 404 [\s\S]*"code":"not_found"/u);
      const old = await exchangeRaw(port, handshake("/ws", { "Sec-WebSocket-Version": "8" }));
      assert.match(old, /^HTTP\/1\.1 426 [\s\S]*\r\nupgrade: websocket/u);
      assert.equal((await fetch(`${url}/ws`)).status, 426);
    });
  });
});
