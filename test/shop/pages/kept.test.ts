/** Pages of the catalogue that are kept: each visitor gets their own token and cart, and nothing old. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createKeptPages } from "../../../src/html/kept-pages.ts";
import { createTestShop } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";
import { createShopBrowser, readFields } from "./shop-browser.ts";

const decoder = new TextDecoder();

describe("kept pages", () => {
  it("give each one its own values in the places of a page, and nothing of another version", () => {
    const kept = createKeptPages({ holes: ["token", "cart"] });
    const { token, cart } = kept.placeholders;
    kept.keep("a", "1", `<i>${cart}</i><b>${token}</b><b>${token}</b>ü`);
    const page = (values: { token: string; cart: string }): string =>
      decoder.decode(kept.find("a", "1", values));
    assert.equal(page({ token: "t", cart: "" }), "<i></i><b>t</b><b>t</b>ü");
    assert.equal(page({ token: "ää", cart: "2" }), "<i>2</i><b>ää</b><b>ää</b>ü");
    assert.equal(kept.find("a", "2", { token: "", cart: "" }), undefined);
  });

  it("hold no more bytes than they may, and evict the least recently used", () => {
    const kept = createKeptPages({ holes: ["token"], maxBytes: 30 });
    const has = (name: string): boolean => kept.find(name, "1", { token: "" }) !== undefined;
    kept.keep("a", "1", "x".repeat(10));
    kept.keep("b", "1", "x".repeat(10));
    kept.keep("a", "1", "y".repeat(10));
    kept.keep("c", "1", "x".repeat(10));
    assert.ok(has("b"));
    kept.keep("d", "1", "x".repeat(10));
    assert.deepEqual(["a", "b", "c", "d"].map(has), [false, true, true, true]);
    kept.keep("e", "1", "x".repeat(31));
    assert.ok(!has("e"));
  });

  it("show each visitor their own cart and a token that counts, and changes at once", async () => {
    const app = await createTestShop();
    const { id, slug } = await addProduct(app, { title: "Mug" });
    const [ann, bob] = [createShopBrowser(app), createShopBrowser(app)];
    const first = readFields((await ann.open(`/p/${slug}`)).text)["form"];
    const second = readFields((await bob.open(`/p/${slug}`)).text)["form"];
    assert.ok(first !== undefined && first !== second);
    await ann.open("/cart", { productId: id, quantity: "3" });
    assert.match((await ann.open(`/p/${slug}`)).text, /class="badge num">3</u);
    assert.doesNotMatch((await bob.open(`/p/${slug}`)).text, /class="badge/u);
    // A browser that says nothing of who sent the form has to bring the token of its own page.
    const textBrowser = createShopBrowser(app);
    const { form = "" } = readFields((await textBrowser.open(`/p/${slug}`)).text);
    const cookie = [...textBrowser.cookies].map((pair) => pair.join("=")).join("; ");
    const send = (token: string): Promise<Response> =>
      app.raw("/cart", {
        method: "POST",
        headers: { accept: "text/html", cookie, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ productId: id, quantity: "1", form: token }).toString(),
      });
    assert.equal((await send(first)).status, 403);
    assert.equal((await send(form)).status, 303);
    const before = (await app.admin("GET", `/api/admin/products/${id}`)).headers.get("etag") ?? "";
    const changed = await app.admin(
      "PATCH",
      `/api/admin/products/${id}`,
      { title: "Cup" },
      { "if-match": before },
    );
    assert.equal(changed.status, 200, await changed.clone().text());
    assert.ok((await ann.open(`/p/${slug}`)).text.includes("<h1>Cup</h1>"));
    await app.setSite({ name: "Harbour" });
    assert.ok((await ann.open(`/p/${slug}`)).text.includes("Cup · Harbour"));
  });

  it("show cards of products as they are now, in searches too", async () => {
    const app = await createTestShop();
    await app.setSite({ languages: ["en", "de", "zh"] });
    const { id } = await addProduct(app, { title: "Mug", price: 1_290, onHand: 1 });
    const search = async (language = "en"): Promise<string> =>
      (await createShopBrowser(app, { language }).open("/search?q=mug")).text;
    assert.match(await search(), /€12\.90/u);
    assert.match(await search("de"), /12,90\s€/u);
    assert.match(await search(), /Only a few left/u);
    await app.setSite({ stockDisplay: "hidden" });
    assert.doesNotMatch(await search(), /Only a few left/u);
    const before = (await app.admin("GET", `/api/admin/products/${id}`)).headers.get("etag") ?? "";
    await app.admin("PATCH", `/api/admin/products/${id}`, { price: 990 }, { "if-match": before });
    assert.match(await search(), /€9\.90/u);
  });

  it("speak the language of who comes, of those that the shop speaks", async () => {
    const app = await createTestShop();
    await app.setSite({ languages: ["en", "zh"] });
    const elsewhere = await createShopBrowser(app, { language: "de, zh;q=0.8" }).open("/");
    assert.ok(elsewhere.text.includes("购物车"));
    assert.doesNotMatch(elsewhere.text, /value="de"/u);
    assert.match(elsewhere.text, /value="en"/u);
    await app.setSite({ languages: ["en"] });
    const english = await createShopBrowser(app, { language: "de" }).open("/?lang=de");
    assert.ok(english.text.includes("All products"));
    assert.doesNotMatch(english.text, /action="\/language"/u);
    await app.setSite({ languages: ["en", "de", "zh"] });
    await addProduct(app);
    assert.ok((await createShopBrowser(app, { language: "de" }).open("/")).text.includes("Warenkorb"));
    assert.ok((await createShopBrowser(app, { language: "zh-CN" }).open("/")).text.includes("购物车"));
    assert.ok(
      (await createShopBrowser(app, { language: "de" }).open("/?lang=en")).text.includes("All products"),
    );
  });
});
