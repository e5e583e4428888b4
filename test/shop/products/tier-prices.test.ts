/** Prices by quantity: who sets them, and what every place that prices an order makes of them. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestShop, ADMIN_TOKEN, createTestShop, read } from "../app-fixture.ts";
import { act, write } from "../draft-orders/draft-room.ts";
import { addProduct } from "../goods.ts";
import { type Placed, edit, load, openShop, place } from "../order-edits/edit-room.ts";
import { createShopBrowser } from "../pages/shop-browser.ts";

const PATH = "/api/admin/products";
const tiers = [
  { from: 10, price: 900 },
  { from: 50, price: 755 },
];

interface Errors {
  readonly errors: readonly { readonly pointer: string }[];
}
interface Shown {
  readonly id: string;
  readonly tierPrices?: unknown;
  readonly variants: readonly { readonly id: string; readonly tierPrices?: unknown }[];
}

describe("tierPrices", () => {
  let app: TestShop;
  beforeEach(async () => {
    app = await createTestShop();
  });

  async function refused(fields: object): Promise<readonly string[]> {
    const body = { title: "Mug", price: 1_000, ...fields };
    const answer = await read<Errors>(await app.admin("POST", PATH, body), 422);
    return answer.errors.map(({ pointer }) => pointer);
  }

  it("must rise in quantity and fall in price, within what an order may have", async () => {
    const tierPrices = [
      { from: 10, price: 900 },
      { from: 10, price: 900 },
    ];
    assert.deepEqual(await refused({ tierPrices }), ["/tierPrices/1/from", "/tierPrices/1/price"]);
    assert.deepEqual(await refused({ tierPrices: [{ from: 2, price: 1_000 }] }), ["/tierPrices/0/price"]);
    assert.deepEqual(await refused({ tierPrices: [{ from: 5, price: 9 }], minQuantity: 5 }), [
      "/tierPrices/0/from",
    ]);
    assert.deepEqual(await refused({ tierPrices: [{ from: 11, price: 9 }], maxQuantity: 10 }), [
      "/tierPrices/0/from",
    ]);
    const variants = [{ price: 1_000, options: { size: "L" } }];
    assert.deepEqual(await refused({ tierPrices: tiers, variants }), ["/tierPrices"]);
    const wrong = [{ price: 500, options: { size: "L" }, tierPrices: tiers }];
    assert.deepEqual(await refused({ variants: wrong }), ["/variants/0/tierPrices/0/price"]);
  });

  it("stay when they are left out, go with null, and with the first variant", async () => {
    const made = await read<Shown>(
      await app.admin("POST", PATH, { title: "Mug", price: 1_000, tierPrices: tiers }),
      201,
    );
    const path = `${PATH}/${made.id}`;
    assert.deepEqual((await read<Shown>(await app.admin("PATCH", path, { title: "Cup" }))).tierPrices, tiers);
    assert.equal((await app.admin("PATCH", path, { price: 800 })).status, 422);
    const cleared = await read<Shown>(await app.admin("PATCH", path, { price: 800, tierPrices: null }));
    assert.equal(cleared.tierPrices, undefined);
    await read(await app.admin("PATCH", path, { price: 1_000, tierPrices: tiers }));
    const variants = [{ sku: "L", price: 1_000, options: { size: "L" }, tierPrices: tiers }];
    const varied = await read<Shown>(await app.admin("PATCH", path, { variants }));
    assert.deepEqual([varied.tierPrices, varied.variants[0]?.tierPrices], [undefined, tiers]);
    const again = [{ sku: "L", price: 1_100, options: { size: "L" } }];
    const kept = await read<Shown>(await app.admin("PATCH", path, { variants: again }));
    assert.deepEqual(kept.variants[0]?.tierPrices, tiers);
  });

  it("travel as CSV in minor units and in decimals with a comma, and as NDJSON", async () => {
    const variants = [{ sku: "L", price: 1_000, options: { size: "L" }, tierPrices: tiers, onHand: 1 }];
    await read(await app.admin("POST", PATH, { title: "Shirt", slug: "shirt", variants }), 201);
    await read(
      await app.admin("POST", PATH, { title: "Mug", slug: "mug", price: 1_000, tierPrices: tiers }),
      201,
    );
    for (const query of [
      "format=csv",
      "format=csv&prices=decimal&separator=semicolon",
      "format=ndjson",
    ] as const) {
      const exported = await (await app.admin("GET", `${PATH}/export?${query}`)).text();
      if (query.includes("decimal")) assert.match(exported, /10=9,00\|50=7,55/u);
      const other = await createTestShop();
      const type = query.includes("ndjson") ? "application/x-ndjson" : "text/csv";
      const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": type };
      const report = await read<{ created: number; errors: unknown[] }>(
        await other.fetch(`${PATH}/import`, { method: "POST", headers, body: exported }),
      );
      assert.deepEqual([report.created, report.errors], [2, []], query);
      const { items } = await read<{ items: Shown[] }>(await other.admin("GET", PATH));
      const all = items.flatMap(({ tierPrices, variants: each }) => [tierPrices, each[0]?.tierPrices]);
      assert.deepEqual(
        all.filter((one) => one !== undefined),
        [tiers, tiers],
        query,
      );
    }
    const bad = "title,price,tierPricesDecimal\nMug,1000,10=nine\n";
    const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "text/csv" };
    const { lines } = await read<{ lines: { message: string }[] }>(
      await app.fetch(`${PATH}/import`, { method: "POST", headers, body: bad }),
      422,
    );
    assert.match(lines[0]?.message ?? "", /tierPricesDecimal: "nine" is not an amount in EUR/u);
  });
});

describe("an order with quantity prices", () => {
  it("counts units of a variant together in checkout, preview, draft, and cart, and shows a table", async () => {
    const app = await openShop();
    const inputs = [
      { key: "name", label: "Name", kind: "text" as const, required: false, options: [], maxLength: 9 },
    ];
    const { id: productId, slug } = await addProduct(app, { tierPrices: tiers, onHand: 999, inputs });
    const items = [
      { productId, quantity: 6, inputs: { name: "Ann" } },
      { productId, quantity: 4, inputs: { name: "Ben" } },
    ];
    const contact = { email: "ann@example.org" };
    type Sums = { total: number; lines: { unitPrice: number }[] };
    const shown = await read<Sums>(await app.send("POST", "/api/checkout/preview", { body: { items } }));
    assert.deepEqual([shown.total, shown.lines.map((line) => line.unitPrice)], [9_000, [900, 900]]);
    const { order } = await read<{ order: Sums }>(
      await app.send("POST", "/api/checkout", { body: { items, contact } }),
      201,
    );
    assert.deepEqual([order.total, order.lines[1]?.unitPrice], [9_000, 900]);
    const draft = await write(app, { items });
    assert.equal(draft.quoted?.total, 9_000);
    // A price that staff agreed holds for each quantity.
    const own = await write(app, {
      items: [{ productId, quantity: 60, unitPrice: 999, reason: "old offer" }],
    });
    assert.equal(own.quoted?.total, 59_940);
    const { open } = createShopBrowser(app);
    const page = (await open(`/p/${slug}`)).text;
    assert.ok(page.includes("From 50") && page.includes("€7.55 each"), page);
    await open("/cart", { productId, quantity: "50" });
    const cart = (await open("/cart")).text;
    assert.ok(cart.includes("€377.50") && !cart.includes("€500.00"), cart);
  });

  it("edits across a threshold at the prices of the order, not of today; delivered lines keep theirs", async () => {
    const app = await openShop();
    const product = await addProduct(app, { tierPrices: tiers, onHand: 999, deliveryType: "shipping" });
    const items = [{ productId: product.id, quantity: 9 }];
    const body = { items, contact: { email: "ann@example.org" }, shippingAddress: place };
    const placed = await read<Placed>(await app.send("POST", "/api/checkout", { body }), 201);
    const patch = { price: 2_000, tierPrices: [{ from: 10, price: 1_900 }] };
    await read(await app.admin("PATCH", `${PATH}/${product.id}`, patch));
    const [line = assert.fail()] = (await load(app, placed)).lines;
    const lines = [{ lineId: line.id, quantity: 10 }];
    const path = `/api/admin/orders/${placed.order.id}/edit-preview`;
    const shown = await read<{ total: number }>(await app.admin("POST", path, { lines }));
    assert.equal(shown.total, 10 * 900 + 590);
    await read(await edit(app, placed, { lines, expectedTotal: shown.total }));
    assert.equal((await load(app, placed)).lines[0]?.unitPrice, 900);
    const back = [{ lineId: line.id, quantity: 1 }];
    const less = await read<{ total: number }>(await app.admin("POST", path, { lines: back }));
    assert.equal(less.total, 1_000 + 590);
    // Staff set another price: later quantities keep it.
    const agreed = [{ lineId: line.id, quantity: 50, unitPrice: 850, reason: "agreed" }];
    await read(await edit(app, placed, { lines: agreed, expectedTotal: 50 * 850 + 590 }));
    const more = [{ lineId: line.id, quantity: 60 }];
    const last = await read<{ total: number }>(await app.admin("POST", path, { lines: more }));
    assert.equal(last.total, 60 * 850 + 590);
  });

  it("takes the tax out of each price for buyers who owe none", async () => {
    const app = await openShop({ destination: "buyer" });
    const product = await addProduct(app, { tierPrices: tiers, onHand: 99, deliveryType: "shipping" });
    const shippingAddress = { ...place, country: "CH", postalCode: "8001" };
    const items = [{ productId: product.id, quantity: 10 }];
    const body = { items, contact: { email: "ann@example.org" }, shippingAddress };
    const placed = await read<Placed>(await app.send("POST", "/api/checkout", { body }), 201);
    const [line = assert.fail()] = (await load(app, placed)).lines;
    assert.deepEqual([line.unitPrice, line.priceSteps?.map(({ price }) => price)], [750, [833, 750, 629]]);
    const draft = await write(app, { items, shippingAddress });
    await read(await act(app, draft, "mark-paid", { method: "cash" }), 201);
    assert.equal(draft.quoted?.total, placed.order.total);
  });
});
