import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WebSocket } from "ws";
import type { HttpHandler, Listener, ServerSocket } from "../../src/runtime.ts";
import { serveHttp, upgradeWebSocket } from "../../src/runtime/http.ts";
import { connectRaw, exchangeRaw, frame, handshake } from "./raw-client.ts";

interface Harness extends Listener {
  readonly url: string;
  readonly errors: unknown[];
  /** The server's end of the newest socket. */
  socket(): ServerSocket;
  /** Resolves with what `onclose` was told for the first socket that closed. */
  readonly closed: Promise<[number, string]>;
  readonly closeCalls: () => number;
}

interface HarnessOptions {
  readonly setUp?: (socket: ServerSocket) => void;
  readonly maxMessageBytes?: number;
}

async function withSockets(options: HarnessOptions, work: (harness: Harness) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  let newest: ServerSocket | undefined;
  let closeCalls = 0;
  let tellClosed: (event: [number, string]) => void = () => undefined;
  const closed = new Promise<[number, string]>((resolve) => {
    tellClosed = resolve;
  });
  const handler: HttpHandler = (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/forbidden") {
      const headers = { "content-type": "application/problem+json", "x-request-id": "r1" };
      return new Response('{"code":"origin_refused"}', { status: 403, headers });
    }
    if (pathname !== "/feed") return new Response("nothing here", { status: 404 });
    const upgrade = upgradeWebSocket(request, { maxMessageBytes: options.maxMessageBytes ?? 1_000 });
    newest = upgrade.socket;
    upgrade.socket.onclose = (code, reason) => {
      closeCalls += 1;
      tellClosed([code, reason]);
    };
    options.setUp?.(upgrade.socket);
    upgrade.response.headers.set("x-request-id", "r2");
    if (request.headers.has("x-change-mind")) return new Response("sorry", { status: 409 });
    return upgrade.response;
  };
  const listener = await serveHttp({
    hostname: "127.0.0.1",
    port: 0,
    handler,
    onError: (error) => errors.push(error),
  });
  try {
    await work({
      ...listener,
      url: `ws://127.0.0.1:${listener.port}`,
      errors,
      closed,
      closeCalls: () => closeCalls,
      socket: () => {
        assert.ok(newest);
        return newest;
      },
    });
  } finally {
    await listener.close({ graceMs: 0 });
  }
}

function open(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const client = new WebSocket(url, { perMessageDeflate: true });
    client.once("open", () => resolve(client));
    client.once("error", reject);
  });
}

function nextMessage(client: WebSocket): Promise<string | Uint8Array> {
  return new Promise((resolve) => {
    client.once("message", (data, isBinary) => {
      assert.ok(Buffer.isBuffer(data));
      resolve(isBinary ? new Uint8Array(data) : data.toString("utf8"));
    });
  });
}

function nextClose(client: WebSocket): Promise<[number, string]> {
  client.on("error", () => undefined);
  return new Promise((resolve) => {
    client.once("close", (code, reason) => resolve([code, reason.toString("utf8")]));
  });
}

const echo = (socket: ServerSocket): void => {
  socket.onmessage = (data) => socket.send(data);
};

