import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { products } from "../../../src/shop/products/records.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { type Store, StoreError } from "../../../src/store/store.ts";
import { code, createTestShop, read } from "../app-fixture.ts";
import { addProduct } from "../catalogue/products.ts";

describe("GET /api/stats", () => {
  it("gives zeros and no date for an empty shop", async () => {
    const shop = await createTestShop();
    assert.deepEqual(await read(await shop.send("GET", "/api/stats")), {
      products: 0,
      inStock: 0,
      views: 0,
      soldUnits: 0,
      completedOrders: 0,
      since: null,
    });
  });

  it("counts published products, views and sold units as they are now", async () => {
    const shop = await createTestShop();
    await addProduct(shop.store, "a", { sold: 4 });
    await addProduct(shop.store, "b", { onHand: 0, sold: 3 });
    await addProduct(shop.store, "c", { status: "archived", sold: 2, createdAt: 86_400_000 });
    await shop.send("POST", "/api/products/a/view");
    await shop.shop.views.flush();
    const first = { products: 2, inStock: 1, views: 1, soldUnits: 9, completedOrders: 0 };
    const since = "1970-01-02T00:00:00.000+00:00";
    assert.deepEqual(await read(await shop.send("GET", "/api/stats")), { ...first, since });
    await shop.store.transact(async (tx) => tx.remove(products, "a"));
    const second = await read<{ products: number }>(await shop.send("GET", "/api/stats"));
    assert.equal(second.products, 1);
  });

  it("leaves out what the administrator hides", async () => {
    const shop = await createTestShop();
    await shop.setSite({ hiddenStats: ["views", "soldUnits", "completedOrders", "since"] });
    assert.deepEqual(await read(await shop.send("GET", "/api/stats")), { products: 0, inStock: 0 });
  });

  it("says so when the store cannot be read", async () => {
    const inner = createMemoryStore({ collections: shopCollections });
    let isAway = false;
    const read: Store["read"] = (work) =>
      isAway ? Promise.reject(new StoreError("store_unavailable", "away")) : inner.read(work);
    const shop = await createTestShop({
      store: { ...inner, transact: (work) => inner.transact(work), read },
    });
    isAway = true;
    assert.deepEqual(await code(await shop.send("GET", "/api/stats")), [503, "store_unavailable"]);
    // The catalogue lies in memory.
    assert.equal((await shop.send("GET", "/api/products")).status, 200);
  });
});
