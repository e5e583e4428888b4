/** An agent that comes to another node with reports whose Ack was lost: each is stored once over both. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type LocalHub, createLocalHub } from "../../support/local-hub.ts";
import type { AgentSession } from "../../../src/monitor/ingest/agent-session.ts";
import { START } from "../../support/fixed-clock.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { actor, createTestStore, fields } from "../fixtures.ts";
import { until } from "../../support/eventually.ts";

describe("an agent that moves to another node", () => {
  let hub: LocalHub;
  let a: TestApp;
  let b: TestApp;
  let agentKey: string;

  function open({ monitor }: TestApp): Promise<AgentSession> {
    return monitor.ingest.open({ serverId: "s", agentKey, hostname: "", remoteAddress: "192.0.2.1" });
  }

  function send(session: AgentSession, at: number): Promise<{ readonly ack: string }> {
    return session.report(JSON.stringify({ v: 1, cpu: { usagePercent: 1 } }), at);
  }

  function stored({ samples }: TestApp): number[] {
    return samples.rows.map(({ at }) => at);
  }

  beforeEach(async () => {
    hub = createLocalHub();
    const store = createTestStore();
    a = await createTestApp({ store, bus: hub.join("a") });
    ({ agentKey } = await a.monitor.servers.create(fields("S"), { id: "s", actor }));
    b = await createTestApp({ store, bus: hub.join("b") });
    // The second one had no lease yet when the first one looked.
    for (const { monitor } of [a, b, a]) await monitor.renewLease();
    for (const { monitor } of [a, b]) assert.equal(monitor.nodes.peers().length, 1);
  });

  it("has what the first one stored acknowledged and not stored again, there and back", async () => {
    const first = await open(a);
    for (const at of [START, START + 1]) await send(first, at);
    const second = await open(b);
    for (const at of [START + 1, START, START + 2])
      assert.equal((await send(second, at)).ack, `metrics ${at}`);
    assert.deepEqual(stored(b), [START + 2]);
    const third = await open(a);
    for (const at of [START + 2, START + 3]) await send(third, at);
    assert.deepEqual(stored(a), [START, START + 1, START + 3]);
  });

  it("waits for what is on its way to the first one's disk", async () => {
    const first = await open(a);
    a.samples.hold();
    const sent = send(first, START);
    const opening = open(b);
    await new Promise((resolve) => setImmediate(resolve));
    a.samples.release();
    const second = await opening;
    await sent;
    await send(second, START);
    assert.deepEqual([stored(a), stored(b)], [[START], []]);
  });

  it("accepts nothing more from the first one", async () => {
    const first = await open(a);
    const second = await open(b);
    await assert.rejects(send(first, START), /Another node took over the agent/u);
    await send(second, START);
    assert.deepEqual([stored(a), stored(b)], [[], [START]]);
  });

  for (const names of ["a, then b", "b, then a"]) {
    it(`has the newest stream, however soon it came: ${names}`, async () => {
      const [from, to] = names.startsWith("a") ? [a, b] : [b, a];
      const first = await open(from);
      const second = await open(to);
      await until(() => first.ended.aborted || second.ended.aborted);
      assert.deepEqual([first.ended.aborted, second.ended.aborted], [true, false]);
    });
  }

  it("is taken at once while the bus is away; charts show a report that two nodes have once", async () => {
    const first = await open(a);
    await send(first, START);
    hub.setConnected("b", false);
    const second = await open(b);
    await send(second, START);
    assert.deepEqual([stored(a), stored(b)], [[START], [START]]);
    hub.setConnected("b", true);
    const request = { serverId: "s", metrics: ["cpu.usagePercent"] as const, points: 100 };
    const [series] = await b.monitor.history.query({ ...request, from: START - 60_000, to: START + 1 });
    assert.equal(series?.points.length, 1);
  });

  it("has nothing told of a server that was deleted and made again", async () => {
    const first = await open(a);
    await send(first, START);
    await b.monitor.servers.remove("s", actor);
    b.clock.advance(1);
    ({ agentKey } = await b.monitor.servers.create(fields("S"), { id: "s", actor }));
    const second = await open(b);
    await send(second, START);
    assert.deepEqual(stored(b), [START]);
  });
});
