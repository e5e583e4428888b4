/** What products have cost: kept with each change, shown to administrators, and beside reductions. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { prices } from "../../../src/shop/prices/records.ts";
import { products } from "../../../src/shop/products/records.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";

const DAY = 86_400_000;
let app: TestShop;

beforeEach(async () => {
  app = await createTestShop();
});

interface Item {
  id: string;
  lowestPrice30Days?: number;
  variants: { id: string; lowestPrice30Days?: number }[];
}

const show = async (id: string): Promise<Item> => read(await app.send("GET", `/api/products/${id}`));
const make = async (fields: object): Promise<Item> =>
  read(await app.admin("POST", "/api/admin/products", { title: "Mug", status: "published", ...fields }), 201);
const change = async (id: string, fields: object): Promise<void> => {
  await read(await app.admin("PATCH", `/api/admin/products/${id}`, fields));
};
const history = async (id: string): Promise<(number | undefined)[][]> => {
  const { items } = await read<{ items: { points: { price?: number }[] }[] }>(
    await app.admin("GET", `/api/admin/products/${id}/prices`),
  );
  return items.map(({ points }) => points.map(({ price }) => price));
};

describe("the history of prices", () => {
  it("has each price of each variant, from when it was on sale", async () => {
    const variants = [
      { sku: "S", price: 500 },
      { sku: "L", price: 700 },
    ];
    const { id } = await make({ variants, status: "draft" });
    app.clock.advance(DAY);
    await change(id, { status: "published" });
    app.clock.advance(DAY);
    await change(id, { variants: [{ sku: "S", price: 400 }, variants[1]] });
    await change(id, { title: "Cup" });
    assert.deepEqual(await history(id), [
      [undefined, 500, 400],
      [undefined, 700],
    ]);
    await change(id, { variants: [{ sku: "S", price: 400 }] });
    assert.equal((await history(id)).length, 1);
    await app.admin("DELETE", `/api/admin/products/${id}`);
    assert.equal(await app.store.read((tx) => tx.count(prices, "byProduct", {})), 0);
  });

  it("is part of the change: what is refused leaves none", async () => {
    const { id } = await make({ price: 500 });
    const taken = await make({ price: 1, slug: "cup" });
    const answer = await app.admin("PATCH", `/api/admin/products/${id}`, { price: 400, slug: "cup" });
    assert.deepEqual(await code(answer), [409, "already_exists"]);
    assert.deepEqual(await history(id), [[500]]);
    assert.deepEqual(await history(taken.id), [[1]]);
  });

  it("begins with what is known of a product from before, and again in another currency", async () => {
    const { id } = await addProduct(app, { price: 900 });
    app.clock.advance(10 * DAY);
    await change(id, { price: 700, compareAtPrice: 900 });
    assert.deepEqual(await history(id), [[900, 700]]);
    assert.equal((await show(id)).lowestPrice30Days, 900);
    await app.store.transact(async (tx) => {
      const record = await tx.get(prices, id);
      assert.ok(record);
      await tx.put(prices, { ...record, currency: "USD" });
    });
    app.clock.advance(DAY);
    await change(id, { price: 600 });
    assert.deepEqual(await history(id), [[700, 600]]);
  });

  it("answers only administrators, and 404 for an unknown product", async () => {
    assert.equal((await app.send("GET", "/api/admin/products/x/prices")).status, 401);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/products/x/prices")), [404, "not_found"]);
  });
});

describe("the catalogue", () => {
  it("shows the lowest price of 30 days beside one that is struck through, where EU law is on", async () => {
    const variants = [
      { sku: "L", price: 900 },
      { sku: "S", price: 800 },
    ];
    const { id } = await make({ variants });
    assert.equal((await show(id)).lowestPrice30Days, undefined);
    app.clock.advance(40 * DAY);
    await change(id, {
      variants: [
        { sku: "L", price: 700 },
        { sku: "S", price: 600 },
      ],
      compareAtPrice: 1_000,
    });
    const shown = await show(id);
    assert.equal(shown.lowestPrice30Days, 800);
    assert.deepEqual(
      shown.variants.map((variant) => variant.lowestPrice30Days),
      [900, 800],
    );
    const { items } = await read<{ items: Item[] }>(await app.send("GET", "/api/products"));
    assert.equal(items[0]?.lowestPrice30Days, 800);
    await app.shop.catalogue.load();
    assert.equal((await show(id)).lowestPrice30Days, 800);
    await read(await app.admin("PATCH", "/api/admin/site", { eu: { mode: "off" } }));
    assert.equal((await show(id)).lowestPrice30Days, undefined);
  });

  it("shows its own price for one of which nothing is known", async () => {
    const { id } = await addProduct(app, { price: 700, compareAtPrice: 900 });
    assert.equal((await show(id)).lowestPrice30Days, 700);
    assert.ok(await app.store.read((tx) => tx.get(products, id)));
  });

  it("follows what another process changed", async () => {
    const { id } = await make({ price: 900 });
    app.clock.advance(DAY);
    const other = await createTestShop({ store: app.store, clock: app.clock });
    await read(await other.admin("PATCH", `/api/admin/products/${id}`, { price: 500, compareAtPrice: 900 }));
    await app.shop.catalogue.changed([id]);
    assert.equal((await show(id)).lowestPrice30Days, 900);
  });
});
