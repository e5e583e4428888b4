import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { views as viewRecords } from "../../../src/shop/products/records.ts";
import { type Views, createViews } from "../../../src/shop/catalogue/page-view-counts.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { addProduct } from "./products.ts";

async function start(): Promise<{
  views: Views;
  store: Store;
  clock: FixedClock;
  stored(): Promise<number>;
}> {
  const clock = createFixedClock();
  const store = createMemoryStore({ collections: shopCollections, forceReruns: true });
  await addProduct(store, "a");
  return {
    views: createViews({ store, clock }),
    store,
    clock,
    stored: async () => (await store.read(async (tx) => tx.get(viewRecords, "a")))?.views ?? 0,
  };
}

const visitor = (
  clientAddress: string,
  userAgent = "Browser",
): { clientAddress: string; userAgent: string } => ({
  clientAddress,
  userAgent,
});

describe("createViews", () => {
  it("counts a visitor once a product in half an hour, by address and program", async () => {
    const { views, clock } = await start();
    assert.equal(views.count("a", visitor("192.0.2.1")), true);
    assert.equal(views.count("a", visitor("192.0.2.1")), false);
    assert.equal(views.count("b", visitor("192.0.2.1")), true);
    assert.equal(views.count("a", visitor("192.0.2.1", "Other")), true);
    assert.equal(views.count("a", visitor("192.0.2.2")), true);
    clock.advance(1_799_000);
    assert.equal(views.count("a", visitor("192.0.2.1")), false);
    clock.advance(1_000);
    assert.equal(views.count("a", visitor("192.0.2.1")), true);
    assert.equal(views.pending("a"), 4);
  });

  it("takes all addresses of an IPv6 customer for one visitor", async () => {
    const { views } = await start();
    assert.equal(views.count("a", visitor("2001:db8::1")), true);
    assert.equal(views.count("a", visitor("2001:db8::2")), false);
  });

  it("does not count an address that calls itself something else each time without end", async () => {
    const { views, clock } = await start();
    const count = (): number =>
      Array.from({ length: 200 }, (_, n) =>
        views.count("a", visitor("192.0.2.1", `${clock.now()} ${n}`)),
      ).filter(Boolean).length;
    assert.equal(count(), 60);
    clock.advance(120_000);
    assert.equal(count(), 60);
  });

  it("is not moved by a wall clock that jumps", async () => {
    const { views, clock } = await start();
    views.count("a", visitor("192.0.2.1"));
    clock.jump(10 * 365 * 86_400_000);
    assert.equal(views.count("a", visitor("192.0.2.1")), false);
  });

  it("stores what was counted, once", async () => {
    const { views, stored } = await start();
    views.count("a", visitor("192.0.2.1"));
    views.count("a", visitor("192.0.2.2"));
    await views.flush();
    await views.flush();
    assert.equal(await stored(), 2);
    views.count("a", visitor("192.0.2.3"));
    await views.flush();
    assert.equal(await stored(), 3);
    assert.equal(views.pending("a"), 0);
  });

  it("keeps counts for the next time when they cannot be stored", async () => {
    const { store, clock, stored } = await start();
    let isFull = true;
    const transact: Store["transact"] = (work) =>
      isFull ? Promise.reject(new Error("full")) : store.transact(work);
    const views = createViews({ store: { ...store, transact }, clock });
    views.count("a", visitor("192.0.2.1"));
    await assert.rejects(views.flush(), /full/u);
    views.count("a", visitor("192.0.2.2"));
    isFull = false;
    await views.flush();
    assert.equal(await stored(), 2);
  });

  it("leaves nothing behind for a product that is gone", async () => {
    const { views, store } = await start();
    views.count("gone", visitor("192.0.2.1"));
    await views.flush();
    assert.equal(await store.read(async (tx) => tx.count(viewRecords)), 0);
    assert.equal(views.pending("gone"), 0);
  });
});
