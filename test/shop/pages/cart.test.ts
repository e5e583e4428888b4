/** The cart: what goes in, what changes meanwhile, and what it costs. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { products, stock } from "../../../src/shop/products/records.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { StoreError } from "../../../src/store/store.ts";
import { createTestShop } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";
import { createShopBrowser } from "./shop-browser.ts";

const COOKIE = "__Host-trivet_cart";

describe("the cart", () => {
  it("takes things in, changes how many, takes them out, and shows what it costs", async () => {
    const app = await createTestShop();
    const mug = await addProduct(app, { id: "prd_mug" });
    const lamp = await addProduct(app, { id: "prd_lamp", title: "Lamp", price: 2_500 });
    const { open, cookies } = createShopBrowser(app);
    await open(`/p/${mug.slug}`);
    assert.ok((await open("/cart")).text.includes("Your cart is empty"));
    const added = await open("/cart", { productId: mug.id, quantity: "2" });
    assert.equal(added.path, "/cart?done=added");
    await open("/cart", { productId: lamp.id, quantity: "1" });
    const { text } = await open("/cart");
    assert.ok(text.includes("€45.00") && text.includes('href="/checkout"'), text);
    const changed = await open("/cart/change", { "q-prd_mug.": "3", "q-prd_lamp.": "0" });
    assert.ok(changed.text.includes("€30.00") && !changed.text.includes("Lamp"));
    const wrong = await open("/cart/change", { "q-prd_mug.": "many" });
    assert.equal(wrong.status, 422);
    assert.ok(wrong.text.includes("Enter a whole number") && wrong.text.includes('value="many"'));
    const emptied = await open("/cart/change", { remove: "prd_mug." });
    assert.ok(emptied.text.includes("Your cart is empty"));
    assert.equal(cookies.get(COOKIE), undefined);
  });

  it("takes no more than may be ordered at once, a double click once, and nothing that is not sold", async () => {
    const app = await createTestShop();
    const { id, slug } = await addProduct(app, { maxQuantity: 3 });
    const { open, cookies } = createShopBrowser(app);
    await open(`/p/${slug}`);
    await open("/cart", { productId: id, quantity: "2" });
    await open("/cart", { productId: id, quantity: "2" });
    assert.equal(cookies.get(COOKIE), `${id}..2`);
    const more = await open("/cart", { productId: id, quantity: "5" });
    assert.equal(more.path, "/cart?done=addedMost");
    assert.equal(cookies.get(COOKIE), `${id}..3`);
    const unknown = await open("/cart", { productId: "prd_none", quantity: "1" });
    assert.equal(unknown.status, 422);
    assert.ok(unknown.text.includes("no longer available and wasn’t added"));
    const variants = [1, 2].map((n) => ({ id: `var_${n}`, sku: "", options: { Size: `${n}` }, price: 100 }));
    const shirt = await addProduct(app, { variants });
    const unchosen = await open("/cart", { productId: shirt.id, quantity: "1" });
    assert.ok(unchosen.text.includes("Select a variant"), unchosen.text);
  });

  it("says of each line what changed since it was put in, and leads on when that is settled", async () => {
    const app = await createTestShop();
    const few = await addProduct(app, { id: "prd_few", title: "Few" });
    const gone = await addProduct(app, { id: "prd_gone", title: "Gone" });
    const { open, fill } = createShopBrowser(app);
    fill([
      { id: few.id, quantity: 4 },
      { id: gone.id, quantity: 1 },
      { id: "prd_never", quantity: 1 },
    ]);
    await app.store.transact(async (tx) => {
      await tx.adjust(stock, few.id, { field: "onHand", by: -7 });
      const record = await tx.get(products, gone.id);
      if (record !== undefined) await tx.put(products, { ...record, status: "draft" });
    });
    const { text } = await open("/cart");
    assert.ok(text.includes("Only 3 left") && text.includes("Unavailable product"), text);
    assert.ok(!text.includes('href="/checkout"') && text.includes("Fix the issues above"));
    fill([{ id: few.id, quantity: 3 }]);
    assert.ok((await open("/cart")).text.includes('href="/checkout"'));
    await app.setSite({ checkoutOpen: false });
    const closed = (await open("/cart")).text;
    assert.ok(closed.includes("not accepting orders right now") && !closed.includes('href="/checkout"'));
  });

  it("keeps to itself: another site's forms, browsers without cookies, and what is no cart", async () => {
    const app = await createTestShop();
    const { id } = await addProduct(app);
    const stranger = createShopBrowser(app, { headers: { "sec-fetch-site": "cross-site" } });
    assert.equal((await stranger.open("/cart", { productId: id, quantity: "1" })).status, 403);
    const first = createShopBrowser(app);
    const refused = await first.open("/cart", { productId: id, quantity: "1" });
    assert.equal(refused.status, 400);
    assert.ok(refused.text.includes("is blocking cookies"));
    first.cookies.set(COOKIE, "<script>~prd_x..0~..~prd_x..1e9");
    const page = await first.open("/cart");
    assert.ok(page.status === 200 && page.text.includes("Your cart is empty"));
    assert.equal(page.headers.get("cache-control"), "no-store");
  });

  it("shows what is in it, and pages of the catalogue, while the store is away", async () => {
    const memory = createMemoryStore({ collections: shopCollections });
    let isAway = false;
    const store: typeof memory = {
      ...memory,
      read: (work) =>
        isAway ? Promise.reject(new StoreError("store_unavailable", "The store is away")) : memory.read(work),
    };
    const app = await createTestShop({ store });
    const { id, slug } = await addProduct(app, { title: "Mug" });
    const { open, fill } = createShopBrowser(app);
    fill([{ id, quantity: 2 }]);
    isAway = true;
    const cart = await open("/cart");
    assert.equal(cart.status, 200);
    assert.ok(cart.text.includes("€20.00") && cart.text.includes("calculate the total right now"), cart.text);
    for (const path of ["/", `/p/${slug}`, "/search?q=mug", "/feed.xml"])
      assert.equal((await open(path)).status, 200, path);
  });
});