describe("upgradeWebSocket", () => {
  it("opens after the handler's answer and echoes text and bytes", async () => {
    const states: string[] = [];
    const setUp = (socket: ServerSocket): void => {
      states.push(socket.readyState);
      socket.send("lost: not open yet");
      socket.onopen = () => states.push(socket.readyState);
      echo(socket);
    };
    await withSockets({ setUp }, async ({ url, socket }) => {
      const client = await open(`${url}/feed`);
      client.send("grüße 😀");
      assert.equal(await nextMessage(client), "grüße 😀");
      client.send(new Uint8Array([0, 255, 128]));
      assert.deepEqual(await nextMessage(client), new Uint8Array([0, 255, 128]));
      assert.deepEqual(states, ["connecting", "open"]);
      assert.equal(socket().bufferedBytes, 0);
      assert.equal(client.extensions, "");
      client.terminate();
    });
  });

  it("sends ready UTF-8 bytes as a text frame", async () => {
    await withSockets({}, async ({ url, socket }) => {
      const client = await open(`${url}/feed`);
      const message = nextMessage(client);
      socket().sendText(new TextEncoder().encode('{"ü":1}'));
      assert.equal(await message, '{"ü":1}');
      client.terminate();
    });
  });

  it("adds the response's headers to the handshake and takes a first frame that came with it", async () => {
    await withSockets({ setUp: echo }, async ({ port }) => {
      const client = await connectRaw(port);
      const first = frame(1, new TextEncoder().encode("early"));
      client.socket.write(Buffer.concat([Buffer.from(handshake("/feed")), first]));
      const text = await client.until((received) => received.includes("early"));
      assert.match(text, /^HTTP\/1\.1 101 Switching Protocols\r\n/u);
      assert.match(text, /\r\nx-request-id: r2\r\n/iu);
      assert.match(text, /\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/u);
      assert.equal(text.match(/\r\nupgrade:/giu)?.length, 1);
      client.socket.destroy();
    });
  });

  it("tells the client our close code, and us the client's", async () => {
    await withSockets({}, async ({ url, socket, closed }) => {
      const client = await open(`${url}/feed`);
      const seen = nextClose(client);
      socket().close(1013, "x".repeat(122) + "é and more than a frame holds");
      assert.equal(socket().readyState, "closing");
      assert.deepEqual(await seen, [1013, "x".repeat(122)]);
      assert.deepEqual(await closed, [1013, "x".repeat(122)]);
      assert.equal(socket().readyState, "closed");
    });
    await withSockets({}, async ({ url, socket, closed, closeCalls }) => {
      const client = await open(`${url}/feed`);
      client.close(4001, "bye");
      assert.deepEqual(await closed, [4001, "bye"]);
      socket().send("after the end");
      socket().sendText(new Uint8Array(3));
      socket().ping();
      socket().close(1000);
      socket().terminate();
      assert.equal(closeCalls(), 1);
    });
  });

  it("reports pongs, and 1006 when the connection just goes away", async () => {
    let pongs = 0;
    let tellPong = (): void => undefined;
    const ponged = new Promise<void>((resolve) => {
      tellPong = resolve;
    });
    const setUp = (socket: ServerSocket): void => {
      socket.onpong = () => {
        pongs += 1;
        tellPong();
      };
    };
    await withSockets({ setUp }, async ({ url, socket, closed }) => {
      const client = await open(`${url}/feed`);
      socket().ping();
      await ponged;
      assert.equal(pongs, 1);
      client.terminate();
      assert.deepEqual(await closed, [1006, ""]);
    });
  });

  it("terminates at once", async () => {
    await withSockets({}, async ({ url, socket, closed }) => {
      const client = await open(`${url}/feed`);
      const seen = nextClose(client);
      socket().terminate();
      assert.deepEqual(await seen, [1006, ""]);
      assert.deepEqual(await closed, [1006, ""]);
    });
  });

  it("closes with 1009 for a message over the limit, whole or in fragments", async () => {
    const part = new Uint8Array(600).fill(97);
    const cases = [[frame(1, new Uint8Array(1_001).fill(97))], [frame(1, part, false), frame(0, part)]];
    for (const frames of cases) {
      const messages: unknown[] = [];
      const setUp = (socket: ServerSocket): void => {
        socket.onmessage = (data) => messages.push(data);
      };
      await withSockets({ setUp }, async ({ port, closed }) => {
        const client = await connectRaw(port);
        client.socket.write(handshake("/feed"));
        await client.until((text) => text.includes("\r\n\r\n"));
        for (const bytes of frames) client.socket.write(bytes);
        await client.until((text) => text.includes("\u0088\u0002\u0003\u00f1")); // close frame, 1009
        client.socket.destroy();
        assert.deepEqual(await closed, [1009, ""]);
        assert.deepEqual(messages, []);
      });
    }
  });

  it("closes with 1007 for text that is not UTF-8 and 1002 for a broken frame", async () => {
    const cases: [Uint8Array, string, number][] = [
      [frame(1, new Uint8Array([0xff, 0xfe])), "\u0088\u0002\u0003\u00ef", 1007],
      [new Uint8Array([0x81, 0x01, 97]), "\u0088\u0002\u0003\u00ea", 1002], // not masked
      [frame(3, new Uint8Array(0)), "\u0088\u0002\u0003\u00ea", 1002], // reserved opcode
    ];
    for (const [bytes, answer, code] of cases) {
      await withSockets({}, async ({ port, closed }) => {
        const client = await connectRaw(port);
        client.socket.write(handshake("/feed"));
        await client.until((text) => text.includes("\r\n\r\n"));
        client.socket.write(bytes);
        await client.until((text) => text.includes(answer));
        client.socket.destroy();
        assert.deepEqual(await closed, [code, ""]);
      });
    }
  });

  it("closes with 1011 and reports when a callback throws", async () => {
    const setUp = (socket: ServerSocket): void => {
      socket.onmessage = () => {
        throw new Error("broken callback");
      };
    };
    await withSockets({ setUp }, async ({ url, errors }) => {
      const client = await open(`${url}/feed`);
      const seen = nextClose(client);
      client.send("x");
      assert.equal((await seen)[0], 1011);
      assert.deepEqual(errors.map(String), ["Error: broken callback"]);
    });
  });

  it("honours a close from before the socket opened", async () => {
    const setUp = (socket: ServerSocket): void => socket.close(4003, "no");
    await withSockets({ setUp }, async ({ url, closed }) => {
      const client = await open(`${url}/feed`);
      assert.deepEqual(await nextClose(client), [4003, "no"]);
      assert.deepEqual(await closed, [4003, "no"]);
    });
  });
});

