import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { code, read } from "../app-fixture.ts";
import { type ProductBody, createMugShop, list } from "../catalogue/mug-shop.ts";
import { changeProduct } from "../catalogue/products.ts";

describe("GET /api/products/{idOrSlug}", () => {
  it("gives a product by id or slug, with all that the public may know", async () => {
    const shop = await createMugShop();
    await shop.setSite({ stockDisplay: "exact" });
    const hash = "ab".repeat(32);
    const image = { hash, mediaType: "image/png", width: 2, height: 3, bytes: 99, alt: "A mug" } as const;
    await changeProduct(shop.store, "red", { images: [image], description: "Round", compareAtPrice: 1_200 });
    const body = await read<ProductBody>(await shop.send("GET", "/api/products/slug-red"));
    assert.deepEqual(body, await read(await shop.send("GET", "/api/products/red")));
    assert.deepEqual(body, {
      id: "red",
      slug: "slug-red",
      title: "Red mug",
      summary: "",
      description: "Round",
      images: [
        {
          url: `/api/images/${hash}`,
          srcset: `/api/images/${hash} 2w`,
          mediaType: "image/png",
          width: 2,
          height: 3,
          alt: "A mug",
        },
      ],
      categoryId: "mugs",
      tags: ["Kitchen"],
      price: 900,
      compareAtPrice: 1_200,
      lowestPrice30Days: 900,
      currency: "EUR",
      sku: "",
      variants: [],
      stock: { status: "in_stock", mode: "tracked", available: 10 },
      minQuantity: 1,
      maxQuantity: 10,
      deliveryType: "manual",
      inputs: [],
      views: 0,
      sold: 5,
      createdAt: "2026-01-31T12:00:00.000+00:00",
      updatedAt: "2026-01-31T12:00:00.000+00:00",
      version: 2,
    });
  });

  it("tells the sizes of every picture, and in lists those of the first", async () => {
    const shop = await createMugShop();
    const image = { mediaType: "image/png", width: 2, height: 3, bytes: 99, alt: "" } as const;
    const images = ["ab", "cd"].map((two) => ({ ...image, hash: two.repeat(32) }));
    await changeProduct(shop.store, "red", { images });
    const widths = (product: unknown): unknown =>
      Object(product).images.map(({ srcset }: { srcset?: string }) => srcset?.split(" ")[1]);
    assert.deepEqual(widths(await read(await shop.send("GET", "/api/products/red"))), ["2w", "2w"]);
    const { items } = await read<{ items: { id: string }[] }>(await shop.send("GET", "/api/products"));
    assert.deepEqual(widths(items.find(({ id }) => id === "red")), ["2w", undefined]);
  });

  it("gives the description in the language, and the price of the cheapest variant", async () => {
    const shop = await createMugShop();
    await shop.setSite({ languages: ["en", "de"] });
    const body = await read<ProductBody>(await shop.send("GET", "/api/products/tea?lang=de"));
    assert.deepEqual([body.title, body["description"], body.price], ["Teeschale", "Aus Ton", 1_500]);
  });

  it("answers 304 until something that is shown changes", async () => {
    const shop = await createMugShop();
    await shop.setSite({ stockDisplay: "exact" });
    const first = await shop.send("GET", "/api/products/red");
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^"[^"]+"$/u);
    const again = (): Promise<Response> =>
      shop.send("GET", "/api/products/red", { headers: { "if-none-match": etag } });
    const same = await again();
    assert.deepEqual([same.status, same.headers.get("etag"), await same.text()], [304, etag, ""]);
    await shop.setSite({ stockDisplay: "hidden" });
    assert.equal((await again()).status, 200);
    await shop.setSite({ stockDisplay: "exact" });
    assert.equal((await again()).status, 304);
    await changeProduct(shop.store, "red", { title: "Blue mug" });
    assert.equal((await again()).status, 200);
  });

  it("knows nothing of drafts, archived products and names that are none", async () => {
    const shop = await createMugShop();
    await changeProduct(shop.store, "red", { status: "archived" });
    for (const name of ["draft", "slug-draft", "red", "nobody", "__proto__", "constructor", "%2e%2e"])
      assert.deepEqual(await code(await shop.send("GET", `/api/products/${name}`)), [404, "not_found"], name);
    assert.deepEqual(await code(await shop.send("GET", "/api/products/tea?lang=%21")), [422, "invalid"]);
  });
});

describe("POST /api/products/{idOrSlug}/view", () => {
  it("counts a visitor once in 30 minutes, and stores it with the next flush", async () => {
    const shop = await createMugShop();
    const view = async (from: string, path = "red"): Promise<unknown> =>
      read(await shop.send("POST", `/api/products/${path}/view`, { from }));
    assert.deepEqual(await view("192.0.2.1"), { counted: true, views: 1 });
    assert.deepEqual(await view("192.0.2.1", "slug-red"), { counted: false, views: 1 });
    assert.deepEqual(await view("192.0.2.2"), { counted: true, views: 2 });
    await shop.shop.views.flush();
    shop.clock.advance(1_800_000);
    assert.deepEqual(await view("192.0.2.1"), { counted: true, views: 3 });
    const { items } = await list(shop, "?q=red");
    assert.equal(items[0]?.["views"], 2);
  });

  it("hides the number when the shop does", async () => {
    const shop = await createMugShop();
    await shop.setSite({ hiddenStats: ["views", "soldUnits"] });
    assert.deepEqual(await read(await shop.send("POST", "/api/products/red/view")), { counted: true });
    const body = await read<ProductBody>(await shop.send("GET", "/api/products/red"));
    assert.deepEqual([body["views"], body["sold"]], [undefined, undefined]);
  });

  it("refuses what is not published, and bodies that are too large", async () => {
    const shop = await createMugShop();
    assert.deepEqual(await code(await shop.send("POST", "/api/products/draft/view")), [404, "not_found"]);
    // The body is never read: what it says of its length is enough.
    const headers = { "content-length": "300000" };
    const answer = await shop.fetch("/api/products/red/view", { method: "POST", headers, body: "x" });
    assert.deepEqual(await code(answer), [413, "too_large"]);
  });
});
