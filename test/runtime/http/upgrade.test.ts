import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NoHandshakeError } from "../../../src/runtime/runtime.ts";
import { exchangeRaw, handshake } from "./raw-client.ts";
import { withSockets } from "./socket-harness.ts";

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
      assert.match(
        await exchangeRaw(port, handshake("/feed", { "X-Change-Mind": "1" })),
        /^HTTP\/1\.1 409 /u,
      );
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
      assert.ok(errors.every((error) => error instanceof NoHandshakeError));
      assert.equal(errors.length, bad.length);
    });
  });

  it("refuses a target that makes no URL and headers that are not UTF-8", async () => {
    await withSockets({}, async ({ port }) => {
      for (const headers of [{ Host: "a b" }, { "X-A": "caf\u00e9" }] as Record<string, string>[]) {
        const bytes = Buffer.from(handshake("/feed", headers), "latin1");
        assert.match(await exchangeRaw(port, bytes), /^HTTP\/1\.1 400 /u);
      }
    });
  });
});
