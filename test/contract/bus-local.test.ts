import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Bus } from "../../src/bus/bus.ts";
import { createLocalBus } from "../../src/bus/local.ts";
import { type LocalHub, createLocalHub } from "../support/local-hub.ts";
import { type BusFixture, declareBusContract } from "./bus-contract.ts";

async function openFixture(): Promise<BusFixture> {
  const failures: string[] = [];
  const hub: LocalHub = createLocalHub((topic) => failures.push(topic));
  const strangers = createLocalHub();
  const joined: { node: string; bus: Bus }[] = [];
  const setAll = async (isConnected: boolean): Promise<void> => {
    for (const { node } of joined) hub.setConnected(node, isConnected);
  };
  return {
    join: async (node, { isStranger = false } = {}) => {
      if (isStranger) return strangers.join(node);
      const bus = hub.join(node);
      joined.push({ node, bus });
      return bus;
    },
    cut: () => setAll(false),
    heal: () => setAll(true),
    failures,
    close: async () => {
      for (const { bus } of joined) await bus.close();
    },
  };
}

describe("the bus inside one process", () => {
  declareBusContract(openFixture);
});

describe("createLocalBus", () => {
  it("has no peers: messages go nowhere, requests get no answers", async () => {
    const bus = createLocalBus("alone");
    assert.deepEqual([bus.node, bus.isShared, bus.isConnected], ["alone", false, true]);
    await bus.check();
    let isHeard = false;
    bus.subscribe("news", () => (isHeard = true));
    bus.answer("sum", () => 1);
    bus.publish("news", 1);
    assert.deepEqual(await bus.ask("sum", 1, { timeoutMs: 600_000, nodes: ["b"] }), []);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isHeard, false);
    assert.throws(() => bus.publish("No", 1), RangeError);
    await bus.close();
  });
});
