import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { type Catalogue, createCatalogue } from "../../../src/shop/catalogue/catalogue.ts";
import { catalogueChanges } from "../../../src/shop/catalogue/records.ts";
import { views, products, stock } from "../../../src/shop/products/records.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { readSettings, replaceSettings } from "../../../src/shop/site/settings.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { withTestKey } from "../../support/audited-store.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { addProduct, changeProduct } from "./products.ts";

interface Process {
  readonly catalogue: Catalogue;
  readonly store: Store;
  titles(): string[];
}

/** A process on a store that others may work on too. */
async function start(inner: Store, clock: FixedClock, isShared: boolean): Promise<Process> {
  const catalogue = createCatalogue({ store: inner, clock, log: silentLog, isShared });
  await catalogue.load();
  const page = (): ReturnType<Catalogue["list"]> => catalogue.list({}, { sort: "title", limit: 100 });
  return {
    catalogue,
    store: catalogue.store,
    titles: () => page().items.map(({ product, totalAvailable }) => `${product.title}:${totalAvailable}`),
  };
}

async function startOne(): Promise<Process & { clock: FixedClock; inner: Store }> {
  const clock = createFixedClock();
  const inner = createMemoryStore({ collections: shopCollections, forceReruns: true });
  return { ...(await start(inner, clock, false)), clock, inner };
}

async function startTwo(): Promise<{ one: Process; two: Process; inner: Store; clock: FixedClock }> {
  const clock = createFixedClock();
  const inner = createMemoryStore({ collections: shopCollections });
  return { one: await start(inner, clock, true), two: await start(inner, clock, true), inner, clock };
}

const setLanguages = (store: Store, clock: FixedClock, languages: string[]): Promise<unknown> =>
  withTestKey(store).transact(async (tx) => {
    const { fields } = await readSettings(tx, "site");
    const actor = { name: "test", clientId: "test", requestId: "test" };
    return replaceSettings(tx, { group: "site", fields: { ...fields, languages }, actor, clock });
  });

describe("createCatalogue", () => {
  it("follows each commit before its transact resolves", async () => {
    const { store, titles, catalogue, inner } = await startOne();
    await addProduct(store, "a", { title: "A" });
    assert.deepEqual(titles(), ["A:10"]);
    await store.transact(async (tx) => tx.adjust(stock, "a", { field: "reserved", by: 4 }));
    assert.deepEqual(titles(), ["A:6"]);
    await changeProduct(store, "a", { title: "B", slug: "bee" });
    assert.equal(catalogue.find("bee")?.product.title, "B");
    assert.equal(catalogue.find("slug-a"), undefined);
    await store.transact(async (tx) => tx.remove(products, "a"));
    assert.deepEqual(titles(), []);
    assert.equal(await inner.read(async (tx) => tx.count(catalogueChanges)), 0);
  });

  it("shows published products alone, and again what was published again", async () => {
    const { store, titles, catalogue } = await startOne();
    await addProduct(store, "a", { title: "A", status: "draft" });
    assert.deepEqual(titles(), []);
    assert.equal(catalogue.find("a"), undefined);
    await changeProduct(store, "a", { status: "published" });
    assert.deepEqual(titles(), ["A:10"]);
    await changeProduct(store, "a", { status: "archived" });
    assert.deepEqual(titles(), []);
    assert.deepEqual(catalogue.counts(), { products: 0, inStock: 0, views: 0, soldUnits: 0 });
  });

  it("lets a product take the word of another in one commit", async () => {
    const { store, catalogue } = await startOne();
    await addProduct(store, "a", { slug: "mug" });
    await addProduct(store, "b", { slug: "other" });
    await store.transact(async (tx) => {
      const [a, b] = [await tx.get(products, "a"), await tx.get(products, "b")];
      assert.ok(a !== undefined && b !== undefined);
      await tx.put(products, { ...a, slug: "old-mug" });
      await tx.put(products, { ...b, slug: "mug" });
    });
    assert.equal(catalogue.find("mug")?.product.id, "b");
    assert.equal(catalogue.find("old-mug")?.product.id, "a");
  });

  it("counts what the variants have together, and knows unlimited stock", async () => {
    const { store, catalogue } = await startOne();
    const variants = ["x", "y"].map((id, index) => ({ id, sku: id, options: {}, price: 500 - index }));
    await addProduct(store, "a", { variants, onHand: 2, sold: 1, minQuantity: 5 });
    await addProduct(store, "b", { stockMode: "unlimited", onHand: 0 });
    const [a, b] = [catalogue.find("a"), catalogue.find("b")];
    assert.deepEqual([a?.price, a?.totalAvailable, a?.isInStock, a?.sold], [499, 4, false, 2]);
    assert.deepEqual([b?.totalAvailable, b?.isInStock], [Infinity, true]);
    assert.deepEqual(catalogue.counts(), { products: 2, inStock: 1, views: 0, soldUnits: 2 });
  });

  it("takes over settings with the commit that changes them", async () => {
    const { store, clock, catalogue } = await startOne();
    await setLanguages(store, clock, ["de", "en"]);
    assert.deepEqual(catalogue.site().languages, ["de", "en"]);
  });

  it("reads everything at a start", async () => {
    const { store, inner, clock } = await startOne();
    await addProduct(store, "a", { title: "A", sold: 3 });
    await store.transact(async (tx) => tx.insert(views, { id: "a", views: 7 }));
    await setLanguages(store, clock, ["fr"]);
    const again = await start(inner, clock, false);
    assert.deepEqual(again.titles(), ["A:10"]);
    assert.deepEqual(again.catalogue.counts(), { products: 1, inStock: 1, views: 7, soldUnits: 3 });
    assert.deepEqual(again.catalogue.site().languages, ["fr"]);
  });
});

