import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { heartbeatStates } from "../../../src/monitor/heartbeats/records.ts";
import { StoreError, type Store } from "../../../src/store/store.ts";
import { createTestStore } from "../fixtures.ts";
import { createTestHeartbeats, heartbeatFields, OTHER_RID, RID } from "./heartbeat-fixture.ts";

/** A store that can be away. */
function createFaultyStore(): Store & { isAway: boolean } {
  const store = createTestStore();
  const faulty = {
    isAway: false,
    transact: (work: Parameters<Store["transact"]>[0]) => faulty.guard(() => store.transact(work)),
    read: (work: Parameters<Store["read"]>[0]) => store.read(work),
    check: () => faulty.guard(() => store.check()),
    close: () => store.close(),
    guard: async <R>(work: () => Promise<R>): Promise<R> => {
      if (faulty.isAway) throw new StoreError("store_unavailable", "The disk is full");
      return work();
    },
  };
  return faulty as Store & { isAway: boolean };
}

describe("The monitor's own absence", () => {
  it("makes no heartbeat late: pings due meanwhile are unknown, and are expected again", async () => {
    const first = await createTestHeartbeats();
    await first.make(heartbeatFields());
    await first.ping();
    await first.pass(31);
    first.clock.advance(3_600_000);
    const { store, clock } = first;
    const second = await createTestHeartbeats({ store, clock });
    assert.equal(second.last()?.state, "unknown");
    await second.pass(89);
    assert.equal(second.last()?.state, "unknown");
    await second.pass(1);
    assert.equal(second.last()?.fault, "late");
  });

  it("leaves alone what was not due", async () => {
    const first = await createTestHeartbeats();
    await first.make(heartbeatFields({ schedule: { type: "period", seconds: 86_400 } }));
    await first.ping();
    await first.pass(31);
    first.clock.advance(3_600_000);
    const second = await createTestHeartbeats({ store: first.store, clock: first.clock });
    assert.equal(second.last()?.state, "up");
  });

  it("is none when a restart is quick: lateness is found at its time, and told once over restarts", async () => {
    const first = await createTestHeartbeats();
    await first.make(heartbeatFields());
    await first.ping();
    await first.pass(80);
    first.clock.advance(5_000);
    const { store, clock } = first;
    const second = await createTestHeartbeats({ store, clock });
    await second.pass(5);
    assert.equal(second.last()?.fault, "late");
    const since = second.last()?.at;
    clock.advance(86_400_000);
    const third = await createTestHeartbeats({ store, clock });
    await third.pass(1);
    // The same state since the same time: nothing new to alert on.
    assert.deepEqual([third.last()?.fault, third.last()?.at], ["late", since]);
  });

  it("ends with the store's: pings that it refused are not missed", async () => {
    const store = createFaultyStore();
    const test = await createTestHeartbeats({ store });
    await test.make(heartbeatFields());
    await test.ping();
    await test.pass(31);
    store.isAway = true;
    await assert.rejects(() => test.ping(), { code: "store_unavailable" });
    for (let second = 0; second < 600; second += 1) {
      test.clock.advance(1_000);
      await test.heartbeats.watch.tick().catch(() => undefined);
    }
    assert.equal(test.last()?.state, "up");
    store.isAway = false;
    await test.pass(1);
    assert.equal(test.last()?.state, "unknown");
    await test.ping();
    assert.equal(test.last()?.state, "up");
    await test.pass(90);
    assert.equal(test.last()?.fault, "late");
  });

  it("forgets runs that may have ended meanwhile", async () => {
    const first = await createTestHeartbeats();
    await first.make(heartbeatFields({ maxRunSeconds: 300 }));
    await first.ping("start", { rid: RID });
    await first.pass(31);
    first.clock.advance(3_600_000);
    await first.ping("start", { rid: OTHER_RID });
    const second = await createTestHeartbeats({ store: first.store, clock: first.clock });
    await second.pass(5);
    assert.equal(second.last()?.state, "unknown");
    assert.deepEqual(
      second.heartbeats.watch.findFacts("chk_1")?.openRuns.map(({ rid }) => rid),
      [OTHER_RID],
    );
  });
});

describe("A clock that jumps", () => {
  it("forward makes no heartbeat late", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    await test.ping();
    await test.pass(5);
    test.clock.jump(10 * 365 * 86_400_000);
    await test.pass(1);
    assert.equal(test.last()?.state, "unknown");
    await test.ping();
    await test.pass(60);
    assert.equal(test.last()?.state, "up");
  });

  it("back keeps no heartbeat up for longer than before", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    await test.ping();
    await test.pass(5);
    test.clock.jump(-3 * 86_400_000);
    await test.pass(89);
    assert.notEqual(test.last()?.fault, "late");
    await test.pass(2);
    assert.equal(test.last()?.fault, "late");
  });
});

describe("Deleted checks", () => {
  it("leave nothing, in bounded steps", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    for (let ping = 0; ping < 5; ping += 1) await test.ping();
    await test.remove("chk_1");
    await assert.rejects(() => test.ping(), { code: "not_found" });
    await test.heartbeats.watch.sweep();
    assert.equal(await test.store.read((tx) => tx.count(heartbeatStates)), 0);
  });
});
