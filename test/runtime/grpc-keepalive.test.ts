/** Peers that vanish without a word, and TLS: what a connection needs beyond calls. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { Client, credentials } from "@grpc/grpc-js";
import type { GrpcStreamHandler } from "../../src/runtime.ts";
import { serveGrpcInProcess } from "../../src/runtime/grpc.ts";
import { isDeno, toRunArguments } from "../support/own-runtime.ts";
import { cert, key } from "../support/tls-pair.ts";
import { listenerKinds, toOptions } from "./grpc-listeners.ts";

const client = fileURLToPath(new URL("frozen-client.ts", import.meta.url));

const echo: GrpcStreamHandler = async function* echo(requests) {
  for await (const message of requests) yield message;
};

describe("gRPC keepalive", () => {
  for (const { name, serve } of listenerKinds) {
    it(`frees the stream of a frozen peer, ${name}`, async () => {
      let onGone: () => void = () => undefined;
      const gone = new Promise<void>((resolve) => {
        onGone = resolve;
      });
      const hold: GrpcStreamHandler = async function* hold(requests, { signal }) {
        signal.addEventListener("abort", onGone, { once: true });
        try {
          for await (const message of requests) yield message;
        } finally {
          onGone();
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
        await gone;
      } finally {
        const ended = once(peer, "close");
        peer.kill("SIGKILL");
        await ended;
        await listener.close({ graceMs: 0 });
      }
    });
  }

  if (!isDeno) {
    it("serves TLS to a client that trusts the certificate, and nobody in plain text", async () => {
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
