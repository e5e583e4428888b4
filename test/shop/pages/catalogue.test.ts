/** Pages of the catalogue: lists, search, a product with its variants, and metadata for search engines. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import { stock } from "../../../src/shop/products/records.ts";
import { readSettings } from "../../../src/shop/site/settings.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";
import { createShopBrowser } from "./shop-browser.ts";

function toShirt(id: string): Partial<ProductRecord> {
  const variants = ["sand", "ink"].flatMap((colour) =>
    ["S", "L"].map((size) => ({
      id: `var_${id}${colour}${size.toLowerCase()}`,
      sku: `${colour}-${size}`,
      options: { Colour: colour, Size: size },
      price: size === "L" ? 3_400 : 3_200,
    })),
  );
  return { id: `prd_${id}`, slug: id, title: "Linen shirt", variants };
}

async function openShop(): Promise<TestShop> {
  const app = await createTestShop();
  await app.setSite({
    languages: ["en", "de"],
    categories: [
      { id: "kitchen", title: "Kitchen", description: "Pots & pans", parentId: "", sortOrder: 0 },
      { id: "mugs", title: "Mugs", description: "", parentId: "kitchen", sortOrder: 0 },
    ],
  });
  return app;
}

/** Texts of the cards in a page, in their order. */
function listNames(html: string): string[] {
  return [...html.matchAll(/class="product-name">([^<]*)</gu)].map(([, name = ""]) => name);
}

