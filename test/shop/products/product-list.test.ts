import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { png } from "../../auth/pictures.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { type TestShop, ADMIN_TOKEN, code, createTestShop, read } from "../app-fixture.ts";
import { setProvider } from "../goods.ts";

interface Product {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly slug: string;
  readonly categoryId?: string;
  readonly images: readonly { readonly hash: string }[];
  readonly variants: readonly { readonly id: string; readonly imageHash?: string; weightGrams?: number }[];
  readonly stock: { readonly onHand: number };
}
interface Page {
  readonly items: readonly Product[];
  readonly nextCursor?: string;
}

const PATH = "/api/admin/products";
let shop: TestShop;

beforeEach(async () => {
  shop = await createTestShop();
});

async function create(fields: object): Promise<Product> {
  shop.clock.advance(1_000);
  return read<Product>(await shop.admin("POST", PATH, { price: 500, ...fields }), 201);
}

async function titles(query: string): Promise<string[]> {
  const page = await read<Page>(await shop.admin("GET", `${PATH}?${query}`));
  return page.items.map(({ title }) => title);
}

async function addPicture(id: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "image/png" };
  const added = await shop.fetch(`${PATH}/${id}/images`, { method: "POST", headers, body: bytes });
  assert.equal(added.status, 201);
}

describe("filters and orders of GET /api/admin/products", () => {
  it("finds by category with those below it, by none, by delivery and by units", async () => {
    for (const fields of [
      { id: "kitchen", title: "Kitchen" },
      { id: "mugs", title: "Mugs", parentId: "kitchen" },
    ])
      await read(await shop.admin("POST", "/api/admin/categories", fields), 201);
    await read(await shop.admin("PATCH", "/api/admin/categories/mugs", { status: "hidden" }));
    await create({ title: "Mug", categoryId: "mugs", onHand: 100 });
    await create({ title: "Pan", categoryId: "kitchen", onHand: 5, deliveryType: "shipping" });
    await create({ title: "Guide", deliveryType: "files" });
    await create({ title: "Key", deliveryType: "auto_secret" });
    await create({ title: "Pen", onHand: 20, lowStockThreshold: 30 });
    assert.deepEqual(await titles("categoryId=kitchen"), ["Pan", "Mug"]);
    assert.deepEqual(await titles("categoryId=-"), ["Pen", "Key", "Guide"]);
    assert.deepEqual(await titles("deliveryType=shipping"), ["Pan"]);
    assert.deepEqual(await titles("stock=low"), ["Pen", "Key", "Pan"]);
    assert.deepEqual(await titles("stock=out"), ["Key"]);
    assert.deepEqual(await titles("stock=low&categoryId=kitchen&q=pan"), ["Pan"]);
  });

  it("orders by title, price, units and change, and goes on where a page ended", async () => {
    const mug = await create({ title: "Mug", price: 900, onHand: 3 });
    await create({ title: "ape", price: 700, onHand: 9 });
    await create({ title: "Zebra", price: 800, stockMode: "unlimited" });
    assert.deepEqual(await titles("sort=title"), ["ape", "Mug", "Zebra"]);
    assert.deepEqual(await titles("sort=-title"), ["Zebra", "Mug", "ape"]);
    assert.deepEqual(await titles("sort=price"), ["ape", "Zebra", "Mug"]);
    assert.deepEqual(await titles("sort=-price"), ["Mug", "Zebra", "ape"]);
    assert.deepEqual(await titles("sort=stock"), ["Mug", "ape", "Zebra"]);
    assert.deepEqual(await titles(`ids=${mug.id},prd_gone`), ["Mug"]);
    shop.clock.advance(1_000);
    await shop.admin("PATCH", `${PATH}/${mug.id}`, { summary: "Holds 0.3 l" });
    assert.deepEqual(await titles("sort=updated"), ["Mug", "Zebra", "ape"]);
    const first = await read<Page>(await shop.admin("GET", `${PATH}?sort=price&limit=2`));
    const rest = await read<Page>(
      await shop.admin("GET", `${PATH}?sort=price&limit=2&cursor=${first.nextCursor}`),
    );
    assert.deepEqual(
      rest.items.map(({ title }) => title),
      ["Mug"],
    );
    assert.equal(rest.nextCursor, undefined);
    const other = await shop.admin("GET", `${PATH}?sort=title&cursor=${first.nextCursor}`);
    assert.deepEqual(await code(other), [400, "bad_request"]);
  });
});

