import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLocalHub } from "../../support/local-hub.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { type CheckBench, OK, REFUSED, createCheckBench, settle, tcp } from "./check-bench.ts";
import { actor, createTestStore, fields } from "../fixtures.ts";
import { checkEvents } from "../../../src/monitor/checks/records.ts";

/** Two nodes on one store, one bus and one clock. */
async function createPair() {
  const clock = createFixedClock();
  const store = createTestStore();
  const failures: unknown[] = [];
  const hub = createLocalHub((_topic, error) => failures.push(error));
  const nodes: CheckBench[] = [];
  for (const name of ["a", "b"]) nodes.push(await createCheckBench({ clock, store, bus: hub.join(name) }));
  const [a, b] = nodes;
  assert.ok(a !== undefined && b !== undefined);
  const alive = new Set(nodes);
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      for (const { app } of alive) {
        await app.monitor.renewLease();
        app.monitor.tick();
        await app.monitor.checkWatch.tick();
        await settle();
        await app.monitor.checkWatch.keep();
        await settle();
      }
    }
  };
  await pass(4);
  const leader = a.app.monitor.nodes.isLeader ? a : b;
  const other = leader === a ? b : a;
  return { clock, store, failures, leader, other, alive, pass };
}

describe("checks on two nodes", () => {
  it("are run by the leader only, and both show their state", async () => {
    const { leader, other, pass, failures } = await createPair();
    const { id } = await other.make("one", { failures: 1 });
    await pass(62);
    assert.deepEqual([leader.targets.asked.length, other.targets.asked.length], [2, 0]);
    assert.deepEqual([leader.stateOf(id), other.stateOf(id)], ["up", "up"]);
    leader.targets.answers.set("192.0.2.1", REFUSED);
    await pass(62);
    assert.deepEqual([leader.stateOf(id), other.stateOf(id)], ["down", "down"]);
    assert.deepEqual(failures, []);
  });

  it("go on when the leader is killed: nothing is lost or doubled, and there is no false alarm", async () => {
    const { leader, other, alive, pass, store } = await createPair();
    const good = await leader.make("good");
    const bad = await leader.make("bad", { ...tcp("192.0.2.2"), failures: 2, retrySeconds: 5 });
    leader.targets.answers.set("192.0.2.2", REFUSED);
    await pass(120);
    assert.deepEqual([other.stateOf(good.id), other.stateOf(bad.id)], ["up", "down"]);
    const since = other.app.monitor.checkDirectory.findStanding(bad.id)?.since;
    alive.delete(leader);
    other.targets.answers.set("192.0.2.2", REFUSED);
    const seen = new Set<string>();
    other.app.monitor.checkDirectory.onChange((id) => seen.add(`${id === bad.id} ${other.stateOf(id)}`));
    await pass(90);
    assert.equal(other.app.monitor.nodes.isLeader, true);
    assert.deepEqual([...seen].toSorted(), ["false up", "true down"]);
    assert.equal(other.app.monitor.checkDirectory.findStanding(bad.id)?.since, since);
    assert.equal(other.targets.asked.length >= 2, true);
    const events = await store.read((tx) => tx.list(checkEvents, "byAt", { limit: 10 }));
    assert.deepEqual(events.items.map(({ state }) => state).toSorted(), ["down", "up", "up"]);
  });

  it("hand the leader what agents of the other node find", async () => {
    const { leader, other, pass, clock } = await createPair();
    await other.app.monitor.servers.create(fields("fra"), { id: "fra", actor });
    const places = { center: false, serverIds: ["fra"] };
    const { id, revision } = await other.make("one", { places, failures: 1 });
    await pass(1);
    const say = async (result: typeof OK) => {
      await pass(20);
      const tries = [{ checkId: id, revision, at: clock.now(), result }];
      await other.app.monitor.checkIntake.takePlaceResult("fra", tries);
      await pass(2);
      return [leader.stateOf(id), other.stateOf(id)];
    };
    assert.deepEqual(await say(OK), ["up", "up"]);
    assert.deepEqual(await say(REFUSED), ["down", "down"]);
  });
});
