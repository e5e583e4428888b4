import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { serveHttp } from "../../../src/runtime/http/http.ts";
import type { HttpHandler } from "../../../src/runtime/runtime.ts";
import { connectRaw } from "./raw-client.ts";

const MIB = 1024 * 1024;

/** Ways to answer without the whole body, by path. */
const handlers: Readonly<Record<string, HttpHandler>> = {
  "/at-once": () => new Response("at once", { status: 404 }),
  "/later": async () => {
    await Promise.resolve();
    return new Response("later", { status: 409 });
  },
  "/empty": () => Promise.resolve(new Response(null, { status: 401 })),
  "/stream": () => Promise.resolve(new Response(new Blob(["streamed"]).stream(), { status: 422 })),
  "/wrapped": async (request) => {
    // Like a guard that limits a body: takes the stream and stops reading.
    const reader = request.body?.getReader();
    const body = new ReadableStream({ pull: () => undefined, cancel: (reason) => reader?.cancel(reason) });
    await Promise.resolve();
    return new Response(body.locked ? "" : "wrapped", { status: 404 });
  },
  "/one-part": async (request) => {
    const reader = request.body?.getReader();
    await reader?.read();
    return new Response("one part", { status: 413 });
  },
  "/canceled": async (request) => {
    await request.body?.cancel();
    return new Response("canceled", { status: 400 });
  },
  "/whole": async (request) => new Response(String((await request.arrayBuffer()).byteLength)),
};

const handler: HttpHandler = (request) => {
  const { pathname } = new URL(request.url);
  return handlers[pathname]?.(request, { remoteAddress: "" }) ?? new Response("next");
};

function chunked(size: number): string {
  const part = 16_384;
  let text = "";
  for (let at = 0; at < size; at += part) {
    const length = Math.min(part, size - at);
    text += `${length.toString(16)}\r\n${"a".repeat(length)}\r\n`;
  }
  return `${text}0\r\n\r\n`;
}

/** The bytes of a request with a body, by framing. */
const framings: Readonly<Record<string, (path: string, size: number) => string>> = {
  "a length": (path, size) =>
    `PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n${"a".repeat(size)}`,
  chunks: (path, size) =>
    `PUT ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(size)}`,
};

const NEXT = "GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

async function withPort(work: (port: number) => Promise<void>): Promise<void> {
  const listener = await serveHttp({ hostname: "127.0.0.1", port: 0, handler });
  try {
    await work(listener.port);
  } finally {
    await listener.close({ graceMs: 0 });
  }
}

describe("serveHttp with a body that the handler does not read", () => {
  for (const [framing, toBytes] of Object.entries(framings)) {
    for (const path of Object.keys(handlers)) {
      for (const size of [1, 60_000, MIB, 4 * MIB]) {
        it(`answers the next request of the connection: ${path}, ${size} bytes as ${framing}`, async () => {
          await withPort(async (port) => {
            const client = await connectRaw(port);
            client.socket.write(toBytes(path, size));
            const first = await client.until((text) => /^HTTP\/1\.1 \d{3} [^]*\r\n\r\n/u.test(text));
            assert.doesNotMatch(first, /connection: close/iu);
            client.socket.write(NEXT);
            assert.match(await client.ended(), /\r\n\r\nnext$/u);
          });
        });
      }
    }
    it(`waits for a client that sends the rest a second after the response: as ${framing}`, async () => {
      const paths = Object.keys(handlers).filter((path) => path !== "/whole");
      await withPort(async (port) => {
        const ends = paths.map(async (path) => {
          const client = await connectRaw(port);
          const bytes = toBytes(path, MIB);
          client.socket.write(bytes.slice(0, 100_000));
          await client.until((text) => /^HTTP\/1\.1 \d{3} [^]*\r\n\r\n/u.test(text));
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          client.socket.write(bytes.slice(100_000) + NEXT);
          assert.match(await client.ended(), /\r\n\r\nnext$/u, path);
        });
        await Promise.all(ends);
      });
    });
  }
});