describe("a refused upgrade", () => {
  it("gets the handler's status, headers and body, and the connection ends", async () => {
    await withSockets({}, async ({ port }) => {
      const text = await exchangeRaw(port, handshake("/forbidden"));
      assert.match(text, /^HTTP\/1\.1 403 Forbidden\r\n/u);
      assert.match(text, /\r\ncontent-type: application\/problem\+json\r\n/u);
      assert.match(text, /\r\nx-request-id: r1\r\n/u);
      assert.match(text, /\r\nconnection: close\r\n/u);
      assert.ok(text.endsWith('\r\n\r\n{"code":"origin_refused"}'));
      assert.match(await exchangeRaw(port, handshake("/unknown")), /^HTTP\/1\.1 404 [\s\S]*nothing here$/u);
    });
  });

  it("closes a socket whose handler answered otherwise after all", async () => {
    await withSockets({}, async ({ port, closed, socket }) => {
      assert.match(await exchangeRaw(port, handshake("/feed", { "X-Change-Mind": "1" })), /^HTTP\/1\.1 409 /u);
      assert.deepEqual(await closed, [1006, ""]);
      assert.equal(socket().readyState, "closed");
    });
  });

  it("throws for what is no handshake", async () => {
    await withSockets({}, async ({ port, errors }) => {
      const bad = [
        "GET /feed HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        handshake("/feed", { "Sec-WebSocket-Version": "8" }),
        handshake("/feed", { "Sec-WebSocket-Key": "short" }),
        handshake("/feed", { Upgrade: "h2c" }),
      ];
      for (const bytes of bad) assert.match(await exchangeRaw(port, bytes), /^HTTP\/1\.1 500 /u);
      assert.ok(errors.every((error) => error instanceof TypeError));
      assert.equal(errors.length, bad.length);
    });
  });

  it("refuses a target that makes no URL and headers that are not UTF-8", async () => {
    await withSockets({}, async ({ port }) => {
      for (const headers of [{ Host: "a b" }, { "X-A": "caf\u00e9" }]) {
        const bytes = Buffer.from(handshake("/feed", headers), "latin1");
        assert.match(await exchangeRaw(port, bytes), /^HTTP\/1\.1 400 /u);
      }
    });
  });
});

describe("closing a listener with sockets", () => {
  it("waits for the application's 1001", async () => {
    await withSockets({}, async ({ url, socket, closed, close }) => {
      const client = await open(`${url}/feed`);
      const seen = nextClose(client);
      const done = close({ graceMs: 60_000 });
      socket().close(1001, "going away");
      assert.deepEqual(await seen, [1001, "going away"]);
      await done;
      assert.deepEqual(await closed, [1001, "going away"]);
    });
  });

  it("drops sockets that stay open past the grace time", async () => {
    await withSockets({}, async ({ url, closed, close }) => {
      const client = await open(`${url}/feed`);
      const seen = nextClose(client);
      await close({ graceMs: 20 });
      assert.equal((await seen)[0], 1006);
      assert.equal((await closed)[0], 1006);
    });
  });
});
