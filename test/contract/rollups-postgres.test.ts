/** The contract of rollups on PostgreSQL, and what only two processes on one database can show. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import pg from "pg";
import { openPostgresRollups } from "../../src/store/postgres/rollups.ts";
import type { RollupStore } from "../../src/store/series/rollups/rollups.ts";
import { type FixedClock, createFixedClock, START } from "../support/fixed-clock.ts";
import { type TestDatabase, createTestDatabase } from "../support/postgres.ts";
import { describeRollupsContract, flushRows, readAll, tiers, toBatch } from "./rollups-contract.ts";

function open(url: string, clock: FixedClock, origin = "one"): Promise<RollupStore> {
  return openPostgresRollups({
    url,
    prefix: "t_rollups",
    tiers,
    origin,
    clock,
    applicationName: "trivet-test",
  });
}

describeRollupsContract({
  name: "PostgreSQL",
  open: async (clock) => {
    const database = await createTestDatabase();
    const all = [await open(database.url, clock)];
    const [rollups] = all;
    assert.ok(rollups);
    return {
      rollups,
      reopen: async () => {
        const again = await open(database.url, clock);
        all.push(again);
        return again;
      },
      dispose: async () => {
        for (const one of all) await one.close();
        await database.drop();
      },
    };
  },
});

describe("rollups on PostgreSQL", () => {
  let database: TestDatabase;
  let clock: FixedClock;
  let stores: RollupStore[];

  beforeEach(async () => {
    database = await createTestDatabase();
    clock = createFixedClock();
    stores = await Promise.all(["one", "two"].map((origin) => open(database.url, clock, origin)));
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await database.drop();
  });

  async function query(text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  it("tell the marks of all owners with the spans, and every key once", async () => {
    const [one, two] = stores;
    assert.ok(one !== undefined && two !== undefined);
    const rows = [
      { key: "b", at: START, values: [1] },
      { key: "a", at: START - 40 * 3_600_000, values: [1] },
      { key: "a", at: START, values: [1] },
    ];
    await flushRows(one, rows);
    await flushRows(two, rows);
    await flushRows(two, []);
    const { marks, buckets } = await one.read({ tier: "1h", key: "a", from: 0, to: START + 1 });
    assert.deepEqual(
      marks,
      new Map([
        ["one", 1],
        ["two", 2],
      ]),
    );
    assert.deepEqual(
      buckets.map(({ stats }) => stats[0]),
      [2, 2],
    );
    const none = await two.read({ tier: "1h", key: "nobody", from: 0, to: START });
    assert.deepEqual([none.buckets, none.flushedSeq, none.marks.size], [[], 2, 2]);
    assert.deepEqual((await one.keys()).toSorted(), ["a", "b"]);
    await two.drop("a");
    assert.deepEqual(await one.keys(), ["b"]);
    await two.drop("b");
    assert.deepEqual(await one.keys(), []);
  });

  it("lets two processes count for one key at the same moment, each with its own mark", async () => {
    const rows = [{ key: "a", at: START, values: [1] }];
    await Promise.all(stores.map((store) => flushRows(store, rows)));
    await Promise.all(stores.map((store) => flushRows(store, rows)));
    for (const store of stores) {
      assert.equal(store.flushedSeq, 2);
      assert.equal((await readAll(store, "1h", "a"))[0]?.stats[0], 4);
    }
  });

  it("counts a flush once whose commit went through although its answer was lost", async () => {
    const [store] = stores;
    const row = { key: "a", at: START, values: [1] };
    assert.ok(store);
    // Another connection of the same origin: this process does not know of the commit.
    const twin = await open(database.url, clock, "one");
    await twin.flush({ nextSeq: 5, collect: () => toBatch([row]) });
    await twin.close();
    assert.equal(store.flushedSeq, 0);
    await store.flush({ nextSeq: 6, collect: (fromSeq) => toBatch(fromSeq < 5 ? [row, row] : [row]) });
    assert.equal((await readAll(store, "1m", "a"))[0]?.stats[0], 2);
  });

  it("deletes what has passed by dropping partitions", async () => {
    const [store] = stores;
    assert.ok(store);
    await flushRows(store, [{ key: "a", at: START, values: [1] }]);
    const partitions =
      "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 't_rollups_1m'::regclass";
    const before = await query(partitions);
    assert.equal(before.length, 1);
    clock.advance(3 * 86_400_000);
    await flushRows(store, [{ key: "a", at: clock.now(), values: [1] }]);
    await store.maintain();
    const after = await query(partitions);
    assert.equal(after.length, 1);
    assert.notDeepEqual(after, before);
  });
});
