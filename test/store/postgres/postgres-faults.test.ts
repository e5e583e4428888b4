/** PostgreSQL that is killed under load, or away: nothing acknowledged is lost, and the store comes back by itself. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { StoreError } from "../../../src/store/store.ts";
import { counters, items, rejectsWith } from "../../contract/store-fixtures.ts";
import { createTestDatabase } from "../../support/postgres.ts";
import { startPostgresServer } from "../../support/postgres-server.ts";
import { eventually } from "../../support/eventually.ts";

/** Writes records one after the other until told; what was acknowledged, and what was not. */
function startWriter(
  store: Awaited<ReturnType<typeof openPostgresStore>>,
  name: string,
): {
  stop: () => Promise<{ acknowledged: string[]; refused: unknown[] }>;
  refused: unknown[];
  acknowledged: string[];
} {
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  let going = true;
  const run = (async () => {
    for (let n = 0; going; n += 1) {
      const id = `${name}-${n}`;
      try {
        await store.transact(async (tx) => {
          await tx.insert(items, { id, rank: n });
          await tx.insert(counters, { id, value: n });
          await tx.adjust(counters, "sum", { field: "value", by: 1 });
        });
        acknowledged.push(id);
      } catch (error) {
        refused.push(error);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  })();
  const stop = async (): Promise<{ acknowledged: string[]; refused: unknown[] }> => {
    going = false;
    await run;
    return { acknowledged, refused };
  };
  return { stop, refused, acknowledged };
}

describe("a PostgreSQL server that is killed under load", () => {
  it("loses nothing that was acknowledged; writes are refused meanwhile, and taken again afterwards", async () => {
    const server = await startPostgresServer();
    const store = await openPostgresStore({ url: server.url, name: "kill", collections: [items, counters] });
    try {
      await store.transact((tx) => tx.insert(counters, { id: "sum", value: 0 }));
      const writers = Array.from({ length: 8 }, (_, n) => startWriter(store, `w${n}`));
      const total = (): number => writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
      await eventually(() => total() >= 50);
      await server.kill();
      await eventually(() => writers.every(({ refused }) => refused.length > 0));
      const error = await rejectsWith(store.check(), "store_unavailable");
      assert.match(error.message, /PostgreSQL/u);
      await rejectsWith(
        store.read((tx) => tx.get(items, "w0-0")),
        "store_unavailable",
      );
      await server.start();
      const before = total();
      await eventually(() => total() >= before + 50);
      await store.check();
      const results = await Promise.all(writers.map(({ stop }) => stop()));
      const kept = await store.read(async (tx) => {
        const page = await tx.list(items, "id", { limit: 1000 });
        return {
          count: await tx.count(items),
          ids: new Set(page.items.map(({ id }) => id)),
          sum: await tx.get(counters, "sum"),
          counters: await tx.count(counters),
        };
      });
      for (const { acknowledged, refused } of results) {
        for (const id of acknowledged.slice(0, 20)) {
          assert.ok(kept.ids.has(id) || (await store.read((tx) => tx.get(items, id))) !== undefined, id);
        }
        for (const each of refused) {
          assert.ok(each instanceof StoreError && each.code === "store_unavailable", String(each));
        }
      }
      // A commit whose answer was lost may have been kept: never half of it.
      assert.ok(kept.count >= total(), `${kept.count} kept, ${total()} acknowledged`);
      assert.equal(kept.sum?.value, kept.count);
      assert.equal(kept.counters, kept.count + 1);
    } finally {
      await store.close();
      await server.stop();
    }
  });
});

describe("two stores on one database", () => {
  it("see each other's records, and share one stock without selling it twice", async () => {
    const database = await createTestDatabase();
    const open = (): ReturnType<typeof openPostgresStore> =>
      openPostgresStore({ url: database.url, name: "pair", collections: [items, counters] });
    const [a, b] = await Promise.all([open(), open()]);
    try {
      await a.transact((tx) => tx.insert(items, { id: "p", rank: 1, stock: { onHand: 20, reserved: 0 } }));
      assert.equal((await b.read((tx) => tx.get(items, "p")))?.rank, 1);
      const take = { field: "stock.reserved", by: 1 };
      const results = await Promise.allSettled(
        Array.from({ length: 40 }, (_, n) =>
          (n % 2 === 0 ? a : b).transact(async (tx) => {
            await tx.adjust(items, "p", take);
            await tx.insert(counters, { id: `order-${n}`, value: n });
          }),
        ),
      );
      const refusals = results.filter((result) => result.status === "rejected");
      for (const { reason } of refusals) assert.equal((reason as StoreError).code, "check_violation");
      assert.equal(refusals.length, 20);
      assert.equal(await b.read((tx) => tx.count(counters)), 20);
      assert.equal((await b.read((tx) => tx.get(items, "p")))?.stock?.reserved, 20);
    } finally {
      await Promise.all([a.close(), b.close()]);
      await database.drop();
    }
  });
});

describe("a database that cannot be used", () => {
  it("is refused at the start with a clear text that shows no password", async () => {
    const url = "postgres://user:secret-word@127.0.0.1:1/none";
    const error = await rejectsWith(
      openPostgresStore({ url, name: "none", collections: [items] }),
      "store_unavailable",
    );
    assert.match(error.message, /PostgreSQL cannot be reached: .*ECONNREFUSED/u);
    assert.doesNotMatch(error.message, /secret-word/u);
  });
});
