/** Peers that vanish without a word, and TLS: what a connection needs beyond calls. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { Client, credentials } from "@grpc/grpc-js";
import type { GrpcStreamHandler } from "../../../src/runtime/runtime.ts";
import { serveGrpcInProcess } from "../../../src/runtime/grpc/grpc.ts";
import { isDeno, toRunArguments } from "../../support/own-runtime.ts";
import { cert, key } from "../../support/tls-pair.ts";
import { createGate } from "./grpc-client.ts";
import { listenerKinds, toOptions } from "./grpc-listeners.ts";
import { toFrame, toHeaders, toPreface } from "./http2-frames.ts";

const client = fileURLToPath(new URL("frozen-client.ts", import.meta.url));

const echo: GrpcStreamHandler = async function* echo(requests) {
  for await (const message of requests) yield message;
};

describe("gRPC keepalive", () => {
  for (const { name, serve } of listenerKinds) {
    it(`frees the stream of a frozen peer, ${name}`, async () => {
      const gone = createGate();
      const hold: GrpcStreamHandler = async function* hold(requests, { signal }) {
        signal.addEventListener("abort", () => gone.open(), { once: true });
        try {
          for await (const message of requests) yield message;
        } finally {
          gone.open();
        }
      };
      const listener = await serve(
        toOptions({ "/test.v1.Test/Hold": hold }, { keepaliveMs: 200, keepaliveTimeoutMs: 200 }),
      );
      const peer = spawn(process.execPath, [...toRunArguments(client), `127.0.0.1:${listener.port}`], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        await once(peer.stdout, "data");
        // The kernel still answers for it, so only an unanswered ping can tell.
        if (peer.pid !== undefined) process.kill(peer.pid, "SIGSTOP");
        await gone.promise;
      } finally {
        const ended = once(peer, "close");
        peer.kill("SIGKILL");
        await ended;
        await listener.close({ graceMs: 0 });
      }
    });
  }

  for (const { name, serve } of listenerKinds) {
    it(`closes though a peer it has given up takes nothing, ${name}`, { timeout: 90_000 }, async () => {
      const gone = createGate();
      const talk: GrpcStreamHandler = async function* talk(_requests, { signal }) {
        signal.addEventListener("abort", () => gone.open(), { once: true });
        // More than the sockets' buffers of both sides take.
        while (!signal.aborted) yield new Uint8Array(64 * 1024);
      };
      const listener = await serve(
        toOptions({ "/test.v1.Test/Talk": talk }, { keepaliveMs: 100, keepaliveTimeoutMs: 100 }),
      );
      const peer = connect(listener.port, "127.0.0.1");
      peer.on("error", () => undefined);
      try {
        await once(peer, "connect");
        peer.pause();
        const headers = toHeaders({ path: "/test.v1.Test/Talk", contentType: "application/grpc" });
        const window = Buffer.from([0x7f, 0, 0, 0]);
        peer.write(
          Buffer.concat([
            toPreface(),
            toFrame({ type: 8, payload: window }),
            toFrame({ type: 1, flags: 4, stream: 1, payload: headers }),
            toFrame({ type: 8, stream: 1, payload: window }),
          ]),
        );
        await gone.promise;
        await listener.close({ graceMs: 0 });
      } finally {
        peer.destroy();
      }
    });
  }

  if (!isDeno) {
    it("serves TLS to a client that trusts the certificate, and no plain text", async () => {
      const listener = await serveGrpcInProcess(
        toOptions({ "/test.v1.Test/Hold": echo }, { tls: { cert, key } }),
      );
      const identity = (bytes: Buffer): Buffer => bytes;
      const secure = new Client(`localhost:${listener.port}`, credentials.createSsl(Buffer.from(cert)));
      const plain = new Client(`localhost:${listener.port}`, credentials.createInsecure());
      try {
        const call = secure.makeBidiStreamRequest("/test.v1.Test/Hold", identity, identity);
        call.write(Buffer.from("hello"));
        const [answer]: unknown[] = await once(call, "data");
        assert.equal(String(answer), "hello");
        call.cancel();
        call.on("error", () => undefined);
        const refused = plain.makeBidiStreamRequest("/test.v1.Test/Hold", identity, identity);
        const [error]: unknown[] = await once(refused, "error");
        assert.ok(error instanceof Error && "code" in error);
        assert.equal(error.code, 14);
      } finally {
        secure.close();
        plain.close();
        await listener.close({ graceMs: 0 });
      }
    });
  }
});