describe("POST /api/admin/products/bulk", () => {
  it("changes each by itself, and says what refused one", async () => {
    await read(await shop.admin("POST", "/api/admin/categories", { id: "mugs", title: "Mugs" }), 201);
    const [one, two] = [await create({ title: "One" }), await create({ title: "Two" })];
    const send = async (body: object): Promise<unknown[]> => {
      const { items } = await read<{ items: unknown[] }>(await shop.admin("POST", `${PATH}/bulk`, body));
      return items;
    };
    const ids = [one.id, "prd_gone", two.id];
    const done = [one.id, two.id].map((id) => ({ id, result: "done" }));
    const published = await send({ action: "publish", ids });
    assert.deepEqual([published[0], published[2]], done);
    assert.deepEqual(published[1], {
      id: "prd_gone",
      result: "refused",
      code: "not_found",
      detail: "This product does not exist",
    });
    assert.deepEqual(await titles("status=published"), ["Two", "One"]);
    assert.deepEqual(await send({ action: "category", ids: [one.id], categoryId: "mugs" }), [done[0]]);
    assert.deepEqual(await titles("categoryId=mugs"), ["One"]);
    const nowhere = await send({ action: "category", ids: [one.id], categoryId: "nowhere" });
    assert.deepEqual(nowhere, [
      { id: one.id, result: "refused", code: "invalid", detail: "is not a category of the shop" },
    ]);
    await send({ action: "category", ids: [one.id], categoryId: null });
    assert.deepEqual(await titles("categoryId=-"), ["Two", "One"]);
    await send({ action: "hide", ids: [two.id] });
    await send({ action: "archive", ids: [one.id] });
    assert.deepEqual([await titles("status=draft"), await titles("status=archived")], [["Two"], ["One"]]);
    await send({ action: "delete", ids: [one.id, two.id] });
    assert.deepEqual(await titles(""), []);
  });

  it("wants a category for sorting, and for nothing else", async () => {
    const { id } = await create({ title: "One" });
    for (const body of [
      { action: "category", ids: [id] },
      { action: "publish", ids: [id], categoryId: "mugs" },
      { action: "publish", ids: [id, id] },
      { action: "publish", ids: [] },
      { action: "sell", ids: [id] },
    ])
      assert.deepEqual(await code(await shop.admin("POST", `${PATH}/bulk`, body)), [422, "invalid"]);
  });
});

describe("POST /api/admin/products/{id}/duplicate", () => {
  it("creates a draft with the same texts, pictures and variants, and no units", async () => {
    const gone = await create({ title: "Saucer" });
    const mug = await create({
      title: "Mug",
      status: "published",
      relatedIds: [gone.id],
      translations: { de: { title: "Tasse" } },
      variants: [
        { sku: "M", price: 500, onHand: 4, weightGrams: 300 },
        { sku: "L", price: 700 },
      ],
    });
    await addPicture(mug.id, png(3, 4));
    const [picture] = (await read<Product>(await shop.admin("GET", `${PATH}/${mug.id}`))).images;
    const [first, second] = mug.variants;
    const variants = [
      { id: first?.id, sku: "M", price: 500 },
      { id: second?.id, sku: "L", price: 700, imageHash: picture?.hash },
    ];
    await read(await shop.admin("PATCH", `${PATH}/${mug.id}`, { variants }));
    await shop.admin("DELETE", `${PATH}/${gone.id}`);
    const copy = await read<Product>(await shop.admin("POST", `${PATH}/${mug.id}/duplicate`), 201);
    assert.deepEqual(
      [copy.title, copy.status, copy.slug, copy.stock.onHand],
      ["Mug (2)", "draft", "mug-2", 0],
    );
    assert.deepEqual(copy.images, [picture && { ...picture }]);
    assert.deepEqual(
      copy.variants.map(({ imageHash, weightGrams }) => [imageHash, weightGrams]),
      [
        [undefined, 300],
        [picture?.hash, undefined],
      ],
    );
    assert.ok(copy.variants.every(({ id }) => id !== first?.id && id !== second?.id));
    const again = await read<Product>(await shop.admin("POST", `${PATH}/${copy.id}/duplicate`), 201);
    assert.equal(again.title, "Mug (3)");
    assert.deepEqual(await code(await shop.admin("POST", `${PATH}/prd_gone/duplicate`)), [404, "not_found"]);
  });
});

