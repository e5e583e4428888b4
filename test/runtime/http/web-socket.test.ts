import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ServerSocket } from "../../../src/runtime/runtime.ts";
import { connectRaw, exchangeRaw, frame, handshake } from "./raw-client.ts";
import { nextClose, nextMessage, open, withSockets } from "./socket-harness.ts";

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

  it("answers pings, but not without end to a client that does not read", async () => {
    let tellLast = (): void => undefined;
    const last = new Promise<void>((resolve) => {
      tellLast = resolve;
    });
    const setUp = (socket: ServerSocket): void => {
      socket.onmessage = () => tellLast();
    };
    await withSockets({ setUp }, async ({ port, socket }) => {
      const client = await connectRaw(port);
      client.socket.write(handshake("/feed"));
      await client.until((text) => text.includes("\r\n\r\n"));
      client.socket.write(frame(9, new TextEncoder().encode("are you there")));
      await client.until((text) => text.includes("\u008a\u000dare you there"));
      client.socket.pause();
      const ping = frame(9, new Uint8Array(125).fill(97));
      const many = Buffer.concat(Array.from({ length: 10_000 }, () => ping));
      for (let i = 0; i < 20; i += 1) client.socket.write(many);
      client.socket.write(frame(1, new TextEncoder().encode("done")));
      await last;
      assert.ok(socket().bufferedBytes < 100_000, `${socket().bufferedBytes} bytes wait`);
      client.socket.destroy();
    });
  });

  it("refuses a handshake of HTTP/1.0, one with a body and one with two hosts", async () => {
    await withSockets({}, async ({ port }) => {
      const good = handshake("/feed");
      const bad = [
        good.replace("HTTP/1.1", "HTTP/1.0"),
        `${good.replace("\r\n", "\r\nContent-Length: 3\r\n")}abc`,
        `${good.replace("\r\n", "\r\nTransfer-Encoding: chunked\r\n")}0\r\n\r\n`,
        good.replace("\r\n", "\r\nHost: other\r\n"),
      ];
      for (const bytes of bad) assert.match(await exchangeRaw(port, bytes), /^HTTP\/1\.1 400 /u);
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
