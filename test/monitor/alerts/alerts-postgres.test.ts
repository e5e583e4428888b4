/** Alerts on PostgreSQL, and of two processes on one database that see the same servers fail. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { type TestDatabase, createTestDatabase } from "../../support/postgres.ts";
import { type AlertsBench, benchCollections, createAlertsBench } from "./alerts-bench.ts";

const few = ["s0", "s1", "s2"];
const many = Array.from({ length: 15 }, (_, index) => `m${index}`);

describe("alerts on PostgreSQL", () => {
  let database: TestDatabase;
  const stores: Store[] = [];
  const benches: AlertsBench[] = [];

  before(async () => {
    database = await createTestDatabase();
    for (let i = 0; i < 2; i += 1) {
      const store = await openPostgresStore({
        url: database.url,
        name: "monitor",
        collections: benchCollections,
      });
      stores.push(store);
      benches.push(await createAlertsBench(store));
    }
  });

  after(async () => {
    for (const store of stores) await store.close();
    await database.drop();
  });

  async function all(work: (bench: AlertsBench) => Promise<unknown>): Promise<void> {
    await Promise.all(benches.map(work));
  }
  async function take(): Promise<readonly string[]> {
    const [first] = benches;
    return (await first?.takeTitles())?.toSorted() ?? [];
  }

  it("announce once what two processes find, with one open incident", async () => {
    await benches[0]?.rule({ kind: "offline", graceSeconds: 5 });
    await all((bench) => bench.alerts.reload());
    for (const bench of benches) {
      bench.up(...few);
      bench.down(...few);
    }
    await all((bench) => bench.pass(11));
    assert.deepEqual(await take(), ["s0 offline", "s1 offline", "s2 offline"]);
    for (const bench of benches) bench.up(...few);
    await all((bench) => bench.pass(1));
    assert.deepEqual(await take(), ["s0 back online", "s1 back online", "s2 back online"]);
    const incidents = (await benches[0]?.listIncidents()) ?? [];
    assert.deepEqual(
      incidents.map(({ state, told }) => [state, told]),
      few.map(() => ["closed", { down: true, up: true }]),
    );
  });

  it("pair over restarts, each mass announced once", async () => {
    for (const bench of benches) {
      bench.up(...many);
      bench.down(...many);
    }
    await all((bench) => bench.pass(15));
    await benches[1]?.restart();
    await all((bench) => bench.pass(30));
    assert.deepEqual(await take(), ["15 servers offline"]);
    await all((bench) => bench.restart());
    for (const bench of benches) bench.up(...many);
    await all((bench) => bench.pass(40));
    const told = await take();
    assert.deepEqual(
      told.reduce((sum, title) => sum + Number(/^\d+/u.exec(title)?.[0] ?? 1), 0),
      many.length,
      told.join(", "),
    );
    for (const incident of (await benches[0]?.listIncidents()) ?? [])
      assert.deepEqual(incident.told, { down: true, up: true });
  });
});
