import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { describe, it } from "node:test";
import type { Bus, BusListener } from "../../../src/bus/bus.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { createTestStore } from "../fixtures.ts";
import { type TestHeartbeats, createTestHeartbeats, heartbeatFields } from "./heartbeat-fixture.ts";

/** Two ends of a bus in memory; messages are lost while `isLosing`. */
function createPair(): { buses: readonly [Bus, Bus]; state: { isLosing: boolean } } {
  const state = { isLosing: false };
  const listeners = [new Set<BusListener>(), new Set<BusListener>()];
  const create = (own: number): Bus => ({
    node: `node-${own}`,
    isShared: true,
    isConnected: true,
    publish: (_topic, message) => {
      if (state.isLosing) return;
      for (const listener of listeners[1 - own] ?? []) listener(structuredClone(message), `node-${own}`);
    },
    subscribe: (_topic, listener) => {
      listeners[own]?.add(listener);
      return () => listeners[own]?.delete(listener);
    },
    ask: async () => [],
    answer: () => () => undefined,
    onConnection: () => () => undefined,
    check: async () => undefined,
    close: async () => undefined,
  });
  return { buses: [create(0), create(1)], state };
}

/** Two nodes on one store, of which the first leads. */
async function createTwo() {
  const store = createTestStore();
  const clock = createFixedClock();
  const { buses, state } = createPair();
  const leader = await createTestHeartbeats({ store, clock, bus: buses[0] });
  const other = await createTestHeartbeats({ store, clock, bus: buses[1], isLeader: false });
  await leader.make(heartbeatFields());
  await other.reload();
  return { leader, other, clock, state };
}

/** Messages leave a little later; closing sends what waits. */
async function send({ heartbeats }: TestHeartbeats): Promise<void> {
  heartbeats.watch.close();
  await turn();
}

describe("Heartbeats on two nodes", () => {
  it("are taken by any of them and judged by the leader", async () => {
    const { leader, other } = await createTwo();
    await other.ping();
    await send(other);
    assert.equal(leader.last()?.state, "up");
    assert.deepEqual(other.verdicts, []);
    await other.ping("fail");
    await send(other);
    assert.equal(leader.last()?.fault, "failed");
  });

  it("are no false alarm when the word of a ping is lost: the store has it", async () => {
    const { leader, other, clock, state } = await createTwo();
    await leader.ping();
    for (let round = 0; round < 5; round += 1) {
      clock.advance(50_000);
      state.isLosing = true;
      await other.ping();
      await send(other);
      state.isLosing = false;
      await leader.heartbeats.watch.tick();
    }
    assert.equal(
      leader.verdicts.some(({ verdict }) => verdict.fault === "late"),
      false,
    );
  });

  it("that failed are found within a minute when the word of it is lost", async () => {
    const { leader, other, state } = await createTwo();
    await leader.make(heartbeatFields({ schedule: { type: "period", seconds: 3_600 } }), {
      id: "chk_2",
      pingKey: "a-key-of-another",
    });
    await other.reload();
    state.isLosing = true;
    await other.ping("fail", { key: "a-key-of-another" });
    await leader.pass(61);
    assert.equal(leader.last("chk_2")?.fault, "failed");
  });

  it("go on with the other when the leader is gone: late once, none lost", async () => {
    const { leader, other } = await createTwo();
    await leader.ping();
    await leader.pass(80);
    leader.isLeader = false;
    other.isLeader = true;
    await other.pass(10);
    assert.equal(other.last()?.fault, "late");
    const since = other.last()?.at;
    // The first one comes back: the same fault since the same time.
    other.isLeader = false;
    leader.isLeader = true;
    await leader.pass(2);
    assert.deepEqual([leader.last()?.fault, leader.last()?.at], ["late", since]);
    await other.ping();
    await leader.pass(61);
    assert.equal(leader.last()?.state, "up");
  });

  it("take pings of one check at the same time, and count each once", async () => {
    const { leader, other } = await createTwo();
    const all = Array.from({ length: 40 }, (_, ping) => (ping % 2 === 0 ? leader : other).ping("log"));
    await Promise.all(all);
    const { items } = await leader.heartbeats.pings.list("chk_1", { limit: 200 });
    assert.deepEqual(
      items.map(({ number }) => number),
      Array.from({ length: 40 }, (_, index) => 40 - index),
    );
  });

  it("take no key that the other node ended a moment ago", async () => {
    const { leader, other } = await createTwo();
    await other.ping();
    await leader.heartbeats.changePingKey("chk_1", { actor: { name: "admin", requestId: "r" } });
    await assert.rejects(() => other.ping(), { code: "not_found" });
  });

  it("know a key that the other node made a moment ago", async () => {
    const { leader, other } = await createTwo();
    await leader.make(heartbeatFields(), { id: "chk_2", pingKey: "a-key-of-another" });
    await other.ping("success", { key: "a-key-of-another" });
    assert.equal((await leader.heartbeats.pings.list("chk_2", { limit: 10 })).items.length, 1);
  });
});
