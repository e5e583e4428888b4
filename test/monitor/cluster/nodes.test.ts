import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { GrpcError, grpcStatus } from "../../../src/runtime/runtime.ts";
import { actor } from "../fixtures.ts";
import { type BenchNode, NodesBench, sampleOf } from "./nodes-bench.ts";

function statusOf(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  return reason instanceof GrpcError ? reason.status : reason;
}

describe("nodes of the monitor", () => {
  let bench: NodesBench;
  let a: BenchNode;
  let b: BenchNode;

  beforeEach(async () => {
    bench = new NodesBench();
    await bench.servers("s1", "s2");
    a = await bench.start("node-a");
    b = await bench.start("node-b");
  });

  function assertSame(): void {
    assert.deepEqual(bench.list(a), bench.list(b));
    assert.deepEqual(bench.failures, []);
  }

  it("know each other until one leaves or is silent for too long", async () => {
    await bench.pass(1);
    assert.deepEqual(b.nodes.peers(), ["node-a"]);
    const c = await bench.start("node-c");
    await bench.pass(1);
    assert.deepEqual(b.nodes.peers(), ["node-a", "node-c"]);
    bench.kill(c);
    await bench.pass(5);
    assert.deepEqual(b.nodes.peers(), ["node-a", "node-c"]);
    await bench.pass(2);
    assert.deepEqual(b.nodes.peers(), ["node-a"]);
    await a.nodes.close();
    bench.kill(a);
    await bench.pass(1);
    assert.deepEqual(b.nodes.peers(), []);
  });

  it("show every server, whichever of them has its stream", async () => {
    await bench.connect(a, "s1");
    await bench.connect(b, "s2");
    a.live.reported("s1", sampleOf(bench.clock.now(), 40));
    await bench.pass(1);
    assertSame();
    assert.equal(b.live.get("s1").state, "online");
    assert.equal(b.live.get("s1").reportsStored, 1);
    assert.deepEqual(b.live.get("s1").latest?.sample, a.live.get("s1").latest?.sample);
    a.live.reported("s1", sampleOf(bench.clock.now(), 41));
    await bench.settle();
    assert.deepEqual(b.live.get("s1").latest?.sample, {
      v: 1,
      cpu: { usagePercent: 41, perCorePercent: [41] },
    });
    await bench.pass(11);
    a.live.reported("s1", sampleOf(bench.clock.now(), 42));
    await bench.settle();
    assert.deepEqual(b.live.get("s1").latest?.sample, a.live.get("s1").latest?.sample);
    bench.disconnect(a, "s1");
    await bench.pass(6);
    assert.equal(b.live.get("s1").state, "offline");
    assertSame();
  });

  it("know the lists of a report that came before the latest one", async () => {
    await bench.connect(a, "s1");
    const details = '{"failedUnits":[{"name":"certbot.service"}]}';
    a.live.reported("s1", { ...sampleOf(bench.clock.now(), 40), details });
    await bench.pass(1);
    assert.equal(b.live.get("s1").details, details);
    const later = '{"failedUnits":[]}';
    a.live.reported("s1", { ...sampleOf(bench.clock.now(), 41), details: later });
    await bench.pass(11);
    a.live.reported("s1", sampleOf(bench.clock.now(), 42));
    await bench.settle();
    assert.equal(b.live.get("s1").details, later);
    assertSame();
  });

  it("never go back to an older sample", async () => {
    await bench.connect(a, "s1");
    const now = bench.clock.now();
    a.live.reported("s1", sampleOf(now, 40));
    await bench.settle();
    await bench.connect(b, "s1");
    b.live.reported("s1", sampleOf(now - 60_000, 1));
    await bench.pass(1);
    assert.equal(a.live.get("s1").latest?.collectedAt, now);
    assert.equal(b.live.get("s1").latest?.collectedAt, now);
    // Stored here when the stream had gone over there already.
    a.live.reported("s1", sampleOf(now + 500, 50));
    await bench.settle();
    assert.equal(b.live.get("s1").latest?.collectedAt, now + 500);
    assertSame();
  });

  it("keep one stream a server: the newest ends the one elsewhere with ABORTED", async () => {
    const first = await bench.connect(a, "s1");
    await bench.settle();
    const second = await bench.connect(b, "s1");
    await bench.settle();
    assert.equal(statusOf(first.ended), grpcStatus.aborted);
    assert.equal(second.ended.aborted, false);
    assert.deepEqual(bench.open("s1"), ["node-b"]);
    assert.equal(a.live.get("s1").state, "online");
    await bench.pass(10);
    assertSame();
  });

  it("keep exactly one of two streams that begin at the same moment", async () => {
    await bench.connect(a, "s1");
    await bench.connect(b, "s1");
    await bench.settle();
    assert.deepEqual(bench.open("s1"), ["node-b"]);
    await bench.pass(7);
    assertSame();
    assert.equal(a.live.get("s1").state, "online");
  });

  it("flag an agent that runs twice, on different nodes", async () => {
    const c = await bench.start("node-c");
    for (const node of [a, b, a, b]) {
      await bench.connect(node, "s1");
      await bench.settle();
    }
    for (const { live } of [a, b, c]) assert.equal(live.get("s1").duplicateAgent, true);
    for (const { registry } of [a, b, c]) registry.clearDuplicate("s1");
    await bench.pass(1);
    for (const { live } of [a, b, c]) assert.equal(live.get("s1").duplicateAgent, false);
  });

  it("say alike that the reports of an agent are rejected, and that they come again", async () => {
    await bench.connect(a, "s1");
    a.live.rejected("s1", "cpu must be an object");
    await bench.pass(1);
    for (const { live } of [a, b])
      assert.deepEqual(live.get("s1").silence, { kind: "rejected", reason: "cpu must be an object" });
    a.live.reported("s1", { collectedAt: 1, receivedAt: 1, sample: { v: 1 }, flags: [] });
    await bench.pass(1);
    for (const { live } of [a, b]) assert.equal(live.get("s1").silence, undefined);
  });

  it("count the streams of a dead node as closed, unless another node has them", async () => {
    await bench.connect(a, "s1");
    await bench.connect(a, "s2");
    await bench.pass(3);
    bench.kill(a);
    await bench.pass(2);
    await bench.connect(b, "s2");
    await bench.pass(3);
    assert.equal(b.live.get("s1").state, "online");
    await bench.pass(2);
    assert.deepEqual(b.nodes.peers(), []);
    assert.equal(b.live.get("s1").state, "offline");
    assert.equal(b.live.get("s2").state, "online");
    const c = await bench.start("node-c");
    await bench.pass(2);
    assert.deepEqual(bench.list(b), bench.list(c));
  });

  it("tell a new node the states of a dead node, even when it is the successor", async () => {
    await bench.connect(a, "s1");
    a.live.reported("s1", sampleOf(bench.clock.now(), 40));
    await bench.pass(1);
    bench.kill(a);
    await bench.pass(12);
    const c = await bench.start("node-0");
    await bench.settle();
    assert.equal(c.live.get("s1").state, "offline");
    assert.equal(c.live.get("s1").latest?.row?.[0], 40);
    assert.deepEqual(bench.list(b), bench.list(c));
  });

  it("repeat the states of a dead node to one that believed it alive", async () => {
    const c = await bench.start("node-c");
    bench.hub.setConnected("node-a", false);
    await bench.connect(c, "s1");
    c.live.reported("s1", sampleOf(bench.clock.now(), 40));
    const kept = await bench.connect(a, "s1");
    await bench.pass(1);
    bench.kill(c);
    await bench.pass(8);
    bench.hub.setConnected("node-a", true);
    await bench.pass(8);
    assert.equal(kept.ended.aborted, false);
    assert.equal(a.live.get("s1").latest?.row?.[0], 40);
    assert.equal(b.live.get("s1").state, "online");
    assertSame();
  });

  it("keep the grace of a closed stream when a node says goodbye", async () => {
    await bench.connect(a, "s1");
    await bench.pass(1);
    await a.nodes.close();
    bench.kill(a);
    await bench.pass(4);
    assert.equal(b.live.get("s1").state, "online");
    await bench.pass(2);
    assert.equal(b.live.get("s1").state, "offline");
  });

  it("lose no server while their own bus is down, and agree when it is back: the newer stream stays", async () => {
    const old = await bench.connect(a, "s1");
    await bench.connect(a, "s2");
    await bench.pass(1);
    bench.hub.setConnected("node-a", false);
    bench.hub.setConnected("node-b", false);
    const taken = await bench.connect(b, "s1");
    await bench.pass(20);
    assert.equal(a.nodes.peers().length, 1);
    assert.equal(b.live.get("s2").state, "online");
    assert.deepEqual(bench.open("s1"), ["node-a", "node-b"]);
    bench.hub.setConnected("node-a", true);
    bench.hub.setConnected("node-b", true);
    await bench.pass(1);
    assert.equal(statusOf(old.ended), grpcStatus.aborted);
    assert.equal(taken.ended.aborted, false);
    await bench.pass(7);
    assertSame();
    assert.equal(a.live.get("s2").state, "online");
  });

  it("keep a stream alive when the newer one elsewhere has ended", async () => {
    const kept = await bench.connect(a, "s1");
    await bench.pass(1);
    for (const { name } of [a, b]) bench.hub.setConnected(name, false);
    await bench.connect(b, "s1");
    bench.disconnect(b, "s1");
    await bench.pass(10);
    for (const { name } of [a, b]) bench.hub.setConnected(name, true);
    await bench.pass(2);
    assert.equal(kept.ended.aborted, false);
    assert.equal(b.live.get("s1").state, "online");
    await bench.pass(7);
    assertSame();
  });

  it("do not let a suspended node overwrite what is newer", async () => {
    const old = await bench.connect(a, "s1");
    await bench.connect(a, "s2");
    await bench.pass(1);
    bench.pause(a);
    await bench.pass(8);
    assert.equal(b.live.get("s1").state, "offline");
    await bench.connect(b, "s1");
    await bench.pass(1);
    bench.resume(a);
    await bench.pass(1);
    assert.equal(statusOf(old.ended), grpcStatus.aborted);
    assert.deepEqual(bench.open("s1"), ["node-b"]);
    // Its other agent has waited.
    assert.equal(b.live.get("s2").state, "online");
    await bench.pass(7);
    assertSame();
  });

  it("raise no alert about a server that another node took unnoticed, as the bus is parted", async () => {
    await bench.rule(60);
    await bench.connect(a, "s1");
    await bench.connect(a, "s2");
    await bench.pass(1);
    bench.hub.part("node-b");
    bench.disconnect(a, "s1");
    bench.disconnect(a, "s2");
    await bench.connect(b, "s1");
    await bench.pass(80);
    assert.equal(a.nodes.isLeader, true);
    assert.deepEqual(
      bench.titles.filter((title) => title.includes("s1")),
      [],
    );
    // No other node has it.
    assert.equal(bench.titles.length, 1);
  });

  it("leave its servers to a node that the store is cut off from", async () => {
    await bench.rule(60);
    await bench.connect(b, "s1");
    await bench.pass(1);
    b.link.isCutOff = true;
    await bench.pass(80);
    assert.equal(a.live.get("s1").state, "online");
    assert.deepEqual(bench.titles, []);
    assert.deepEqual(b.nodes.peers(), ["node-a"]);
    bench.kill(b);
    await bench.pass(80);
    assert.equal(bench.titles.length, 1);
  });

  it("raise no alert about a server that a node has, but cannot claim, when the bus is back", async () => {
    await bench.rule(120);
    await bench.connect(a, "s1");
    await bench.pass(1);
    bench.disconnect(a, "s1");
    for (const { name } of [a, b]) bench.hub.setConnected(name, false);
    await bench.connect(b, "s1");
    b.link.isCutOff = true;
    // The leader takes over what it believes to be left.
    await bench.pass(100);
    for (const { name } of [a, b]) bench.hub.setConnected(name, true);
    await bench.pass(140);
    assert.equal(a.nodes.isLeader, true);
    assert.deepEqual(bench.titles, []);
    b.link.isCutOff = false;
    await bench.pass(5);
    assert.equal(a.live.get("s1").state, "online");
    bench.disconnect(b, "s1");
    await bench.pass(140);
    assert.equal(bench.titles.length, 1);
  });

  it("repair lost messages within half a minute", async () => {
    await bench.connect(a, "s1");
    await bench.pass(1);
    b.live.drop("s1");
    b.nodes.drop("s1");
    await bench.pass(31);
    assertSame();
    assert.equal(b.live.get("s1").state, "online");
  });

  it("wait for the record of a server that they do not know yet", async () => {
    await bench.servers("s9");
    b.unread.add("s9");
    await bench.connect(a, "s9");
    await bench.settle();
    assert.equal(b.live.get("s9").state, "never");
    assert.equal(b.signals, 1);
    b.unread.delete("s9");
    b.nodes.recordsChanged();
    assert.equal(b.live.get("s9").state, "online");
  });

  it("do not keep states of servers without a record for ever", async () => {
    await bench.servers("s9");
    b.unread.add("s9");
    await bench.connect(a, "s9");
    await bench.settle();
    // Read again, and it is still not there: it was deleted.
    b.nodes.recordsChanged();
    bench.kill(a);
    await bench.pass(60);
    b.unread.delete("s9");
    b.nodes.recordsChanged();
    assert.equal(b.live.get("s9").state, "never");
  });

  it("let another lead within a second when the leader stops, and stop even when the store is away", async () => {
    assert.equal(a.nodes.isLeader, true);
    await a.nodes.close();
    bench.kill(a);
    await bench.pass(1);
    assert.equal(b.nodes.isLeader, true);
    await bench.store.close();
    await b.nodes.close();
    assert.equal(b.nodes.isLeader, false);
  });

  it("show within seconds, also on the leader, that an incident was acknowledged elsewhere", async () => {
    await bench.rule(8);
    await bench.connect(a, "s1");
    await bench.pass(1);
    bench.disconnect(a, "s1");
    await bench.pass(20);
    const [incident] = b.alerts.firing();
    assert.ok(incident !== undefined && a.nodes.isLeader);
    await b.alerts.incidents.acknowledge(incident.id, actor);
    await bench.pass(5);
    for (const { alerts } of [a, b]) assert.equal(alerts.firing()[0]?.acknowledgedBy, actor.name);
  });

  it("signal the others to read the records again", async () => {
    a.nodes.signalChange();
    await bench.settle();
    assert.deepEqual([a.signals, b.signals], [0, 1]);
  });
});
