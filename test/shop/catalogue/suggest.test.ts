import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { code, createTestShop, read, type TestShop } from "../app-fixture.ts";
import { addProduct } from "./products.ts";

const answerSchema = z.object({
  products: z.array(z.object({ title: z.string(), price: z.number(), currency: z.string() })),
  categories: z.array(z.object({ id: z.string(), title: z.string() })),
  total: z.number(),
  match: z.string(),
  corrected: z.string().optional(),
});

async function createShop(): Promise<TestShop> {
  const shop = await createTestShop();
  await shop.admin("PATCH", "/api/admin/site", { languages: ["en", "de"] });
  await shop.admin("POST", "/api/admin/categories", { id: "pots", title: "Teapots", status: "published" });
  await shop.admin("POST", "/api/admin/categories", { id: "secret", title: "Teasers", status: "hidden" });
  const german = { de: { title: "Teekanne" } };
  await addProduct(shop.store, "a", { title: "Teapot <Kyoto>", price: 2_500, translations: german });
  await addProduct(shop.store, "b", { title: "Tea towel" });
  await addProduct(shop.store, "c", { title: "Teapot draft", status: "draft" });
  return shop;
}

async function ask(shop: TestShop, query: string): Promise<z.infer<typeof answerSchema>> {
  return answerSchema.parse(await read(await shop.send("GET", `/api/search/suggestions?${query}`)));
}

describe("GET /api/search/suggestions", () => {
  it("suggests published products and categories in the language that is asked for", async () => {
    const shop = await createShop();
    const { products, categories, total, match } = await ask(shop, "q=tea&lang=de");
    assert.deepEqual(
      products.map(({ title }) => title),
      ["Tea towel", "Teekanne"],
    );
    assert.deepEqual(categories, [{ id: "pots", title: "Teapots" }]);
    assert.deepEqual([total, match], [2, "exact"]);
  });

  it("says what was likely meant", async () => {
    const { products, corrected, match } = await ask(await createShop(), "q=teepot");
    assert.deepEqual([products.length, corrected, match], [1, "Teapot", "similar"]);
  });

  it("suggests nothing for no words, and rejects what is too long", async () => {
    const shop = await createShop();
    assert.deepEqual((await ask(shop, "q=%20")).products, []);
    assert.deepEqual((await ask(shop, "q=%21")).products, []);
    const long = await shop.send("GET", `/api/search/suggestions?q=${"a".repeat(201)}`);
    assert.deepEqual(await code(long), [422, "invalid"]);
  });

  it("allows an address 300 requests a minute, over the API and the pages together", async () => {
    const shop = await createShop();
    const html = { headers: { accept: "text/html" } };
    for (let n = 0; n < 150; n += 1) {
      assert.equal((await shop.send("GET", "/api/search/suggestions?q=t", html)).status, 200);
      assert.equal((await shop.raw("/search/suggestions?q=t", html)).status, 200);
    }
    const refused = await shop.send("GET", "/api/search/suggestions?q=t", html);
    assert.deepEqual(await code(refused), [429, "rate_limited"]);
    assert.ok(Number(refused.headers.get("retry-after")) >= 1);
    assert.equal((await shop.raw("/search/suggestions?q=t", html)).status, 429);
  });
});

describe("GET /search/suggestions", () => {
  it("is a listbox in the visitor's language, with titles as text", async () => {
    const shop = await createShop();
    const answer = await shop.raw("/search/suggestions?q=teapot", { headers: { "accept-language": "en" } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const html = await answer.text();
    assert.match(html, /role="listbox" aria-label="Search suggestions"/u);
    assert.match(html, /href="\/c\/pots"/u);
    assert.match(html, /Teapot &lt;Kyoto&gt;/u);
    assert.match(html, /2 suggestions/u);
    const german = await shop.raw("/search/suggestions?q=teepot", { headers: { "accept-language": "de" } });
    const text = await german.text();
    assert.match(text, /Meinten Sie „Teapot“\?/u);
    assert.match(text, /href="\/search\?q=Teapot"/u);
  });
});

describe("GET /search", () => {
  const open = async (shop: TestShop, q: string): Promise<string> => {
    const answer = await shop.raw(`/search?q=${encodeURIComponent(q)}`, {
      headers: { accept: "text/html", "accept-language": "en" },
    });
    return answer.text();
  };

  it("says what it shows in place of what was typed", async () => {
    const shop = await createShop();
    assert.match(await open(shop, "teepot"), /No exact matches for “teepot”\. Showing results for “Teapot”/u);
    assert.match(await open(shop, "tea saucer"), /No products match all of your search terms/u);
    assert.doesNotMatch(await open(shop, "tea"), /No exact matches|No products match/u);
  });

  it("leads to a category of that name, and to best sellers where nothing is found", async () => {
    const shop = await createShop();
    assert.match(await open(shop, "teapots"), /href="\/c\/pots"/u);
    const nothing = await open(shop, "zzzzzz");
    assert.match(nothing, /No results found for “zzzzzz”/u);
    assert.match(nothing, /Tea towel/u);
  });

  it("offers the best match first where there are search terms", async () => {
    const shop = await createShop();
    assert.match(await open(shop, "tea"), /<option value="relevance" selected/u);
    const all = await shop.raw("/products", { headers: { accept: "text/html" } });
    assert.doesNotMatch(await all.text(), /value="relevance"/u);
  });
});
