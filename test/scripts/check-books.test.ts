import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import pg from "pg";
import { checkPlace, describeReport } from "../../src/shop/service-books.ts";
import { runProcess } from "../support/process.ts";
import { orders } from "../../src/shop/orders/records.ts";
import { shopCollections } from "../../src/shop/app/records.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { addProduct, order } from "../shop/goods.ts";
import { actor, createPlainShop } from "../shop/plain-shop.ts";
import { toRunArguments } from "../support/own-runtime.ts";
import { type TestDatabase, createTestDatabase } from "../support/postgres.ts";

const SHOP = { name: "shop", collections: shopCollections };

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "trivet-books-"));
});
afterEach(() => rm(data, { recursive: true, force: true }));

/** One paid order; resolves with its id. */
async function sell(store: Store): Promise<string> {
  const app = await createPlainShop({}, { store });
  const { id: productId } = await addProduct(app);
  const { id } = (await order(app, [{ productId }])).order;
  await app.shop.orderAdmin.markPaid({ id, actor, note: "" });
  return id;
}

async function spoil(store: Store, id: string): Promise<void> {
  await store.transact(async (tx) => {
    const before = (await tx.get(orders, id)) ?? assert.fail("the order is gone");
    await tx.put(orders, { ...before, amountPaid: 1 });
  });
}

const openFiles = (): Promise<Store> => openJournalStore({ ...SHOP, folder: join(data, "shop") });
const run = (...args: string[]): ReturnType<typeof runProcess> =>
  runProcess({
    command: process.execPath,
    args: [...toRunArguments("scripts/check-books.ts"), ...args],
  });

describe("npm run check-books", () => {
  it("says that the books of a stopped shop are right, or exits 1 with the order that is wrong", async () => {
    const store = await openFiles();
    const id = await sell(store);
    await store.close();
    const well = await run(data);
    assert.equal(well.code, 0, well.output);
    assert.match(well.output, /^EUR: 10\.00 received − 0\.00 given back; the orders say 10\.00$/mu);
    assert.match(well.output, /^The books are right$/mu);
    const again = await openFiles();
    await spoil(again, id);
    await again.close();
    const ill = await run(data);
    assert.equal(ill.code, 1, ill.output);
    assert.match(
      ill.output,
      new RegExp(`^order \\S+ \\(${id}\\): amountPaid is 1, by the ledger 1000$`, "mu"),
    );
    assert.match(ill.output, /^The books are wrong in one place$/mu);
  });

  it("says how it is called, and makes nothing where no shop is", async () => {
    const none = await run(data);
    assert.equal(none.code, 2);
    assert.match(none.output, /does not contain a shop\nUsage: npm run check-books/u);
    assert.deepEqual(await readdir(data), []);
    const away = await run("postgres://u:secret@127.0.0.1:1/x");
    assert.equal(away.code, 2);
    assert.match(away.output, /PostgreSQL cannot be reached/u);
    assert.doesNotMatch(away.output, /secret/u);
  });
});

describe("checkPlace", () => {
  it("refuses a folder that a shop works on", async () => {
    const store = await openFiles();
    await assert.rejects(checkPlace(data), { name: "StoreError", code: "store_unavailable" });
    await store.close();
  });

  describe("of a database", () => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await createTestDatabase();
    });
    afterEach(() => database.drop());

    it("checks it while a shop works on it", async () => {
      const store = await openPostgresStore({ ...SHOP, url: database.url });
      const id = await sell(store);
      assert.deepEqual((await checkPlace(database.url)).faults, []);
      await spoil(store, id);
      const { faults } = await checkPlace(database.url);
      assert.deepEqual(
        faults.map(({ orderId, field, recorded, expected }) => [orderId, field, recorded, expected]),
        [[id, "amountPaid", 1, 1_000]],
      );
      await store.close();
    });

    it("creates no tables in a database without a shop", async () => {
      await assert.rejects(checkPlace(database.url), /The database does not contain a shop/u);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      const { rows } = await client.query("select 1 from pg_tables where schemaname = 'public'");
      await client.end();
      assert.deepEqual(rows, []);
    });
  });
});

describe("describeReport", () => {
  it("shows the first faults and counts the rest", () => {
    const fault = { orderId: "ord_1", name: "N-1", field: "amountPaid", recorded: 1, expected: 2 } as const;
    const text = describeReport({
      orders: 60,
      applied: 0,
      sums: new Map(),
      giftCards: 0,
      faults: Array.from({ length: 60 }, () => fault),
    });
    const lines = text.split("\n");
    assert.equal(lines.filter((line) => line.startsWith("order N-1")).length, 50);
    assert.deepEqual(lines.slice(-2), ["and 10 more", "The books are wrong in 60 places"]);
  });
});
