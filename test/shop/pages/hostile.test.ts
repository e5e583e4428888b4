/** What people write and ask stays text on the storefront's pages; what programs read is well formed. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";
import { createShopBrowser } from "./shop-browser.ts";

const MARKUP = `"><img src=x onerror=alert(1)></script><script>alert(2)</script>`;

function assertHarmless(text: string, path: string): void {
  assert.doesNotMatch(
    text,
    /<img src=x|<script>alert|<script(?! type="(?:application\/ld\+json|module)")/u,
    path,
  );
}

async function openShop(): Promise<TestShop> {
  const app = await createTestShop();
  await app.setSite({
    name: MARKUP.slice(0, 100),
    description: MARKUP,
    languages: ["en", "de"],
    categories: [{ id: "all", title: MARKUP, description: MARKUP, parentId: "", sortOrder: 0 }],
    pages: [{ slug: "terms", title: MARKUP, body: `${MARKUP}\n\n[x](javascript:alert(1))` }],
    announcement: { text: MARKUP, level: "info" },
  });
  await addProduct(app, {
    slug: "evil",
    title: MARKUP,
    summary: MARKUP,
    description: MARKUP,
    categoryId: "all",
    sku: MARKUP,
    tags: ["&<b>"],
    variants: [1, 2].map((n) => ({
      id: `var_${n}`,
      sku: MARKUP,
      options: { [MARKUP.slice(0, 60)]: `${MARKUP}${n}` },
      price: 100,
    })),
  });
  return app;
}

describe("hostile words on the storefront", () => {
  it("are text everywhere, stored or from the request", async () => {
    const app = await openShop();
    const asked = encodeURIComponent(MARKUP);
    const { open, fill } = createShopBrowser(app);
    const id = app.shop.catalogue.find("evil")?.product.id ?? "";
    fill([{ id, variantId: "var_1" }]);
    for (const path of [
      "/",
      "/p/evil",
      "/p/evil?v=var_2",
      "/c",
      "/c/all",
      "/legal/terms",
      "/cart",
      `/?tag=${asked}&min=${asked}`,
      `/search?q=${asked}`,
      `/search?tag=${asked}&max=${asked}&sort=${asked}`,
      `/p/evil?v=${asked}&lang=${asked}`,
      `/c/all?cursor=${asked}`,
      `/collections/${asked}`,
      `/cart?done=${asked}`,
    ]) {
      const { text, headers } = await open(path);
      assertHarmless(text, path);
      assert.match(
        headers.get("content-security-policy") ?? "",
        /script-src 'self'.*frame-ancestors 'none'/u,
      );
      for (const [, json = ""] of text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gsu))
        assert.ok(JSON.parse(json), path);
    }
    assert.doesNotMatch((await open("/legal/terms")).text, /href="javascript:/u);
  });

  it("never lead to another site", async () => {
    const app = await openShop();
    const { request } = createShopBrowser(app);
    await request("/");
    for (const rd of ["https://evil.example", "//evil.example", "/\\evil.example", "/.//evil.example"]) {
      const answer = await request("/language", { language: "de", rd });
      assert.equal(answer.headers.get("location"), "/", rd);
    }
    const page = await (await request("//evil.example/%2e%2e")).text();
    assert.doesNotMatch(page, /(?:href|action)="\/\/evil/u);
  });

  it("are only cached by the visitor's browser", async () => {
    const app = await openShop();
    for (const path of ["/", "/p/evil", "/search?q=a", "/cart"]) {
      const { headers } = await app.raw(path, { headers: { accept: "text/html" } });
      assert.match(headers.get("cache-control") ?? "", /^(?:private, no-cache|no-store)$/u, path);
      assert.match(headers.get("vary") ?? "", /Cookie/u);
    }
  });
});

describe("what programs read of the storefront", () => {
  it("is a list of all pages, a feed, and what to leave alone", async () => {
    const app = await openShop();
    await addProduct(app, { slug: "draft", status: "draft" });
    const read = async (path: string): Promise<string> => (await app.raw(path)).text();
    const sitemap = await read("/sitemap.xml");
    assert.deepEqual(
      [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/gu)].map(([, loc = ""]) => loc.slice(24)),
      ["/", "/c/all", "/legal/terms", "/p/evil"],
    );
    const feed = await read("/feed.xml");
    assert.ok(feed.includes('<link href="https://shop.example.org/p/evil"/>') && !feed.includes("<script"));
    assert.match(
      await read("/robots.txt"),
      /Disallow: \/cart\n[^]*Sitemap: https:\/\/shop.example.org\/sitemap.xml/u,
    );
    assert.equal((await app.raw("/sitemaps/2.xml")).status, 404);
    const answer = await app.raw("/feed.xml");
    const known = await app.raw("/feed.xml", {
      headers: { "if-none-match": answer.headers.get("etag") ?? "" },
    });
    assert.equal(known.status, 304);
  });
});
