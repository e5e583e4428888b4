/** Two processes of the monitor on one store, without the processes: what one changes, the other follows. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type Store, StoreError } from "../../src/store/store.ts";
import { type TestApp, createTestApp } from "./app-fixture.ts";
import { actor, createTestStore, fields } from "./fixtures.ts";

describe("a monitor that follows another on the same store", () => {
  let store: Store;
  let one: TestApp;
  let other: TestApp;
  let failing: boolean;

  beforeEach(async () => {
    store = createTestStore();
    failing = false;
    const faulty: Store = {
      ...store,
      transact: (work) => store.transact(work),
      check: () => store.check(),
      close: () => store.close(),
      read: async (work) => {
        if (failing) throw new StoreError("store_unavailable", "Away");
        return store.read(work);
      },
    };
    one = await createTestApp({ store });
    other = await createTestApp({ store: faulty });
    await other.monitor.follow();
  });

  const names = (): string[] => other.monitor.publicSnapshot.entries().map(({ record }) => record.name);
  const create = (id: string): Promise<{ agentKey: string }> =>
    one.monitor.servers.create(fields(id.toUpperCase()), { id, actor });

  it("sees servers that were made, edited, hidden, reordered and deleted", async () => {
    await create("a");
    await create("b");
    assert.equal(await other.monitor.follow(), true);
    assert.deepEqual(names(), ["A", "B"]);
    await one.monitor.servers.reorder(["b", "a"], actor);
    await other.monitor.follow();
    assert.deepEqual(names(), ["B", "A"]);
    await one.monitor.servers.replace("b", { fields: fields("B", { hidden: true }), actor });
    await other.monitor.follow();
    assert.deepEqual(names(), ["A"]);
    await one.monitor.servers.remove("a", actor);
    await other.monitor.follow();
    assert.deepEqual(names(), []);
  });

  it("ends streams of servers that were disabled, deleted or got a new key there, and forgets the deleted", async () => {
    const sessions = [];
    for (const id of ["a", "b", "c"]) {
      const { agentKey } = await create(id);
      await other.monitor.follow();
      sessions.push(
        await other.monitor.ingest.open({ serverId: id, agentKey, hostname: "", remoteAddress: "192.0.2.1" }),
      );
    }
    await one.monitor.servers.replace("a", { fields: fields("A", { disabled: true }), actor });
    await one.monitor.servers.remove("b", actor);
    await one.monitor.servers.rotateKey("c", { graceSeconds: 0, actor });
    await other.monitor.follow();
    assert.deepEqual(
      sessions.map(({ ended }) => ended.aborted),
      [true, true, true],
    );
    assert.equal(other.monitor.live.get("b").state, "never");
  });

  it("takes an agent with a key that was made there a moment ago, and keeps its stream", async () => {
    const { agentKey } = await create("new");
    const session = await other.monitor.ingest.open({
      serverId: "new",
      agentKey,
      hostname: "",
      remoteAddress: "192.0.2.1",
    });
    other.monitor.tick();
    assert.equal(session.ended.aborted, false);
    assert.deepEqual(names(), ["NEW"]);
  });

  it("looks only when there is something to see: no new revision, no new entity tag", async () => {
    await create("a");
    await other.monitor.follow();
    const { revision, recordsRevision } = other.monitor.publicSnapshot;
    assert.equal(await other.monitor.follow(), false);
    other.clock.advance(15_000);
    assert.equal(await other.monitor.follow(), true);
    assert.deepEqual(
      [other.monitor.publicSnapshot.revision, other.monitor.publicSnapshot.recordsRevision],
      [revision, recordsRevision],
    );
  });

  it("sees within 15 seconds what agents told there, which leaves no entry in the audit", async () => {
    await create("a");
    await other.monitor.follow();
    await one.monitor.servers.noteFacts("a", { hostname: "machine" });
    other.clock.advance(14_999);
    await other.monitor.follow();
    assert.equal(other.monitor.publicSnapshot.findRecord("a")?.hostname, "");
    other.clock.advance(1);
    await other.monitor.follow();
    assert.equal(other.monitor.publicSnapshot.findRecord("a")?.hostname, "machine");
  });

  it("knows a server that was deleted and made again with the same id as another", async () => {
    const { agentKey } = await create("a");
    const session = await other.monitor.ingest.open({
      serverId: "a",
      agentKey,
      hostname: "",
      remoteAddress: "192.0.2.1",
    });
    one.clock.advance(1);
    await one.monitor.servers.remove("a", actor);
    await create("a");
    await other.monitor.follow();
    assert.equal(session.ended.aborted, true);
  });

  it("throws while the store is away, and sees afterwards what it missed", async () => {
    failing = true;
    await create("a");
    await assert.rejects(other.monitor.follow(), { code: "store_unavailable" });
    failing = false;
    await other.monitor.follow();
    assert.deepEqual(names(), ["A"]);
  });
});
