/** The checkout as a person without script meets it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orders } from "../../../src/shop/orders/records.ts";
import type { SiteSettings } from "../../../src/shop/site/schema.ts";
import { openOwnCenter } from "../../support/own-center.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";
import { createShopBrowser, readFields } from "./shop-browser.ts";

async function listOrders(app: TestShop) {
  return (await app.store.read((tx) => tx.list(orders, "byCreated", { limit: 50 }))).items;
}

const ORDER = { do: "order", "contact.email": "ann@example.org" };

const post: SiteSettings["shipping"]["methods"][number] = {
  id: "post",
  title: "Parcel",
  description: "",
  deliveryTime: "2 to 4 days",
  translations: {},
  countries: ["DE", "AT"],
  excludedCountries: [],
  by: "value",
  enabled: true,
  sortOrder: 0,
  steps: [{ from: 0, price: 500 }],
};

const ADDRESS = {
  "shippingAddress.name": "Ann Smith",
  "shippingAddress.line1": "Road 1",
  "shippingAddress.postalCode": "10115",
  "shippingAddress.city": "Town",
  country: "DE",
};

describe("the checkout", () => {
  it("creates an order from the cart, empties it, and leads to the payment", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const mug = await addProduct(app);
    const browser = createShopBrowser(app);
    browser.fill([{ id: mug.id, quantity: 2 }]);
    const page = await browser.open("/checkout");
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("cache-control"), "no-store");
    assert.match(page.text, /€20\.00/u);
    const next = await browser.send(page, ORDER);
    const [order = assert.fail()] = await listOrders(app);
    assert.equal(next.path, `/orders/${order.number}/pay`);
    const url = `https://pay.example.org/?order=${order.id}&amount=20.00`;
    assert.equal(next.headers.get("refresh"), `0; url=${url}`);
    assert.ok(next.text.includes(url.replace("&", "&amp;")), "a link for who is not led on");
    assert.equal(order.total, 2_000);
    assert.equal(browser.cookies.get("__Host-trivet_cart"), undefined);
    assert.match((await browser.open("/checkout")).text, /Your cart is empty/u);
  });

  it("says where it is found again when it is shown with what is wrong", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const mug = await addProduct(app);
    const browser = createShopBrowser(app);
    browser.fill([{ id: mug.id }]);
    const page = await browser.open("/checkout");
    assert.doesNotMatch(page.text, /rel="self"/u);
    // The browser of the test sends what all forms of the page have: this is of the choice of a language.
    const refused = await browser.send(page, { ...ORDER, "contact.email": "", rd: "" });
    assert.equal(refused.status, 422);
    const link = /<link rel="self" href="\/checkout"\/><script type="module" src="([^"]+)">/u;
    const script = await app.raw(link.exec(refused.text)?.[1] ?? "");
    assert.match(script.headers.get("content-type") ?? "", /^text\/javascript/u);
  });

  it("creates one order from a form that is sent twice, also later, and asks before it creates a second", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const mug = await addProduct(app);
    const browser = createShopBrowser(app);
    browser.fill([{ id: mug.id }]);
    const page = await browser.open("/checkout");
    const [first, second] = await Promise.all([browser.send(page, ORDER), browser.send(page, ORDER)]);
    assert.equal(first.path, second.path);
    app.clock.advance(60_000);
    assert.equal((await browser.send(page, ORDER)).path, first.path);
    assert.equal((await listOrders(app)).length, 1);
    const other = await browser.send(page, { ...ORDER, note: "one more" });
    assert.equal(other.status, 422);
    assert.match(other.text, /already placed an order from this page/u);
    await browser.send(other, { do: "order" });
    assert.equal((await listOrders(app)).length, 2);
  });

  it("charges no price that was not shown", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const mug = await addProduct(app);
    const browser = createShopBrowser(app);
    browser.fill([{ id: mug.id }]);
    const page = await browser.open("/checkout");
    await read(
      await app.admin("PATCH", `/api/admin/products/${mug.id}`, { price: 1_200 }, { "if-match": '"1"' }),
    );
    const again = await browser.send(page, ORDER);
    assert.equal(again.status, 409);
    assert.match(again.text, /The price has changed to €12\.00/u);
    assert.equal((await listOrders(app)).length, 0);
    assert.match((await browser.send(again, { do: "order" })).path, /\/pay$/u);
    const { expectedTotal: _total, ...unseen } = readFields(page.text);
    assert.equal((await browser.open("/checkout", { ...unseen, ...ORDER })).status, 409);
  });

  it("names each fault at its field, and loses nothing that was typed", async () => {
    const app = await createTestShop();
    await setProvider(app);
    await app.setSite({ shipping: { methods: [post] }, currency: "EUR" });
    const shirt = await addProduct(app, {
      deliveryType: "shipping",
      title: "Shirt",
      onHand: 1,
      inputs: [
        { key: "print", label: "Name on it", kind: "text", required: true, options: [], maxLength: 20 },
      ],
    });
    const browser = createShopBrowser(app);
    browser.fill([{ id: shirt.id, quantity: 2 }]);
    const page = await browser.open("/checkout");
    assert.match(page.text, /Only 1 left/u);
    const empty = await browser.send(page, { do: "order", note: '"><script>alert(1)</script>' });
    assert.equal(empty.status, 422);
    for (const field of ["contact.email", "shippingAddress.name", "shippingAddress.postalCode", "country"])
      assert.ok(empty.text.includes(`<a href="#field-${field}">`), field);
    assert.match(empty.text, /class="faults" role="alert" tabindex="-1" autofocus/u);
    assert.ok(!empty.text.includes("<script>alert"));
    assert.equal(readFields(empty.text)["note"], "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    const noCode = await browser.send(page, { ...ORDER, ...ADDRESS, "shippingAddress.postalCode": "" });
    assert.match(noCode.text, /href="#field-shippingAddress.postalCode">Enter a postal code/u);
    const asked = await browser.send(page, { ...ORDER, ...ADDRESS });
    assert.ok(
      asked.text.includes('<a href="#field-items.0.inputs.print">Name on it is required'),
      asked.text,
    );
    const short = await browser.send(page, {
      ...ORDER,
      ...ADDRESS,
      "items.0.inputs.print": "Ann",
      do: "order",
    });
    assert.match(short.text, /Shirt: Only 1 left|price has changed/u);
    assert.equal(readFields(short.text)["items.0.inputs.print"], "Ann");
    assert.equal(readFields(short.text)["shippingAddress.line1"], "Road 1");
  });

  it("shows other sums for another country or coupon before anything is ordered", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const tax = { enabled: true, destination: "buyer" as const };
    await read(
      await app.admin("PATCH", "/api/admin/site", {
        tax,
        seller: { name: "Shop", country: "DE" },
        shipping: {
          methods: [
            { id: "post", title: "Parcel", countries: ["DE", "AT"], steps: [{ from: 0, price: 500 }] },
          ],
        },
      }),
    );
    await read(
      await app.admin("POST", "/api/admin/coupons", { code: "TEN", kind: "percent", value: 1_000 }),
      201,
    );
    const shirt = await addProduct(app, { deliveryType: "shipping", title: "Shirt", price: 2_000 });
    const browser = createShopBrowser(app);
    browser.fill([{ id: shirt.id }]);
    const page = await browser.open("/checkout");
    assert.match(page.text, /VAT 19% \(included\)/u);
    const austria = await browser.send(page, {
      do: "update",
      country: "AT",
      couponCode: "ten",
      note: "kept",
    });
    assert.equal(austria.status, 200);
    assert.match(austria.text, /VAT 20% \(included\)/u);
    assert.match(austria.text, /-€2\.00|−€2\.00/u);
    assert.equal(readFields(austria.text)["note"], "kept");
    const wrong = await browser.send(page, { do: "update", couponCode: "NONE" });
    assert.match(wrong.text, /href="#field-couponCode">This coupon code is invalid or expired/u);
    assert.match(wrong.text, /€25\.00/u);
    const { country: _country, ...withoutCountry } = ADDRESS;
    const austrian = { ...withoutCountry, "shippingAddress.postalCode": "1010" };
    await browser.send(austria, { ...ORDER, ...austrian });
    const [order = assert.fail()] = await listOrders(app);
    assert.deepEqual(
      [order.shippingAddress?.country, order.total, order.couponCode, order.tax?.rates[0]?.rate],
      ["AT", 2_300, "TEN", 2_000],
    );
  });

  it("asks for what the law wants, in its words, and orders with its button", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const key = await addProduct(app, { keys: ["AAAA-1"] });
    const browser = createShopBrowser(app, { language: "de" });
    await app.setSite({ languages: ["de", "en"] });
    browser.fill([{ id: key.id }]);
    const page = await browser.open("/checkout");
    assert.match(page.text, /<button[^>]*value="order"[^>]*>Zahlungspflichtig bestellen</u);
    assert.match(page.text, /Ich stimme ausdrücklich zu/u);
    // All that is missing is named at once.
    const refused = await browser.send(page, { ...ORDER, "contact.email": "" });
    assert.match(refused.text, /href="#field-contact.email"/u);
    assert.match(refused.text, /href="#field-consents.digitalContent"/u);
    await browser.send(refused, { ...ORDER, "consents.digitalContent": "on" });
    const [order = assert.fail()] = await listOrders(app);
    assert.match(order.consents?.digitalContent?.wording ?? "", /Ich stimme ausdrücklich zu/u);
  });

  it("ticks another way of shipping for another country, and says so only to who orders", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const world = { ...post, id: "world", title: "World", countries: ["US"] };
    await app.setSite({ shipping: { methods: [post, world] }, currency: "EUR" });
    const shirt = await addProduct(app, { deliveryType: "shipping", title: "Shirt" });
    const browser = createShopBrowser(app);
    browser.fill([{ id: shirt.id }]);
    const home = await browser.send(await browser.open("/checkout"), { do: "update", ...ADDRESS });
    assert.equal(readFields(home.text)["shippingMethodId"], "post");
    const away = await browser.send(home, { do: "update", country: "US" });
    assert.equal(readFields(away.text)["shippingMethodId"], "world");
    assert.doesNotMatch(away.text, /field-error|class="faults"/u);
    const ordered = await browser.send(home, {
      ...ORDER,
      country: "US",
      "shippingAddress.region": "NY",
    });
    assert.equal(ordered.status, 422);
    assert.match(ordered.text, /a different one is selected now/u);
    assert.match((await browser.send(ordered, ORDER)).path, /\/pay$/u);
  });

  it("promises no payment for what costs nothing", async () => {
    const app = await createTestShop();
    await setProvider(app);
    await app.setSite({ freeGuestOrders: true });
    const key = await addProduct(app, { price: 0, deliveryType: "manual" });
    const browser = createShopBrowser(app);
    browser.fill([{ id: key.id }]);
    const page = await browser.open("/checkout");
    assert.match(page.text, /<button[^>]*value="order"[^>]*>Place order</u);
    assert.doesNotMatch(page.text, /obligation to pay|You’ll pay in the next step/u);
    await browser.send(page, ORDER);
    const [order = assert.fail()] = await listOrders(app);
    assert.equal(order.consents?.orderButton, undefined);
  });

  it("takes orders from its own pages alone", async () => {
    const app = await createTestShop();
    const mug = await addProduct(app);
    const form = { ...ORDER, items: `${mug.id}..1`, expectedTotal: "1000" };
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }]) {
      const other = createShopBrowser(app, { headers });
      await other.open("/checkout");
      assert.equal((await other.open("/checkout", form)).status, 403);
    }
    assert.equal((await listOrders(app)).length, 0);
  });

  it("says with the coupon that a free order needs an account, and comes back from the sign-in with it", async () => {
    const center = await openOwnCenter();
    try {
      const app = await createTestShop({
        center: await center.connect("shop"),
        publicUrl: "http://localhost",
      });
      await setProvider(app);
      const tool = await addProduct(app, { deliveryType: "manual" });
      await read(
        await app.admin("POST", "/api/admin/coupons", { code: "ALL", kind: "percent", value: 10_000 }),
        201,
      );
      const browser = createShopBrowser(app);
      browser.cookies.set("trivet_cart", `${tool.id}..1`);
      const before = await browser.open("/checkout");
      assert.match(before.text, /You can check out as a guest/u);
      const after = await browser.send(before, { do: "update", couponCode: "ALL" });
      assert.doesNotMatch(after.text, /You can check out as a guest/u);
      assert.match(after.text, /This order is free\. Sign in to place it\./u);
      assert.doesNotMatch(after.text, /value="order"/u);
      const [, link = ""] = /href="(\/sign-in\?rd=[^"]*coupon[^"]*)"/u.exec(after.text) ?? [];
      const back = new URL(link, "http://localhost").searchParams.get("rd") ?? "";
      assert.match((await browser.open(back)).text, /name="couponCode"[^>]*value="ALL"/u);
      const body = { items: [{ productId: tool.id, quantity: 1 }], couponCode: "ALL" };
      const preview = await read<{ needsAccount: boolean; total: number }>(
        await app.send("POST", "/api/checkout/preview", { body }),
      );
      assert.deepEqual([preview.total, preview.needsAccount], [0, true]);
      const known = await read<{ needsAccount: boolean }>(
        await app.send("POST", "/api/checkout/preview", { body, as: "ann" }),
      );
      assert.equal(known.needsAccount, false);
    } finally {
      center.close();
    }
  });
});