describe("createCatalogue on a store that processes share", () => {
  it("takes over what another process changed, at its next look", async () => {
    const { one, two, clock } = await startTwo();
    await addProduct(one.store, "a", { title: "A" });
    await setLanguages(one.store, clock, ["de"]);
    assert.deepEqual(two.titles(), []);
    await two.catalogue.follow();
    assert.deepEqual(two.titles(), ["A:10"]);
    assert.deepEqual(two.catalogue.site().languages, ["de"]);
    clock.advance(1_000);
    await two.store.transact(async (tx) => tx.adjust(stock, "a", { field: "reserved", by: 1 }));
    await changeProduct(one.store, "a", { title: "B" });
    await one.catalogue.follow();
    await two.catalogue.follow();
    assert.deepEqual(one.titles(), ["B:9"]);
    assert.deepEqual(two.titles(), ["B:9"]);
    await one.store.transact(async (tx) => {
      await tx.remove(products, "a");
      await tx.remove(stock, "a");
    });
    await two.catalogue.follow();
    assert.deepEqual(two.titles(), []);
    assert.deepEqual(two.catalogue.counts().soldUnits, 0);
  });

  it("finds word that was left late, or by a clock that is behind", async () => {
    const { one, two, inner, clock } = await startTwo();
    await addProduct(one.store, "a", { title: "A" });
    clock.advance(60_000);
    await two.catalogue.follow();
    // A change that no observer saw, told by a clock that is 20 s behind.
    await changeProduct(inner, "a", { title: "Late" });
    const at = clock.now() - 20_000;
    await inner.transact(async (tx) => tx.insert(catalogueChanges, { id: "late", productId: "a", at }));
    clock.advance(1_000);
    await two.catalogue.follow();
    assert.deepEqual(two.titles(), ["Late:10"]);
  });

  it("keeps word of changes until they were taken over, when the store is away in between", async () => {
    const { one, clock, inner } = await startTwo();
    let isAway = false;
    const flaky: Store = {
      ...inner,
      transact: (work) => inner.transact(work),
      read: (work) => (isAway ? Promise.reject(new Error("away")) : inner.read(work)),
    };
    const two = await start(flaky, clock, true);
    await addProduct(one.store, "a", { title: "A" });
    isAway = true;
    await assert.rejects(two.catalogue.follow(), /away/u);
    assert.deepEqual(two.titles(), []);
    clock.advance(90_000);
    isAway = false;
    await two.catalogue.follow();
    assert.deepEqual(two.titles(), ["A:10"]);
  });

  it("reads everything when it did not look for so long that word may be gone", async () => {
    const { one, two, clock } = await startTwo();
    await addProduct(one.store, "a", { title: "A" });
    clock.advance(20 * 60_000);
    await one.catalogue.sweep();
    await two.catalogue.follow();
    assert.deepEqual(two.titles(), ["A:10"]);
  });

  it("sweeps word that is old, and nothing else", async () => {
    const { one, inner, clock } = await startTwo();
    await addProduct(one.store, "a");
    clock.advance(16 * 60_000);
    await addProduct(one.store, "b");
    await one.catalogue.sweep();
    const { items } = await inner.read(async (tx) => tx.list(catalogueChanges, "byAt", { limit: 10 }));
    assert.deepEqual([...new Set(items.map(({ productId }) => productId))], ["b"]);
  });

  it("leaves no word when the transaction fails", async () => {
    const { one, inner } = await startTwo();
    await addProduct(one.store, "a", { onHand: 1 });
    const before = await inner.read(async (tx) => tx.count(catalogueChanges));
    await assert.rejects(
      one.store.transact(async (tx) => {
        await tx.adjust(stock, "a", { field: "reserved", by: 1 });
        throw new Error("no");
      }),
    );
    assert.equal(await inner.read(async (tx) => tx.count(catalogueChanges)), before);
    assert.deepEqual(one.titles(), ["Product a:1"]);
  });
});
