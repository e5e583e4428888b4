import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { LeaseLost } from "../../../src/monitor/cluster/leader-lease.ts";
import { type BenchNode, NodesBench } from "./nodes-bench.ts";

describe("leader lease", () => {
  let bench: NodesBench;
  let a: BenchNode;
  let b: BenchNode;

  beforeEach(async () => {
    bench = new NodesBench();
    await bench.servers("s1", "s2");
    a = await bench.start("node-a");
    b = await bench.start("node-b");
    await bench.pass(4);
  });

  function leaders(): readonly string[] {
    return bench.running.filter(({ nodes }) => nodes.isLeader).map(({ name }) => name);
  }

  it("is held by one node, and stays there", async () => {
    for (let time = 0; time < 10; time += 1) {
      await bench.pass(3);
      assert.deepEqual(leaders(), ["node-a"]);
    }
  });

  it("passes on at once when it is released, and after some seconds when the leader is gone", async () => {
    await a.nodes.close();
    bench.kill(a);
    await bench.pass(3);
    assert.deepEqual(leaders(), ["node-b"]);
    const c = await bench.start("node-c");
    await bench.pass(3);
    bench.kill(b);
    await bench.pass(4);
    assert.deepEqual(leaders(), []);
    await bench.pass(4);
    assert.deepEqual(leaders(), [c.name]);
  });

  it("expires for a leader that was suspended before it acts again", async () => {
    bench.pause(a);
    await bench.pass(7);
    assert.equal(a.nodes.lease.term, undefined);
    await bench.pass(6);
    assert.deepEqual(leaders(), ["node-b"]);
    bench.resume(a);
    assert.equal(a.nodes.lease.term, undefined);
    await assert.rejects(
      bench.store.read((tx) => a.nodes.lease.assert(tx)),
      LeaseLost,
    );
    await bench.pass(5);
    assert.deepEqual(leaders(), ["node-b"]);
  });

  it("moves from a node without a bus to one with a bus, and stays while no node has one", async () => {
    bench.hub.setConnected("node-a", false);
    await bench.pass(7);
    assert.deepEqual(leaders(), ["node-b"]);
    bench.hub.setConnected("node-b", false);
    await bench.pass(12);
    assert.deepEqual(leaders(), ["node-b"]);
  });

  it("announces each outage once, over changes of the leader", async () => {
    await bench.rule(10);
    await bench.connect(b, "s1");
    await bench.connect(b, "s2");
    await bench.pass(2);
    bench.disconnect(b, "s1");
    await bench.pass(12);
    // The wait goes on where the other node stopped.
    await a.nodes.close();
    bench.kill(a);
    await bench.pass(5);
    assert.deepEqual(bench.titles, ["s1 offline"]);
    assert.equal(b.alerts.firing().length, 1);
    const c = await bench.start("node-c");
    await bench.pass(6);
    assert.equal(c.alerts.firing().length, 1);
    await b.nodes.close();
    b.isAlive = false;
    await bench.pass(3);
    await bench.connect(c, "s1");
    await bench.connect(c, "s2");
    await bench.pass(12);
    assert.deepEqual(bench.titles, ["s1 offline", "s1 back online"]);
    assert.equal(c.alerts.firing().length, 0);
  });

  it("raises no alarm over servers elsewhere while the bus is away", async () => {
    await bench.rule(5);
    await bench.connect(a, "s1");
    await bench.connect(b, "s2");
    await bench.pass(2);
    for (const { name } of [a, b]) bench.hub.setConnected(name, false);
    bench.disconnect(a, "s1");
    await bench.connect(b, "s1");
    await bench.pass(30);
    for (const { name } of [a, b]) bench.hub.setConnected(name, true);
    await bench.pass(20);
    assert.deepEqual(bench.titles, []);
    bench.disconnect(b, "s1");
    await bench.pass(15);
    assert.deepEqual(bench.titles, ["s1 offline"]);
  });
});