describe("pages of the catalogue", () => {
  it("filter a list by the options of variants, with counts and a link that clears each", async () => {
    const app = await openShop();
    await addProduct(app, { ...toShirt("linen"), categoryId: "mugs" });
    await addProduct(app, { title: "Mug", categoryId: "mugs" });
    const only = { id: "var_w", sku: "w", options: { colour: "Ink", size: "S" }, price: 900 };
    await addProduct(app, { id: "prd_wool", title: "Wool shirt", variants: [only], categoryId: "mugs" });
    const { open } = createShopBrowser(app);
    const listOptions = (html: string): string[] =>
      [...html.matchAll(/name="option" value="([^"]*)"( checked="")?.*?push">(\d+)</gu)].map(
        ([, key = "", isChosen = "", count = ""]) => `${key} ${count}${isChosen === "" ? "" : " chosen"}`,
      );
    const all = await open("/c/mugs");
    assert.deepEqual(listOptions(all.text), ["colour:ink 2", "colour:sand 1", "size:s 2", "size:l 1"]);
    const sand = await open("/c/mugs?option=colour%3Asand");
    assert.deepEqual(listNames(sand.text), ["Linen shirt"]);
    assert.deepEqual(listOptions(sand.text), [
      "colour:ink 2",
      "colour:sand 1 chosen",
      "size:s 1",
      "size:l 1",
    ]);
    assert.match(sand.text, /class="chip" href="\/c\/mugs" aria-label="Remove filter “sand”"/u);
    assert.match(sand.text, /noindex/u);
    // Sorting, filters, and the next page keep it.
    const both = await open("/search?q=shirt&option=colour%3Aink&option=size%3Al&sort=price");
    assert.deepEqual(listNames(both.text), ["Linen shirt"]);
    assert.match(both.text, /href="\/search\?q=shirt&amp;sort=price&amp;option=size%3Al"/u);
    // What no product has is ignored, and nothing is kept for it.
    assert.equal(listNames((await open("/c/mugs?option=x%3Ay")).text).length, 3);
  });

  it("show a category with those below it, in an order, narrowed down, and page by page", async () => {
    const app = await openShop();
    for (let number = 10; number < 40; number += 1)
      await addProduct(app, {
        title: `Mug ${number}`,
        price: number * 100,
        categoryId: "mugs",
        tags: ["blue"],
      });
    await addProduct(app, { title: "Gone", price: 100, categoryId: "kitchen", onHand: 0 });
    await addProduct(app, { title: "Elsewhere" });
    const { open } = createShopBrowser(app);
    const first = await open("/c/kitchen?sort=price");
    assert.equal(first.status, 200);
    assert.ok(first.text.includes("Pots &amp; pans") && first.text.includes('href="/c/mugs"'), first.text);
    assert.ok(first.text.includes("31 products"));
    assert.deepEqual(listNames(first.text).slice(0, 2), ["Gone", "Mug 10"]);
    assert.ok(!first.text.includes("Elsewhere"));
    const next = /rel="next" href="([^"]*)"/u.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await open(next);
    assert.deepEqual(listNames(second.text).at(-1), "Mug 39");
    assert.equal(listNames(first.text).length + listNames(second.text).length, 31);
    const narrowed = await open("/c/kitchen?stock=1&min=10&max=11,50&tag=blue");
    assert.deepEqual(listNames(narrowed.text).toSorted(), ["Mug 10", "Mug 11"]);
    assert.ok((await open("/c/kitchen?min=cheap")).text.includes("“cheap” isn’t a valid price"));
    assert.equal((await open("/c/kitchen?cursor=nonsense")).status, 200);
    assert.equal((await open("/c/nothing")).status, 404);
    assert.ok((await open("/c")).text.includes('href="/c/mugs"'));
  });

  it("find by words, and say where to look when nothing is found", async () => {
    const app = await openShop();
    await addProduct(app, { title: "Copper lamp" });
    const { open } = createShopBrowser(app);
    assert.deepEqual(listNames((await open("/search?q=cop")).text), ["Copper lamp"]);
    const nothing = await open("/search?q=teapot");
    assert.ok(nothing.text.includes("No results found for “teapot”"));
    assert.ok(nothing.text.includes('href="/c/kitchen"'));
    assert.deepEqual(listNames(nothing.text), ["Copper lamp"]);
    assert.ok(nothing.text.includes('name="robots" content="noindex"'));
  });

  it("lead from variant to variant, with the price and the stock of the one that is chosen", async () => {
    const app = await openShop();
    await addProduct(app, toShirt("shirt"));
    await app.store.transact((tx) => tx.adjust(stock, "var_shirtinkl", { field: "onHand", by: -10 }));
    const { open } = createShopBrowser(app);
    const { text } = await open("/p/shirt");
    assert.match(text, /class="choice"[^>]*href="\/p\/shirt\?v=var_shirtsandl"/u);
    const large = (await open("/p/shirt?v=var_shirtsandl")).text;
    assert.ok(large.includes("€34.00") && large.includes('name="variantId" value="var_shirtsandl"'), large);
    assert.match(large, /class="choice is-out"[^>]*href="\/p\/shirt\?v=var_shirtinkl"/u);
    const gone = (await open("/p/shirt?v=var_shirtinkl")).text;
    assert.ok(gone.includes("Sold out") && !gone.includes('action="/cart"'));
    assert.equal((await open("/p/shirt?v=nonsense")).status, 200);
  });

  it("promise the delivery time of the first method to the shop's own country, or name each", async () => {
    const app = await openShop();
    const { slug } = await addProduct(app, { deliveryType: "shipping" });
    const method = {
      description: "",
      translations: {},
      excludedCountries: [],
      by: "value" as const,
      steps: [{ from: 0, price: 500 }],
      enabled: true,
      sortOrder: 0,
    };
    const methods = [
      { ...method, id: "world", title: "World", deliveryTime: "10 days", countries: ["US", "JP"] },
      { ...method, id: "post", title: "Standard", deliveryTime: "2 to 4 days", countries: ["DE", "AT"] },
      { ...method, id: "fast", title: "Express", deliveryTime: "1 day", countries: ["DE"] },
    ];
    const promised = async (country: string): Promise<string | undefined> => {
      const { seller, shipping } = (await app.store.read((tx) => readSettings(tx, "site"))).fields;
      await app.setSite({ shipping: { ...shipping, methods }, seller: { ...seller, country } });
      const { text } = await createShopBrowser(app).open(`/p/${slug}`);
      return /Shipping: ([^<]+)/u.exec(text)?.[1];
    };
    assert.equal(await promised("DE"), "2 to 4 days");
    assert.equal(await promised("FR"), "10 days, 2 to 4 days, or 1 day");
  });

  it("tell search engines a product's one address, its languages and its offers", async () => {
    const app = await openShop();
    await addProduct(app, { ...toShirt("shirt"), summary: "Light", categoryId: "mugs" });
    const { open } = createShopBrowser(app);
    const { text } = await open("/p/shirt?utm_source=x&v=var_shirtsandl");
    assert.ok(text.includes('<link rel="canonical" href="https://shop.example.org/p/shirt"/>'));
    assert.ok(text.includes('hreflang="de" href="https://shop.example.org/p/shirt?lang=de"'));
    assert.ok(text.includes('<meta name="description" content="Light"/>'));
    const data = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gu)].map(
      ([, json = ""]): {
        "@type": string;
        offers?: { price: string }[];
        itemListElement?: { name: string }[];
      } => JSON.parse(json),
    );
    assert.deepEqual(
      data.map((each) => each["@type"]),
      ["Product", "BreadcrumbList"],
    );
    assert.deepEqual(
      data[0]?.offers?.map(({ price }) => price),
      ["32.00", "34.00", "32.00", "34.00"],
    );
    assert.deepEqual(
      data[1]?.itemListElement?.map(({ name }) => name),
      ["Home", "Kitchen", "Mugs", "Linen shirt"],
    );
    const german = await createShopBrowser(app).open("/p/shirt?lang=de");
    assert.ok(german.text.includes('<html lang="de"') && german.text.includes("/p/shirt?lang=de"));
  });

  it("count a visitor's view once, and not what a browser prefetches", async () => {
    const app = await openShop();
    const { id, slug } = await addProduct(app);
    await app.raw(`/p/${slug}`, { headers: { accept: "text/html", "sec-purpose": "prefetch" } });
    assert.equal(app.shop.views.pending(id), 0);
    for (let times = 0; times < 3; times += 1) await createShopBrowser(app).open(`/p/${slug}`);
    assert.equal(app.shop.views.pending(id), 1);
  });

  it("show the struck-out price with the lowest of 30 days where the law of the EU counts, and what is in a price", async () => {
    const app = await openShop();
    const { slug } = await addProduct(app, { compareAtPrice: 1_500, deliveryType: "shipping" });
    await app.setSite({ shippingFee: 490 });
    const { open } = createShopBrowser(app);
    const { text } = await open(`/p/${slug}`);
    assert.ok(
      text.includes("<s>€15.00</s>") && text.includes("Lowest price in the 30 days before the reduction"),
    );
    assert.ok(text.includes("plus shipping"));
    const { eu, tax } = app.shop.catalogue.site();
    await app.setSite({ eu: { ...eu, mode: "off" }, tax: { ...tax, enabled: true }, shippingFee: 0 });
    const other = (await open(`/p/${slug}`)).text;
    assert.ok(!other.includes("Lowest price") && other.includes("incl. VAT, free shipping"), other);
  });

  it("say what every page has to: a demo, work on the shop, an announcement while it lasts", async () => {
    const app = await openShop();
    const { slug } = await addProduct(app);
    const { open } = createShopBrowser(app);
    const nowMs = app.clock.now();
    const { paymentProviders } = app.shop.catalogue.site();
    await app.setSite({
      announcement: { text: "Sale <b>", level: "info", endsAt: nowMs + 60_000 },
      paymentProviders: paymentProviders.map((each) => ({ ...each, enabled: true })),
      maintenance: true,
    });
    const { text } = await open(`/p/${slug}`);
    assert.ok(text.includes("This is a demo store") && text.includes("Sale &lt;b&gt;"), text);
    assert.ok(text.includes("We’re under maintenance") && !text.includes('action="/cart"'));
    app.clock.advance(60_001);
    assert.ok(!(await open(`/p/${slug}`)).text.includes("Sale"));
  });
});
