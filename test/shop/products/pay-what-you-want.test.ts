/** Products whose buyers choose the price: bounds, what people type, free orders, tax and refunds. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import { type TestShop, ADMIN_TOKEN, createTestShop, read } from "../app-fixture.ts";
import { write } from "../draft-orders/draft-room.ts";
import { addProduct } from "../goods.ts";
import { type Placed, load, openShop, papers, pay } from "../order-edits/edit-room.ts";
import { createShopBrowser } from "../pages/shop-browser.ts";

const PATH = "/api/admin/products";
const contact = { email: "ann@example.org" };
const bounds = { minimum: 200, maximum: 5_000 };

interface Errors {
  readonly errors: readonly { readonly pointer: string; readonly code: string; readonly message: string }[];
}

function checkOut(app: TestShop, item: object): Promise<Response> {
  return app.send("POST", "/api/checkout", { body: { items: [item], contact } });
}

async function refused(app: TestShop, item: object): Promise<readonly string[]> {
  const { errors } = await read<Errors>(await checkOut(app, item), 422);
  return errors.flatMap(({ pointer, code, message }) => [pointer, code, message]);
}

describe("payWhatYouWant", () => {
  it("has the suggested price within its bounds, and no other kind of price beside it", async () => {
    const app = await createTestShop();
    const refuse = async (fields: object): Promise<string[]> => {
      const body = { title: "Song", payWhatYouWant: bounds, ...fields };
      return (await read<Errors>(await app.admin("POST", PATH, body), 422)).errors.map((one) => one.pointer);
    };
    assert.deepEqual(await refuse({ price: 199 }), ["/price"]);
    assert.deepEqual(await refuse({ price: 5_001 }), ["/price"]);
    assert.deepEqual(await refuse({ price: 500, payWhatYouWant: { minimum: 9, maximum: 8 } }), [
      "/payWhatYouWant/maximum",
    ]);
    assert.deepEqual(await refuse({ price: 500, compareAtPrice: 900 }), ["/compareAtPrice"]);
    assert.deepEqual(await refuse({ price: 500, tierPrices: [{ from: 2, price: 300 }] }), ["/tierPrices"]);
    const variants = [{ price: 100, options: { format: "mp3" }, compareAtPrice: 900 }];
    assert.deepEqual(await refuse({ variants }), ["/variants/0/price", "/variants/0/compareAtPrice"]);
    const body = { title: "Song", slug: "song", price: 500, payWhatYouWant: bounds };
    await read(await app.admin("POST", PATH, body), 201);
    await read(await app.admin("POST", PATH, { ...body, slug: "tip", payWhatYouWant: { minimum: 0 } }), 201);
    for (const query of ["format=csv", "format=csv&prices=decimal&separator=semicolon", "format=ndjson"]) {
      const exported = await (await app.admin("GET", `${PATH}/export?${query}`)).text();
      const other = await createTestShop();
      const type = query.includes("ndjson") ? "application/x-ndjson" : "text/csv";
      const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": type };
      await read(await other.fetch(`${PATH}/import`, { method: "POST", headers, body: exported }));
      const { items } = await read<{ items: ProductRecord[] }>(await other.admin("GET", PATH));
      const all = items.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)).map((one) => one.payWhatYouWant);
      assert.deepEqual(all, [bounds, { minimum: 0 }], query);
    }
  });

  it("is checked by the server; without a choice the suggested price counts", async () => {
    const app = await createTestShop();
    const { id: productId } = await addProduct(app, { price: 1_000, payWhatYouWant: bounds });
    const { id: fixed } = await addProduct(app, { price: 1_000 });
    assert.deepEqual(await refused(app, { productId, quantity: 1, unitPrice: 199 }), [
      ...["/items/0/unitPrice", "price_too_low", "must be at least 2.00 EUR"],
    ]);
    assert.deepEqual(await refused(app, { productId, quantity: 1, unitPrice: 5_001 }), [
      ...["/items/0/unitPrice", "price_too_high", "must be at most 50.00 EUR"],
    ]);
    assert.deepEqual(await refused(app, { productId: fixed, quantity: 1, unitPrice: 1_000 }), [
      ...["/items/0/unitPrice", "fixed_price"],
      "is not allowed: the price of this product is fixed",
    ]);
    assert.equal((await checkOut(app, { productId, quantity: 1, unitPrice: -1 })).status, 422);
    const suggested = await read<Placed>(await checkOut(app, { productId, quantity: 2 }), 201);
    assert.equal(suggested.order.total, 2_000);
    const chosen = await read<Placed>(await checkOut(app, { productId, quantity: 3, unitPrice: 250 }), 201);
    assert.equal(chosen.order.total, 750);
    const draft = await write(app, { items: [{ productId, quantity: 1 }] });
    assert.equal(draft.quoted?.total, 1_000);
  });

  it("of 0 is a free order, delivered without a payment", async () => {
    const app = await createTestShop();
    await app.setSite({ freeGuestOrders: true });
    const { id: productId } = await addProduct(app, { payWhatYouWant: { minimum: 0 }, keys: ["KEY-1"] });
    const body = {
      items: [{ productId, quantity: 1, unitPrice: 0 }],
      contact,
      consents: { digitalContent: true },
    };
    const { order, payment } = await read<{
      order: { total: number; status: string; lines: { delivered?: string[] }[] };
      payment?: unknown;
    }>(await app.send("POST", "/api/checkout", { body }), 201);
    assert.deepEqual([order.total, order.status, payment], [0, "delivered", undefined]);
    assert.deepEqual(order.lines[0]?.delivered, ["KEY-1"]);
  });

  it("is taxed as any other price, and refunded by its line", async () => {
    const app = await openShop();
    const { id: productId } = await addProduct(app, { payWhatYouWant: bounds, taxClass: "reduced" });
    const other = await addProduct(app, { price: 1_200 });
    const items = [
      { productId, quantity: 3, unitPrice: 333 },
      { productId: other.id, quantity: 1 },
    ];
    const placed = await read<Placed>(
      await app.send("POST", "/api/checkout", { body: { items, contact } }),
      201,
    );
    await pay(app, placed);
    const [line = assert.fail()] = (await load(app, placed)).lines;
    assert.deepEqual([line.total, line.tax, line.taxRate], [999, 52, 550]);
    const lines = [{ lineId: line.id, quantity: 1 }];
    app.clock.advance(1_000);
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/refund`, { lines }));
    const credit = (await papers(app, placed)).at(-1);
    assert.deepEqual([credit?.kind, credit?.total], ["credit_note", 333]);
    assert.deepEqual(
      credit?.tax?.rates.filter(({ gross }) => gross > 0).map(({ rate }) => rate),
      [550],
    );
  });
});

describe("the pages of a product with payWhatYouWant", () => {
  it("take prices as people write them, and say which one is too low", async () => {
    const app = await createTestShop();
    const { id, slug } = await addProduct(app, { price: 1_000, payWhatYouWant: bounds });
    const { open, cookies } = createShopBrowser(app);
    const page = (await open(`/p/${slug}`)).text;
    assert.ok(page.includes("From €2.00") && page.includes('name="price"') && page.includes('value="10.00"'));
    assert.ok(page.includes("Pay what you want, from €2.00 to €50.00"), page);
    assert.ok((await open("/search?q=mug")).text.includes("From €2.00"));
    for (const [typed, text] of [
      ["1,99", "The lowest price is €2.00."],
      ["51", "The highest price is €50.00."],
      ["five", "Enter a price such as 5.50."],
      ["1.234", "Enter a price such as 5.50."],
      ["", "Enter a price such as 5.50."],
    ] as const) {
      await open(`/p/${slug}`);
      const wrong = await open("/cart", { productId: id, quantity: "1", price: typed });
      assert.ok(wrong.status === 422 && wrong.text.includes(text), `${typed}: ${wrong.text}`);
    }
    await open(`/p/${slug}`);
    const { text } = await open("/cart", { productId: id, quantity: "2", price: "5,50 €" });
    assert.ok(text.includes("€11.00") && text.includes('value="5.50"'), text);
    assert.equal(cookies.get("__Host-trivet_cart"), `${id}..2.550`);
    const changed = await open("/cart/change", { [`q-${id}.`]: "1", [`p-${id}.`]: "20" });
    assert.ok(changed.text.includes("€20.00"), changed.text);
    const wrong = await open("/cart/change", { [`q-${id}.`]: "1", [`p-${id}.`]: "1" });
    assert.ok(wrong.status === 422 && wrong.text.includes('value="1"'), wrong.text);
    const checkout = (await open("/checkout")).text;
    assert.ok(checkout.includes("€20.00") && checkout.includes(`${id}..1.2000`), checkout);
    await app.setSite({ guestCheckout: true });
    const fields = { "contact.email": "ann@example.org", expectedTotal: "2000", do: "order" };
    const sent = await open("/checkout", fields);
    assert.ok(sent.path.startsWith("/orders/") && sent.text.includes("€20.00"), sent.text);
  });

  it("follow when bounds change, and when the price becomes fixed", async () => {
    const app = await createTestShop();
    const { id, slug } = await addProduct(app, { price: 1_000, payWhatYouWant: bounds });
    const { open } = createShopBrowser(app);
    await open(`/p/${slug}`);
    await open("/cart", { productId: id, quantity: "1", price: "3" });
    await read(await app.admin("PATCH", `${PATH}/${id}`, { payWhatYouWant: { minimum: 400 } }));
    assert.ok((await open("/cart")).text.includes("€4.00"));
    await read(await app.admin("PATCH", `${PATH}/${id}`, { payWhatYouWant: null }));
    const { text } = await open("/cart");
    assert.ok(text.includes("€10.00") && text.includes('href="/checkout"'), text);
    assert.ok((await open("/checkout")).text.includes("€10.00"));
  });
});
