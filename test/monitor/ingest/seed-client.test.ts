/** A client written with nothing but the seed's text: what any agent of the field could be. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type StatusObject, status } from "@grpc/grpc-js";
import protobuf from "protobufjs";
import { AppError } from "../../../src/kit/errors.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { AgentIngest } from "../../../src/monitor/ingest/agent-session.ts";
import { createAgentStream } from "../../../src/monitor/ingest/agent-stream.ts";
import { connectPath } from "../../../src/monitor/proto/codec.ts";
import type { GrpcListener } from "../../../src/runtime/runtime.ts";
import { listenerKinds, toOptions } from "../../runtime/grpc/grpc-listeners.ts";
import { type SeedClient, createSeedClient, nextMessage, seedProto } from "./seed-agent.ts";

/** Remembers what it stored and knows one server. */
function createMemoryIngest(): { readonly ingest: AgentIngest; readonly stored: unknown[] } {
  const stored: unknown[] = [];
  const ingest: AgentIngest = {
    open: ({ serverId, agentKey, hostname }) => {
      if (serverId !== "web-1" || agentKey !== "right key") {
        return Promise.reject(new AppError("unauthenticated", "The server ID or the agent key is wrong"));
      }
      return Promise.resolve({
        serverId,
        report: async (payloadJson: string, at: number) => {
          stored.push({ serverId, hostname, payload: JSON.parse(payloadJson), at });
          return { accepted: true, ack: `metrics ${at}` };
        },
        heartbeat: () => undefined,
        ended: new AbortController().signal,
        close: () => undefined,
      });
    },
  };
  return { ingest, stored };
}

for (const kind of listenerKinds) {
  describe(`AgentIngest.Connect for a client of the seed (${kind.name})`, () => {
    let listener: GrpcListener | undefined;
    let client: SeedClient | undefined;
    let stored: unknown[] = [];

    beforeEach(async () => {
      const memory = createMemoryIngest();
      stored = memory.stored;
      const handler = createAgentStream({ ingest: memory.ingest, clock: systemClock, log: silentLog });
      listener = await kind.serve(toOptions({ [connectPath]: handler }));
      client = createSeedClient(`127.0.0.1:${listener.port}`);
    });
    afterEach(async () => {
      client?.close();
      await listener?.close({ graceMs: 200 });
    });

    it("acknowledges hello, heartbeat and metrics, each with an Ack", async () => {
      const call = client?.connect();
      assert.ok(call);
      call.write({ hello: { server_id: "web-1", agent_key: "right key", hostname: "box" } });
      assert.deepEqual(await nextMessage(call), { payload: "ack", ack: { message: "hello" } });
      call.write({ heartbeat: {} });
      assert.deepEqual(await nextMessage(call), { payload: "ack", ack: { message: "heartbeat" } });
      const payload = { v: 1, cpu: { usagePercent: 12.5 }, note: "é\u{1f600}" };
      call.write({
        metrics: { payload_json: JSON.stringify(payload), collected_at_unix_ms: 1_754_000_000_123 },
      });
      assert.deepEqual(await nextMessage(call), {
        payload: "ack",
        ack: { message: "metrics 1754000000123" },
      });
      assert.deepEqual(stored, [{ serverId: "web-1", hostname: "box", payload, at: 1_754_000_000_123 }]);
      const ended = new Promise<StatusObject>((resolve) => call.on("status", resolve));
      call.end();
      assert.equal((await ended).code, status.OK);
    });

    it("refuses a wrong key with UNAUTHENTICATED", async () => {
      const call = client?.connect();
      assert.ok(call);
      call.on("error", () => undefined);
      call.on("data", () => undefined);
      const ended = new Promise<StatusObject>((resolve) => call.on("status", resolve));
      call.write({ hello: { server_id: "web-1", agent_key: "wrong key", hostname: "box" } });
      assert.equal((await ended).code, status.UNAUTHENTICATED);
      assert.deepEqual(stored, []);
    });
  });
}

describe("proto/monitor/v1/monitor.proto", () => {
  it("has the seed's messages, field names and numbers", async () => {
    const text = await readFile(new URL("../../../proto/monitor/v1/monitor.proto", import.meta.url), "utf8");
    const seed = protobuf.parse(seedProto, { keepCase: true }).root.toJSON();
    assert.deepEqual(protobuf.parse(text, { keepCase: true }).root.toJSON(), seed);
  });
});
