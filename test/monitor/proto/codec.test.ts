import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import protobuf from "protobufjs/minimal.js";
import { runtimeArguments } from "../../support/own-runtime.ts";
import {
  type AgentMessage,
  decodeAgentMessage,
  decodeControl,
  encodeAgentMessage,
  encodeControl,
  MalformedMessage,
} from "../../../src/monitor/proto/codec.ts";

const report: AgentMessage = {
  kind: "metrics",
  payloadJson: '{"v":1}',
  collectedAtUnixMs: 1_754_000_000_123,
};

function bytes(...parts: readonly (number | readonly number[] | string)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part)] : part)));
}

describe("decodeAgentMessage", () => {
  it("reads back what encodeAgentMessage wrote", () => {
    const messages: readonly AgentMessage[] = [
      { kind: "hello", serverId: "s-1", agentKey: "k\u00e9y", hostname: "h\u{1f600}".repeat(40) },
      { kind: "hello", serverId: "", agentKey: "", hostname: "" },
      { kind: "heartbeat" },
      report,
      { kind: "metrics", payloadJson: "", collectedAtUnixMs: -Number.MAX_SAFE_INTEGER },
      { kind: "none" },
    ];
    for (const message of messages)
      assert.deepEqual(decodeAgentMessage(encodeAgentMessage(message)), message);
  });

  it("gives int64 as a number", () => {
    const decoded = decodeAgentMessage(encodeAgentMessage(report));
    assert.equal(decoded.kind, "metrics");
    if (decoded.kind === "metrics") assert.equal(typeof decoded.collectedAtUnixMs, "number");
  });

  it("takes the seed's field numbers", () => {
    assert.deepEqual(decodeAgentMessage(bytes(0x0a, 9, 0x0a, 1, "i", 0x12, 1, "k", 0x1a, 1, "h")), {
      kind: "hello",
      serverId: "i",
      agentKey: "k",
      hostname: "h",
    });
    assert.deepEqual(decodeAgentMessage(bytes(0x12, 0)), { kind: "heartbeat" });
    assert.deepEqual(decodeAgentMessage(bytes(0x1a, 6, 0x0a, 2, "{}", 0x10, 5)), {
      kind: "metrics",
      payloadJson: "{}",
      collectedAtUnixMs: 5,
    });
  });

  it("keeps U+FFFD and a byte order mark that were sent as such", () => {
    const message: AgentMessage = {
      kind: "metrics",
      payloadJson: "\ufeff\ufffd".repeat(30),
      collectedAtUnixMs: 0,
    };
    assert.deepEqual(decodeAgentMessage(encodeAgentMessage(message)), message);
  });

  it("passes over unknown fields and lets the last payload win", () => {
    const unknown = bytes(0x7a, 3, "abc", 0x80, 0x01, 7);
    const both = bytes([...encodeAgentMessage(report)], 0x12, 0, [...unknown]);
    assert.deepEqual(decodeAgentMessage(both), { kind: "heartbeat" });
    assert.deepEqual(decodeAgentMessage(unknown), { kind: "none" });
  });

  it("rejects strings that are not UTF-8, short and long, in any position", () => {
    for (const bad of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]) {
      for (const padding of [0, 90]) {
        const text = [...Buffer.from("x".repeat(padding)), ...bad];
        const hello = [0x1a, text.length, ...text];
        const raw = bytes(0x0a, hello.length, hello);
        assert.throws(() => decodeAgentMessage(raw), MalformedMessage);
        assert.throws(() => decodeAgentMessage(Buffer.from(raw)), MalformedMessage);
      }
    }
  });

  it("refuses an int64 that a number cannot hold", () => {
    const max = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    assert.throws(() => decodeAgentMessage(bytes(0x1a, 10, 0x10, max)), MalformedMessage);
    const justOver = [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10];
    assert.throws(() => decodeAgentMessage(bytes(0x1a, 9, 0x10, justOver)), MalformedMessage);
    assert.throws(() => encodeAgentMessage({ ...report, collectedAtUnixMs: 1.5 }), MalformedMessage);
  });

  it("refuses every truncation of a message and garbage", () => {
    const whole = encodeAgentMessage(report);
    for (let length = 1; length < whole.length; length += 1) {
      assert.throws(
        () => decodeAgentMessage(whole.subarray(0, length)),
        MalformedMessage,
        `length ${length}`,
      );
    }
    assert.throws(() => decodeAgentMessage(new Uint8Array(64).fill(0xff)), MalformedMessage);
    assert.throws(() => decodeAgentMessage(bytes(0x0a, 0xff, 0xff, 0xff, 0xff, 0x07)), MalformedMessage);
  });

  it("survives any bytes: a message or MalformedMessage, and nothing on a prototype", () => {
    let seed = 1;
    for (let round = 0; round < 5000; round += 1) {
      const random = Uint8Array.from(
        { length: round % 40 },
        () => (seed = (seed * 48271) % 2147483647) & 0xff,
      );
      try {
        decodeAgentMessage(random);
      } catch (error) {
        assert.ok(error instanceof MalformedMessage);
      }
    }
    assert.deepEqual(Object.keys(Object.prototype), []);
  });
});

describe("encodeControl", () => {
  it("writes an Ack that decodeControl reads", () => {
    assert.equal(decodeControl(encodeControl("metrics 1")), "metrics 1");
    assert.equal(decodeControl(encodeControl("")), "");
    assert.deepEqual([...encodeControl("hi")], [0x0a, 4, 0x0a, 2, 0x68, 0x69]);
  });

  it("tells a message without an Ack apart", () => {
    assert.equal(decodeControl(new Uint8Array()), undefined);
    assert.throws(() => decodeControl(bytes(0x0a, 9)), MalformedMessage);
  });
});

describe("generated code", () => {
  it("found no Long class while it loaded", () => {
    assert.equal(protobuf.util.Long, null);
  });

  it("is what proto/ gives today", async () => {
    const script = new URL("../../../scripts/proto.ts", import.meta.url).pathname;
    await promisify(execFile)(process.execPath, [...runtimeArguments, script, "--check"]);
  });
});
