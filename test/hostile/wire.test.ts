/** Bytes that no browser sends, on the real HTTP listener: requests that two readers would read differently, and frames that are no WebSocket. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HttpHandler } from "../../src/runtime/runtime.ts";
import { serveHttp } from "../../src/runtime/http/http.ts";
import { connectRaw, exchangeRaw, frame, handshake } from "../runtime/http/raw-client.ts";
import { withSockets } from "../runtime/http/socket-harness.ts";

const count: HttpHandler = async (request) => {
  const body = request.method === "POST" ? await request.text() : "";
  return new Response(`${request.method} ${new URL(request.url).pathname} ${body.length}`);
};

const statusLines = /HTTP\/1\.1 \d{3}/gu;

async function withListener(work: (port: number) => Promise<void>): Promise<void> {
  const listener = await serveHttp({ hostname: "127.0.0.1", port: 0, handler: count });
  try {
    await work(listener.port);
    // Whatever came before, the next client is served.
    const after = await fetch(`http://127.0.0.1:${listener.port}/after`);
    assert.equal(await after.text(), "GET /after 0");
  } finally {
    await listener.close({ graceMs: 0 });
  }
}

const smuggled: Readonly<Record<string, string>> = {
  "two different lengths": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
  "a list of lengths": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 2\r\n\r\nab",
  "a negative length": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
  "a length with a sign": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\na",
  "a length beyond 2^64": `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${"9".repeat(30)}\r\n\r\n`,
  "a length and chunks":
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "chunks under another name":
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\nGET /inner HTTP/1.1\r\nHost: x\r\n\r\n",
  "chunks that are not last":
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
  "a chunk size that is none": "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n",
  "a chunk without its end": "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
  "a space before the colon": "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
  "a folded header": "GET / HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n GET /inner HTTP/1.1\r\nX\r\n\r\n",
  "a bare CR in a header": "GET / HTTP/1.1\r\nHost: x\r\nX-A: 1\rX-B: 2\r\n\r\n",
  "a NUL in a header": "GET / HTTP/1.1\r\nHost: x\r\nX-A: 1\u00002\r\n\r\n",
  "no host": "GET / HTTP/1.1\r\n\r\n",
  "another protocol": "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
  "a method that is none": "G\u0001T / HTTP/1.1\r\nHost: x\r\n\r\n",
  "HTTP/2 without being asked": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
};

describe("bytes that are no request", () => {
  it("get one refusal and the end of the connection; nothing of them is taken for a second request", async () => {
    await withListener(async (port) => {
      for (const [name, bytes] of Object.entries(smuggled)) {
        const answer = await exchangeRaw(port, bytes);
        assert.match(answer, /^HTTP\/1\.1 (?:400|501|505) /u, `${name}: ${answer}`);
        assert.equal(answer.match(statusLines)?.length, 1, name);
        assert.doesNotMatch(answer, /inner/u, name);
      }
      assert.ok(Object.keys(smuggled).length >= 15);
    });
  });

  it("are bounded: thousands of headers, one long header, one long line", async () => {
    await withListener(async (port) => {
      const many = Array.from({ length: 3_000 }, (_, index) => `X-${index}: ${index}\r\n`).join("");
      for (const bytes of [
        `GET / HTTP/1.1\r\nHost: x\r\n${many}\r\n`,
        `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${"a=b; ".repeat(10_000)}\r\n\r\n`,
        `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      ])
        assert.match(await exchangeRaw(port, bytes), /^HTTP\/1\.1 431 |^$/u);
    });
  });

  it("end a connection with one answer at most, whatever came before them in one packet", async () => {
    await withListener(async (port) => {
      const good = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
      const broken = await exchangeRaw(port, `${good("/one")}broken\r\n\r\n`);
      assert.ok((broken.match(statusLines)?.length ?? 0) <= 1, broken);
      // Without them, requests in one packet are answered in their order.
      const answer = await exchangeRaw(
        port,
        `${good("/one")}${good("/two")}${good("/three", "Connection: close\r\n")}`,
      );
      assert.match(answer, /GET \/one 0[^]+GET \/two 0[^]+GET \/three 0$/u);
    });
  });
});

const enc = new TextEncoder();
const masked = (first: number, length: number, rest: readonly number[] = []): Uint8Array =>
  new Uint8Array([first, 0x80 | length, 0, 0, 0, 0, ...rest]);
const close = (...payload: number[]): Uint8Array => frame(8, new Uint8Array(payload));

const badFrames: readonly [name: string, bytes: Uint8Array, code: number][] = [
  ["a frame that is not masked", new Uint8Array([0x81, 1, 97]), 1002],
  ["reserved bits", masked(0xc1, 0), 1002],
  ["all reserved bits", masked(0xf1, 0), 1002],
  ["a reserved opcode", masked(0x83, 0), 1002],
  ["a reserved control opcode", masked(0x8b, 0), 1002],
  ["a ping in fragments", masked(0x09, 0), 1002],
  ["a close in fragments", masked(0x08, 0), 1002],
  ["a ping of 126 bytes", frame(9, new Uint8Array(126)), 1002],
  ["a continuation of nothing", frame(0, enc.encode("x")), 1002],
  [
    "a text within a text",
    Buffer.concat([frame(1, enc.encode("a"), false), frame(1, enc.encode("b"))]),
    1002,
  ],
  ["a length of 2^63", new Uint8Array([0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 1009],
  ["a length of 1 GiB", new Uint8Array([0x82, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0]), 1009],
  ["text that is no UTF-8", frame(1, new Uint8Array([0xc3, 0x28])), 1007],
  ["a surrogate as UTF-8", frame(1, new Uint8Array([0xed, 0xa0, 0x80])), 1007],
  [
    "text cut within a character, over fragments",
    Buffer.concat([frame(1, new Uint8Array([0xe2, 0x82]), false), frame(0, new Uint8Array([0x28]))]),
    1007,
  ],
  ["a close of one byte", close(3), 1002],
  ["a close with code 1005", close(3, 0xed), 1002],
  ["a close with code 999", close(3, 0xe7), 1002],
  ["a close with code 65535", close(0xff, 0xff), 1002],
  ["a close whose reason is no UTF-8", close(3, 0xe8, 0xff), 1007],
];

describe("frames that are no WebSocket", () => {
  it("close their socket with the right code, reach no handler, and leave other sockets alone", async () => {
    for (const [name, bytes, code] of badFrames) {
      const messages: unknown[] = [];
      const setUp = (socket: { onmessage: unknown }): void => {
        socket.onmessage = (data: unknown) => messages.push(data);
      };
      await withSockets({ setUp }, async ({ port, closed, errors }) => {
        const client = await connectRaw(port);
        client.socket.write(handshake("/feed"));
        await client.until((text) => text.includes("\r\n\r\n"));
        client.socket.write(bytes);
        const answer = String.fromCharCode(0x88, 2, code >> 8, code & 255);
        await client
          .until((text) => text.includes(answer))
          .catch(() => assert.fail(`${name}: ${client.text()}`));
        client.socket.destroy();
        const [seen] = await closed;
        assert.equal(seen === 1_006 ? code : seen, code, name);
        assert.deepEqual(messages, [], name);
        assert.deepEqual(errors, [], name);
      });
    }
  });
});

describe("a WebSocket client that stops", () => {
  it("in the middle of its handshake gets 408 and is closed; the handler never sees it", async () => {
    let calls = 0;
    const handler: HttpHandler = () => {
      calls += 1;
      return new Response("seen");
    };
    const options = { hostname: "127.0.0.1", port: 0, handler };
    const listener = await serveHttp(options, { headersTimeoutMs: 50, requestTimeoutMs: 100 });
    try {
      const whole = handshake("/feed");
      for (const end of [1, whole.indexOf("Upgrade: "), whole.length - 2])
        assert.match(await exchangeRaw(listener.port, whole.slice(0, end)), /^HTTP\/1\.1 408 /u);
      assert.equal(calls, 0);
    } finally {
      await listener.close({ graceMs: 0 });
    }
  });

  it("in the middle of a frame answers no ping, reaches no handler, and is closed when the service stops it", async () => {
    const whole = frame(1, enc.encode("x".repeat(200)));
    const pings = frame(9, new Uint8Array());
    const halves = {
      "a head": whole.slice(0, 1),
      "a length": whole.slice(0, 3),
      "a mask": whole.slice(0, 6),
    };
    for (const [name, half] of Object.entries({
      ...halves,
      "a text": whole.slice(0, 100),
      fragments: frame(1, enc.encode("a"), false),
    })) {
      const told: unknown[] = [];
      const setUp = (socket: { onmessage: unknown; onpong: unknown }): void => {
        socket.onmessage = (data: unknown) => told.push(data);
        socket.onpong = () => told.push("pong");
      };
      await withSockets({ setUp }, async ({ port, closed, socket }) => {
        const client = await connectRaw(port);
        client.socket.write(handshake("/feed"));
        await client.until((text) => text.includes("\r\n\r\n"));
        // Its pong tells that what came before was read.
        client.socket.write(Buffer.concat([pings, half]));
        await client.until((text) => text.includes("\u008a\u0000"));
        socket().ping();
        await client.until((text) => text.includes("\u0089\u0000"));
        socket().terminate();
        await client.ended();
        assert.equal((await closed)[0], 1_006, name);
        assert.deepEqual(told, [], name);
      });
    }
  });
});
