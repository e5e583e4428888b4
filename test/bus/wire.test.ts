import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Wire, createWireBus } from "../../src/bus/wire.ts";

/** A wire on which the test acts as all other processes. */
function createTestWire(): { wire: Wire; sent: string[]; arrive(name: string, text: string): void } {
  const sent: string[] = [];
  const listeners = new Map<string, (bytes: Uint8Array) => void>();
  const wire: Wire = {
    isConnected: true,
    send: (name) => sent.push(name),
    listen: (name, listener) => {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
    onConnection: () => () => undefined,
    close: async () => undefined,
  };
  const arrive = (name: string, text: string): void => listeners.get(name)?.(new TextEncoder().encode(text));
  return { wire, sent, arrive };
}

describe("createWireBus", () => {
  it("ignores messages of a sender with an invalid name, and does not answer it", async () => {
    const { wire, sent, arrive } = createTestWire();
    const failures: string[] = [];
    const bus = createWireBus({ node: "a", wire, onFailure: (name) => failures.push(name) });
    const heard: unknown[] = [];
    bus.subscribe("news", (message) => heard.push(message));
    bus.answer("sum", () => 1);
    const strangers = ["", "b.c", "b *", ">", "b\r\nPUB x 0", "b".repeat(5_000), undefined, 7];
    for (const from of strangers) {
      arrive("topic.news", JSON.stringify({ from, body: 1 }));
      arrive("ask.sum", JSON.stringify({ from, body: 1, ask: 1 }));
    }
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([heard, sent], [[], []]);
    assert.equal(failures.length, 2 * strangers.length);
    arrive("topic.news", JSON.stringify({ from: "node_b-1", body: 2 }));
    arrive("ask.sum", JSON.stringify({ from: "node_b-1", body: 2, ask: 2 }));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([heard, sent], [[2], ["reply.node_b-1"]]);
  });
});
