/**
 * What a write of one of two nodes changes at the other, which reads it when it is notified, or when messages were
 * missed.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LocalHub, createLocalHub } from "../../support/local-hub.ts";
import type { Usage } from "../../../src/monitor/usage/usage.ts";
import { bookmarks, months } from "../../../src/monitor/usage/records.ts";
import type { ServerRecord } from "../../../src/monitor/base/schema.ts";
import type { Store } from "../../../src/store/store.ts";
import { actor } from "../fixtures.ts";
import { type BookWorld, arrive, createBookWorld, createFaultyStore, report } from "./usage-fixture.ts";

const ID = "a";
const HOUR = 3_600_000;

describe("usage on two nodes", () => {
  async function open(): Promise<{
    world: BookWorld;
    record: ServerRecord;
    hub: LocalHub;
    a: Usage;
    b: Usage;
  }> {
    const world = createBookWorld();
    const record = await world.add(ID);
    const hub = createLocalHub();
    const a = await world.start({ bus: hub.join("a"), origin: "a" });
    const b = await world.start({ bus: hub.join("b"), origin: "b" });
    return { world, record, hub, a, b };
  }

  function used(book: Usage, record: ServerRecord): number {
    return book.traffic(record).rxBytes;
  }

  it("shows what the other one wrote within a second or so", async () => {
    const { world, record, a, b } = await open();
    a.count(ID, report({ at: world.clock.now() }, 100, 0));
    world.clock.advance(1_000);
    a.count(ID, report({ at: world.clock.now() }, 160, 0));
    const before = b.minutes;
    await a.flush();
    await arrive();
    await b.catchUp();
    assert.equal(used(b, record), 60);
    assert.ok(b.minutes > before, "answers on uptime are made anew");
    // It goes on from there.
    world.clock.advance(1_000);
    b.count(ID, report({ at: world.clock.now() }, 200, 0));
    assert.equal(used(b, record), 100);
    await b.flush();
    await arrive();
    await a.catchUp();
    assert.equal(used(a, record), 100);
  });

  it("reloads a server whose stream ended within about a second, and no others", async () => {
    const { world, record, a, b } = await open();
    const other = await world.add("other");
    for (const [id, rx] of [
      [ID, 0],
      [ID, 60],
      ["other", 0],
      ["other", 7],
    ] as const) {
      world.clock.advance(1_000);
      a.count(id, report({ at: world.clock.now() }, rx, 0));
    }
    await a.catchUp();
    await arrive();
    await b.catchUp();
    assert.equal(used(b, record), 0);
    a.flushSoon(ID);
    await Promise.all([a.catchUp(), a.catchUp()]);
    await arrive();
    await b.catchUp();
    assert.deepEqual([used(b, record), used(b, other)], [60, 0]);
    await a.flush();
    await arrive();
    await b.catchUp();
    assert.deepEqual([used(b, record), used(b, other)], [60, 7]);
  });

  it("shows what the other one wrote of many servers at once", async () => {
    const { world, a, b } = await open();
    const records: ServerRecord[] = [];
    for (let n = 0; n < 60; n += 1) records.push(await world.add(`many-${n}`));
    for (const rx of [0, 5]) {
      world.clock.advance(1_000);
      for (const { id } of records) a.count(id, report({ at: world.clock.now() }, rx, 0));
    }
    await a.flush();
    await arrive();
    await b.catchUp();
    assert.ok(records.every((record) => used(b, record) === 5));
  });

  it("reads the store when it missed a message, when the bus is back, and each minute without it", async () => {
    const { world, record, hub, a, b } = await open();
    const day = 24 * HOUR;
    a.count(ID, report({ at: world.clock.now() }, 0, 0));
    await a.flush();
    hub.setConnected("b", false);
    await b.catchUp();
    world.clock.advance(1_000);
    a.count(ID, report({ at: world.clock.now() }, 10, 0));
    await a.flush();
    world.clock.advance(59_000);
    await b.catchUp();
    assert.equal(used(b, record), 10, "without the bus it looks each minute");
    world.clock.advance(day);
    a.count(ID, report({ at: world.clock.now() }, 15, 0));
    await a.flush();
    hub.setConnected("b", true);
    await b.catchUp();
    assert.equal((await b.days(record, 1))[0]?.rxBytes, 5, "when it is back");
    hub.setConnected("b", false);
    world.clock.advance(1_000);
    a.count(ID, report({ at: world.clock.now() }, 22, 0));
    await a.flush();
    hub.setConnected("b", true);
    world.clock.advance(day);
    a.count(ID, report({ at: world.clock.now() }, 23, 0));
    await a.flush();
    await arrive();
    await b.catchUp();
    assert.deepEqual(
      (await b.days(record, 2)).map(({ rxBytes }) => rxBytes),
      [12, 1],
    );
  });

  it("tells it when the store takes changes again, though a first try failed", async () => {
    const world = createBookWorld();
    const record = await world.add(ID);
    const hub = createLocalHub();
    const store = createFaultyStore(world.store);
    const a = await world.start({ store, bus: hub.join("a"), origin: "a" });
    const b = await world.start({ bus: hub.join("b"), origin: "b" });
    a.count(ID, report({ at: world.clock.now() }, 0, 0));
    world.clock.advance(1_000);
    a.count(ID, report({ at: world.clock.now() }, 60, 0));
    store.mode = "refused";
    a.flushSoon(ID);
    await assert.rejects(a.catchUp());
    store.mode = "calm";
    await a.catchUp();
    await arrive();
    await b.catchUp();
    assert.equal(used(b, record), 60);
  });

  it("reads once more when it misses a message while it reads", async () => {
    const world = createBookWorld();
    const record = await world.add(ID);
    const hub = createLocalHub();
    const a = await world.start({ bus: hub.join("a"), origin: "a" });
    let onRead = async (): Promise<void> => undefined;
    const store: Store = {
      ...createFaultyStore(world.store),
      read: async (work) => {
        const result = await world.store.read(work);
        await onRead();
        return result;
      },
    };
    const b = await world.start({ store, bus: hub.join("b"), origin: "b" });
    let rx = 0;
    const write = async (bytes: number, { isHeard }: { isHeard: boolean }): Promise<void> => {
      hub.setConnected("a", isHeard);
      world.clock.advance(1_000);
      rx += bytes;
      a.count(ID, report({ at: world.clock.now() }, rx, 0));
      await a.flush();
      await arrive();
    };
    await write(0, { isHeard: true });
    await write(1, { isHeard: false });
    await write(2, { isHeard: true });
    onRead = async () => {
      onRead = async () => undefined;
      await write(4, { isHeard: false });
      world.clock.jump(24 * HOUR); // of wall time alone, so that not all is due to be read again
      await write(8, { isHeard: true });
    };
    await b.catchUp();
    await b.catchUp();
    assert.deepEqual(
      (await b.days(record, 2)).map(({ rxBytes }) => rxBytes),
      [7, 8],
    );
  });

  it("brings no days back for a server that was deleted, and keeps nothing of it", async () => {
    const { world, a, b } = await open();
    a.count(ID, report({ at: world.clock.now() }, 0, 0));
    await a.flush();
    b.count(ID, report({ at: world.clock.now() + 1 }, 10, 0));
    await world.servers.remove(ID, actor);
    // One that has not heard of it yet.
    await b.flush();
    assert.equal(await world.store.read((tx) => tx.count(months)), 0);
    assert.equal(await world.store.read((tx) => tx.count(bookmarks)), 0);
  });
});
