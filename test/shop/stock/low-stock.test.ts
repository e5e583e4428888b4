import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";

interface Row {
  readonly productId: string;
  readonly variantId?: string;
  readonly threshold: number;
  readonly isLow: boolean;
  readonly available?: number;
}

let shop: TestShop;

async function list(query = ""): Promise<{ items: Row[]; nextCursor?: string }> {
  return read(await shop.admin("GET", `/api/admin/stock${query}`));
}

const ids = ({ items }: { items: Row[] }): string[] => items.map((row) => row.variantId ?? row.productId);

/** Orders units and marks the order as paid. */
async function sell(productId: string, quantity: number, variantId?: string): Promise<void> {
  const items = [{ productId, quantity, variantId }];
  const body = { items, contact: { email: "ann@example.org" } };
  const { order } = await read<{ order: { id: string } }>(
    await shop.send("POST", "/api/checkout", { body, headers: { "idempotency-key": crypto.randomUUID() } }),
    201,
  );
  await read(await shop.admin("POST", `/api/admin/orders/${order.id}/mark-paid`, { note: "Cash" }));
}

/** First lines of the mails about few units, the newest first. */
async function subjects(): Promise<string[]> {
  const mails = await shop.mails("owner@example.org");
  return mails.filter(({ kind }) => kind === "low_stock").map(({ subject }) => subject);
}

beforeEach(async () => {
  shop = await createTestShop();
  await setProvider(shop);
  await shop.setSmtp({ adminAddress: "owner@example.org" });
});

describe("GET /api/admin/stock", () => {
  it("is for administrators alone", async () => {
    assert.deepEqual(await code(await shop.send("GET", "/api/admin/stock")), [401, "unauthenticated"]);
  });

  it("shows what is low, by the site's number or the product's own, the fewest first", async () => {
    const price = { sku: "", options: {}, price: 5 };
    await addProduct(shop, { id: "six", onHand: 6 });
    await addProduct(shop, { id: "none", onHand: 0 });
    await addProduct(shop, { id: "own", onHand: 50, lowStockThreshold: 50, status: "draft" });
    await addProduct(shop, { id: "few", onHand: 3, lowStockThreshold: 2 });
    await addProduct(shop, { id: "gone", onHand: 0, status: "archived" });
    await addProduct(shop, { id: "endless", onHand: 0, stockMode: "unlimited" });
    await addProduct(shop, { id: "two", onHand: 5, variants: [{ ...price, id: "var_a" }] });
    assert.deepEqual(ids(await list("?low=true")), ["none", "var_a", "own"]);
    assert.deepEqual(ids(await list()), ["none", "few", "var_a", "six", "own", "endless"]);
    const { items } = await list("?low=true");
    assert.deepEqual([items[2]?.threshold, items[2]?.isLow, items[2]?.available], [50, true, 50]);
  });

  it("finds one product, and what has a word in its name or SKU", async () => {
    const price = { options: {}, price: 5 };
    await addProduct(shop, { id: "mug", title: "Red mug", sku: "M-1" });
    const variants = ["S-1", "S-2"].map((sku) => ({ ...price, sku, id: `var_${sku}` }));
    await addProduct(shop, { id: "shirt", title: "Shirt", variants });
    assert.deepEqual(ids(await list("?productId=shirt")), ["var_S-1", "var_S-2"]);
    assert.deepEqual(ids(await list("?q=RED")), ["mug"]);
    assert.deepEqual(ids(await list("?q=s-2")), ["var_S-2"]);
    assert.deepEqual(ids(await list("?q=nothing")), []);
  });

  it("pages", async () => {
    for (let n = 0; n < 5; n += 1) await addProduct(shop, { id: `p${n}`, onHand: n % 2 });
    const first = await list("?limit=3");
    assert.deepEqual(ids(first), ["p0", "p2", "p4"]);
    const rest = await list(`?limit=3&cursor=${first.nextCursor}`);
    assert.deepEqual([ids(rest), rest.nextCursor], [["p1", "p3"], undefined]);
    assert.deepEqual(await code(await shop.admin("GET", "/api/admin/stock?cursor=x")), [400, "bad_request"]);
  });
});

describe("the mail about few units", () => {
  it("goes once when they fall to the threshold, and again after a restock", async () => {
    await addProduct(shop, { id: "mug", title: "Mug", sku: "M", onHand: 8 });
    await sell("mug", 2);
    assert.deepEqual(await subjects(), []);
    await sell("mug", 1);
    assert.deepEqual(await subjects(), ["Trivet shop: low stock: Mug, M: 5 left"]);
    await sell("mug", 1);
    assert.equal((await subjects()).length, 1);
    await read(await shop.admin("POST", "/api/admin/products/mug/stock", { onHand: 6, reason: "Delivery" }));
    await read(await shop.admin("POST", "/api/admin/products/mug/stock", { onHand: 0, reason: "Broken" }));
    assert.deepEqual(await subjects(), [
      "Trivet shop: low stock: Mug, M: none left",
      "Trivet shop: low stock: Mug, M: 5 left",
    ]);
  });

  it("goes by the product's own number, and not when it is switched off", async () => {
    const variants = [{ id: "var_l", sku: "L", options: { size: "L" }, price: 5 }];
    await addProduct(shop, { id: "cap", title: "Cap", variants, onHand: 3, lowStockThreshold: 2 });
    await addProduct(shop, { id: "mug", onHand: 6 });
    await sell("cap", 1);
    assert.deepEqual(await subjects(), ["Trivet shop: low stock: Cap (L), L: 2 left"]);
    const notify = (await read<{ notify: object }>(await shop.admin("GET", "/api/admin/smtp"))).notify;
    await read(await shop.admin("PATCH", "/api/admin/smtp", { notify: { ...notify, low_stock: false } }));
    await sell("mug", 3);
    // Those that waited went with the switch.
    assert.deepEqual(await subjects(), []);
  });
});
