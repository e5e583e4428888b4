import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stock } from "../../../src/shop/products/records.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { type ListBody, createMugShop, list } from "./mug-shop.ts";
import { addProduct, changeProduct } from "./products.ts";

const ids = async (shop: TestShop, query = ""): Promise<string[]> =>
  (await list(shop, query)).items.map(({ id }) => id);

describe("GET /api/products", () => {
  it("lists published products", async () => {
    const shop = await createMugShop();
    const body = await list(shop, "?sort=title");
    assert.deepEqual(
      [Object.keys(body), body.items.map(({ id }) => id)],
      [["items"], ["red", "none", "tea"]],
    );
    assert.equal(body.nextCursor, undefined);
  });

  it("never shows secrets, instructions or translations", async () => {
    const shop = await createTestShop();
    await addProduct(shop.store, "a", {
      instructions: "hidden-instructions",
      sealedSharedSecret: "hidden-secret",
      translations: { de: { title: "hidden-translation" } },
      deliveryType: "shared_secret",
    });
    for (const path of ["/api/products", "/api/products/a"]) {
      const text = await (await shop.send("GET", path)).text();
      assert.match(text, /"id":"a"/u);
      assert.doesNotMatch(text, /hidden-|instructions|translations|Secret|reserved/u);
    }
  });

  it("finds by words in any language, SKU, category, tag, price and stock, all at once", async () => {
    const shop = await createMugShop();
    assert.deepEqual(await ids(shop, "?q=mug&sort=title"), ["red", "none"]);
    assert.deepEqual(await ids(shop, "?q=RE%20mu"), ["red"]);
    assert.deepEqual(await ids(shop, "?q=kyoto"), ["tea"]);
    assert.deepEqual(await ids(shop, `?q=${encodeURIComponent("茶")}`), ["tea"]);
    assert.deepEqual(await ids(shop, "?q=teesch"), ["tea"]);
    assert.deepEqual(await ids(shop, "?q=sku-tea-l"), ["tea"]);
    assert.deepEqual(await ids(shop, "?q=kitchen"), ["red"]);
    assert.deepEqual(await ids(shop, "?tag=kitchen"), ["red"]);
    assert.deepEqual(await ids(shop, "?category=bowls"), ["tea"]);
    assert.deepEqual(await ids(shop, "?minPrice=900&maxPrice=1500&sort=-price"), ["tea", "red"]);
    assert.deepEqual(await ids(shop, "?inStock=true&q=mug"), ["red"]);
    assert.deepEqual(await ids(shop, "?inStock=false&q=mug&sort=price"), ["none", "red"]);
    assert.deepEqual(await list(shop, "?q=mug&category=bowls"), { items: [] });
    assert.deepEqual(await list(shop, "?q=%21%21"), { items: [] });
    assert.equal((await list(shop, "?q=%20")).items.length, 3);
  });

  it("finds products of a category and of its descendants, even with cycles", async () => {
    const shop = await createMugShop();
    const category = { description: "", sortOrder: 0 };
    await shop.setSite({
      categories: [
        { ...category, id: "kitchen", title: "Kitchen", parentId: "cups" },
        { ...category, id: "mugs", title: "Mugs", parentId: "kitchen" },
        { ...category, id: "cups", title: "Cups", parentId: "mugs" },
      ],
    });
    assert.deepEqual(await ids(shop, "?category=kitchen&sort=title"), ["red", "none"]);
  });

  it("sorts as asked", async () => {
    const shop = await createMugShop();
    await changeProduct(shop.store, "none", { sortOrder: -1, publishedAt: 5 });
    assert.deepEqual(await ids(shop), ["none", "red", "tea"]);
    assert.deepEqual(await ids(shop, "?sort=newest"), ["red", "tea", "none"]);
    assert.deepEqual(await ids(shop, "?sort=price"), ["none", "red", "tea"]);
    assert.deepEqual(await ids(shop, "?sort=-price"), ["tea", "red", "none"]);
    assert.equal((await ids(shop, "?sort=sold"))[0], "red");
    await shop.send("POST", "/api/products/tea/view");
    await shop.shop.views.flush();
    assert.equal((await ids(shop, "?sort=views"))[0], "tea");
  });

  it("pages through everything once while products change", async () => {
    const shop = await createTestShop();
    for (let n = 0; n < 7; n += 1) await addProduct(shop.store, `p${n}`, { title: `T${n}`, price: n });
    const first = await list(shop, "?sort=title&limit=3");
    assert.equal(first.items.length, 3);
    await changeProduct(shop.store, "p2", { status: "archived" });
    await addProduct(shop.store, "p25", { title: "T25" });
    const second = await list(shop, `?sort=title&limit=10&cursor=${first.nextCursor}`);
    assert.deepEqual(
      second.items.map(({ id }) => id),
      ["p25", "p3", "p4", "p5", "p6"],
    );
    assert.equal(second.nextCursor, undefined);
  });

  it("refuses cursors that are malformed or of another order", async () => {
    const shop = await createTestShop();
    for (let n = 0; n < 3; n += 1) await addProduct(shop.store, `p${n}`);
    const { nextCursor = "" } = await list(shop, "?sort=title&limit=1");
    const forged = Buffer.from(JSON.stringify(["price", "text", 1, "x"])).toString("base64url");
    for (const [sort, cursor] of [
      ["price", nextCursor],
      ["price", forged],
      ["title", `${nextCursor}x`],
      ["title", "%00"],
      ["price", Buffer.from('["price",null,1,"x"]').toString("base64url")],
    ]) {
      const answer = await shop.send("GET", `/api/products?sort=${sort}&cursor=${cursor}`);
      assert.deepEqual(await code(answer), [400, "bad_request"], `${sort} ${cursor}`);
    }
  });

  it("refuses values that are not valid", async () => {
    const shop = await createTestShop();
    for (const query of [
      "limit=0",
      "limit=101",
      "limit=x",
      "sort=random",
      "minPrice=-1",
      "maxPrice=1.5",
      "maxPrice=1e400",
      "inStock=maybe",
      "category=No%20Slug",
      `q=${"a".repeat(201)}`,
      "q=a%0Ab",
      "lang=%3Cscript%3E",
      `cursor=${"a".repeat(2_001)}`,
    ])
      assert.deepEqual(await code(await shop.send("GET", `/api/products?${query}`)), [422, "invalid"], query);
    assert.deepEqual(await code(await shop.send("GET", "/api/products?q=%ff")), [400, "bad_request"]);
    assert.deepEqual(await code(await shop.send("DELETE", "/api/products")), [405, "method_not_allowed"]);
  });

  it("answers in a language of the shop", async () => {
    const shop = await createMugShop();
    await shop.setSite({ languages: ["en", "de"] });
    const get = (query: string, acceptLanguage: string): Promise<Response> =>
      shop.send("GET", `/api/products?q=tea${query}`, { headers: { "accept-language": acceptLanguage } });
    const german = await get("", "de-AT,en;q=0.5");
    assert.equal(german.headers.get("content-language"), "de");
    assert.equal(german.headers.get("vary"), "Accept-Language");
    assert.equal((await read<ListBody>(german)).items[0]?.title, "Teeschale");
    assert.equal((await read<ListBody>(await get("&lang=en", "de"))).items[0]?.title, "Tea bowl");
    // A translation into a language that the shop has not is not shown.
    assert.equal((await read<ListBody>(await get("&lang=ja", ""))).items[0]?.title, "Tea bowl");
  });

  it("shows stock as numbers, as a word, or not at all", async () => {
    const shop = await createMugShop();
    await shop.setSite({ lowStockThreshold: 3, stockDisplay: "exact" });
    const stocks = async (): Promise<unknown[]> =>
      (await list(shop, "?sort=title")).items.map((item) => [item.stock, item.variants[0]?.stock]);
    assert.deepEqual(await stocks(), [
      [{ status: "in_stock", mode: "tracked", available: 10 }, undefined],
      [{ status: "out_of_stock", mode: "tracked", available: 0 }, undefined],
      [
        { status: "in_stock", mode: "tracked", available: 4 },
        { status: "low_stock", mode: "tracked", available: 2 },
      ],
    ]);
    await changeProduct(shop.store, "none", { stockMode: "unlimited" });
    assert.deepEqual((await stocks())[1], [{ status: "in_stock", mode: "unlimited" }, undefined]);
    await shop.setSite({ stockDisplay: "status" });
    assert.deepEqual((await stocks())[2], [{ status: "in_stock" }, { status: "low_stock" }]);
    await shop.setSite({ stockDisplay: "hidden" });
    assert.deepEqual(await stocks(), Array(3).fill([undefined, undefined]));
  });

  it("shows at once what a commit changed", async () => {
    const shop = await createMugShop();
    await shop.setSite({ stockDisplay: "exact" });
    const available = async (): Promise<unknown> =>
      (await list(shop, "?q=red")).items.map((item) => [item.stock, item["sold"]]);
    await shop.store.transact(async (tx) => {
      await tx.adjust(stock, "red", { field: "reserved", by: 3 });
      await tx.adjust(stock, "red", { field: "sold", by: 1 });
    });
    assert.deepEqual(await available(), [[{ status: "in_stock", mode: "tracked", available: 7 }, 6]]);
  });

  it("goes on while the auth center is down, whatever token is sent", async () => {
    const shop = await createMugShop();
    shop.setAuth("down");
    assert.equal((await shop.send("GET", "/api/products", { as: "ann" })).status, 200);
  });

  it("answers 304 while the page is the same", async () => {
    const shop = await createMugShop();
    await shop.setSite({ stockDisplay: "exact" });
    const etag = (await shop.send("GET", "/api/products?q=mug")).headers.get("etag") ?? "";
    const again = (query: string): Promise<Response> =>
      shop.send("GET", `/api/products?${query}`, { headers: { "if-none-match": `"x", W/${etag}` } });
    assert.equal((await again("q=mug")).status, 304);
    assert.equal((await again("q=mug&limit=1")).status, 200);
    await shop.store.transact(async (tx) => tx.adjust(stock, "red", { field: "reserved", by: 1 }));
    assert.equal((await again("q=mug")).status, 200);
  });
});