describe("the weight of a variant", () => {
  it("replaces the product's, and is part of exports", async () => {
    const shirt = await create({
      title: "Shirt",
      status: "published",
      weightGrams: 200,
      deliveryType: "shipping",
      variants: [
        { sku: "S", price: 500, onHand: 1 },
        { sku: "XL", price: 500, onHand: 1, weightGrams: 350 },
      ],
    });
    const headers = { "x-admin-token": ADMIN_TOKEN };
    const exported = await (await shop.fetch(`${PATH}/export`, { headers })).text();
    const [head = "", ...rows] = exported.replace(/^\ufeff/u, "").split("\r\n");
    const at = head.split(",").indexOf("variantWeightGrams");
    assert.deepEqual(
      rows.filter((row) => row !== "").map((row) => row.split(",")[at]),
      ["", "350"],
    );
    const report = await shop.fetch(`${PATH}/import`, {
      method: "POST",
      headers: { ...headers, "content-type": "text/csv" },
      body: exported.replace(",350,", ",400,"),
    });
    assert.equal(report.status, 200);
    const after = await read<Product>(await shop.admin("GET", `${PATH}/${shirt.id}`));
    assert.deepEqual(
      after.variants.map(({ weightGrams }) => weightGrams),
      [undefined, 400],
    );
  });
});

describe("the weight of an order's line", () => {
  it("is that of its variant, else of the product", async () => {
    await setProvider(shop);
    const shirt = await create({
      title: "Shirt",
      status: "published",
      weightGrams: 200,
      deliveryType: "shipping",
      variants: [
        { sku: "S", price: 500, onHand: 1 },
        { sku: "XL", price: 500, onHand: 1, weightGrams: 350 },
      ],
    });
    const body = {
      items: shirt.variants.map(({ id }) => ({ productId: shirt.id, variantId: id, quantity: 1 })),
      contact: { email: "ann@example.org" },
      shippingAddress: { name: "Ann", line1: "Street 1", postalCode: "10115", city: "Town", country: "DE" },
    };
    const headers = { "idempotency-key": crypto.randomUUID() };
    const placed = await read<{ order: { id: string } }>(
      await shop.send("POST", "/api/checkout", { body, headers }),
      201,
    );
    const order = await shop.store.read((tx) => tx.get(orders, placed.order.id));
    assert.deepEqual(
      order?.lines.map(({ weightGrams }) => weightGrams),
      [200, 350],
    );
  });
});

describe("POST /api/admin/markdown", () => {
  it("shows a text as buyers see it, without what could run", async () => {
    const send = (text: unknown): Promise<Response> => shop.admin("POST", "/api/admin/markdown", { text });
    const { html } = await read<{ html: string }>(
      await send("**0.3 l** <b>x</b> ![a](https://x.example/a.png)"),
    );
    assert.equal(
      html,
      '<p><strong>0.3 l</strong> &lt;b&gt;x&lt;/b&gt; !<a href="https://x.example/a.png">a</a></p>\n',
    );
    assert.deepEqual(await code(await send(1)), [422, "invalid"]);
  });
});
