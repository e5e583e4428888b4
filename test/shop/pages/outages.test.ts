/** The storefront while its store is out of reach: what is in memory is shown, the rest says so. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { CheckoutResult } from "../../../src/shop/checkout/checkout.ts";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { type Store, StoreError } from "../../../src/store/store.ts";
import { createTestShop } from "../app-fixture.ts";
import { addProduct, order, setProvider } from "../goods.ts";
import { type ShopBrowser, type ShopPage, createShopBrowser } from "./shop-browser.ts";

function assertSaid(page: ShopPage, what: string): void {
  assert.equal(page.status, 503, what);
  assert.ok(Number(page.headers.get("retry-after")) >= 1, what);
  assert.match(page.text, /[Tt]ry again in a (?:few seconds|moment)/u, what);
}

describe("the storefront without its store", () => {
  let isDown = false;
  let browser: ShopBrowser;
  let lamp: ProductRecord;
  let placed: CheckoutResult;

  beforeEach(async () => {
    isDown = false;
    const inner = createMemoryStore({ collections: shopCollections });
    const reach = <R>(work: () => Promise<R>): Promise<R> =>
      isDown ? Promise.reject(new StoreError("store_unavailable", "The database is away")) : work();
    const store: Store = {
      ...inner,
      read: (work) => reach(() => inner.read(work)),
      transact: (work) => reach(() => inner.transact(work)),
      check: () => reach(() => inner.check()),
    };
    const app = await createTestShop({ store });
    await setProvider(app);
    await app.setSite({
      categories: [{ id: "light", title: "Light", description: "", parentId: "", sortOrder: 0 }],
      pages: [{ slug: "terms", title: "Terms", body: "Our lamp terms" }],
    });
    lamp = await addProduct(app, { title: "Lamp", categoryId: "light" });
    placed = await order(app, [{ productId: lamp.id }]);
    browser = createShopBrowser(app);
    browser.fill([{ id: lamp.id, quantity: 2 }]);
    await browser.open(`/orders/${placed.order.number}?token=${placed.orderToken}`);
  });

  it("shows what is in memory: the catalogue, the cart, legal pages", async () => {
    isDown = true;
    for (const path of [
      "/",
      "/?sort=newest",
      "/c/light",
      "/search?q=lamp",
      `/p/${lamp.slug}`,
      "/cart",
      "/legal/terms",
    ]) {
      const page = await browser.open(path);
      assert.equal(page.status, 200, path);
      assert.match(page.text, /lamp/iu, path);
    }
    for (const path of ["/feed.xml", "/sitemap.xml", "/find-order", "/withdraw"])
      assert.equal((await browser.open(path)).status, 200, path);
  });

  it("keeps what goes into the cart, and says that its sums come later", async () => {
    isDown = true;
    const cart = await browser.open("/cart", { productId: lamp.id, quantity: "1" });
    assert.equal(cart.status, 200);
    assert.match(cart.text, /Your cart is saved/u);
    assert.match(cart.text, /badge num">3</u);
  });

  it("says so where it has to read or write, with when to try again", async () => {
    const { number } = placed.order;
    const finder = await browser.open("/find-order");
    const checkout = await browser.open("/checkout");
    isDown = true;
    for (const path of ["/checkout", `/orders/${number}`, `/orders/${number}/pay`])
      assertSaid(await browser.open(path), path);
    const ordering = await browser.send(checkout, { "contact.email": "ben@example.org", do: "order" });
    assertSaid(ordering, "the checkout");
    assert.ok(ordering.text.includes('value="ben@example.org"'), "what was typed is kept");
    const asked = await browser.send(finder, { number, email: "ann@example.org" });
    assertSaid(asked, "the finder");
    assert.ok(asked.text.includes(`value="${number}"`), "what was typed is kept");
    isDown = false;
    assert.equal((await browser.open(`/orders/${number}`)).status, 200);
  });
});
