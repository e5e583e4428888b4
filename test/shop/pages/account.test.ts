/** Pages of the storefront for who signed in at the auth center, and what is left of them while that is away. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { PASSWORD } from "../../auth/app-fixture.ts";
import { type Browser, createBrowser, signIn } from "../../auth/pages/browser.ts";
import { type OwnCenter, cookiesOf, openOwnCenter } from "../../support/own-center.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";
import { type ShopBrowser, createShopBrowser, readFields } from "./shop-browser.ts";

describe("pages of who is signed in", () => {
  let center: OwnCenter;
  let shop: TestShop;
  let person: Browser;
  let browser: ShopBrowser;

  before(async () => {
    center = await openOwnCenter();
  });
  after(() => center.close());
  beforeEach(async () => {
    center.isUp = true;
    await center.reset();
    const publicUrl = "http://localhost";
    shop = await createTestShop({
      clock: center.auth.clock,
      center: await center.connect("shop"),
      publicUrl,
      userCheck: {
        validateRequest: () => Promise.resolve({ status: "refused" }),
        readAddresses: () => Promise.resolve({ status: "known", addresses: ["ann@example.org"] }),
      },
    });
    await setProvider(shop);
    await center.auth.signUp("ann");
    person = createBrowser(center.auth);
    await signIn(person, "ann", PASSWORD);
    browser = createShopBrowser(shop);
  });

  /** Signs in, as a browser that comes back from the center. */
  async function enter(path: string): Promise<void> {
    const begun = await shop.raw(`/sign-in?rd=${encodeURIComponent(path)}`);
    const cookie = cookiesOf(begun);
    const entered = await shop.raw(await center.passThrough(person, begun), { headers: { cookie } });
    const [, value = assert.fail("no session")] = /shop_session=([^;]+)/u.exec(cookiesOf(entered)) ?? [];
    browser.cookies.set("shop_session", value);
  }

  it("lead to the sign-in and to the finder, until there is a session", async () => {
    for (const path of ["/orders", "/wishlist"]) {
      const page = await browser.open(path);
      assert.ok(page.text.includes(`href="/sign-in?rd=${encodeURIComponent(path)}"`), path);
      assert.ok(page.text.includes('href="/find-order"'), path);
    }
    await enter("/orders");
    const mine = await browser.open("/orders");
    assert.match(mine.text, /Signed in as/u);
    assert.equal(mine.headers.get("cache-control"), "no-store");
  });

  it("keep the sign-in fresh, and take orders for the account", async () => {
    const { id } = await addProduct(shop);
    await enter("/checkout");
    browser.cookies.set("trivet_cart", `${id}..1`);
    const before = browser.cookies.get("shop_session");
    center.auth.clock.advance(20 * 60_000);
    const page = await browser.open("/checkout");
    assert.notEqual(browser.cookies.get("shop_session"), before);
    assert.equal(readFields(page.text)["contact.email"], "ann@example.org");
    await browser.send(page, { do: "order" });
    const list = await browser.open("/orders");
    assert.match(list.text, /Awaiting payment/u);
    const [, number = ""] = /href="\/orders\/([\w-]+)"/u.exec(list.text) ?? [];
    browser.cookies.delete("trivet_orders");
    assert.equal((await browser.open(`/orders/${number}`)).status, 200);
    assert.equal((await createShopBrowser(shop).open(`/orders/${number}`)).status, 404);
  });

  it("keep a wishlist with its notices", async () => {
    const { id, slug } = await addProduct(shop, { title: "Lamp" });
    const product = await browser.open(`/p/${slug}`);
    assert.match(product.text, /action="\/wishlist\/add"/u);
    // Browsers follow no form to another origin, and the sign-in is one: a link of a page of ours leads there.
    const first = await browser.open("/wishlist/add", { productId: id, rd: `/p/${slug}` });
    assert.equal(first.path.split("?")[0], "/wishlist");
    assert.ok(first.text.includes(`href="/sign-in?rd=${encodeURIComponent(`/p/${slug}`)}"`));
    const evil = await browser.open("/wishlist/add", { productId: id, rd: "//evil.example/" });
    assert.match(evil.text, /href="\/sign-in\?rd=%2Fwishlist"/u);
    await enter("/wishlist");
    const added = await browser.open("/wishlist/add", { productId: id });
    assert.match(added.text, /Lamp/u);
    const changed = await browser.open("/wishlist/change", { productId: id, notifyPriceDrop: "on" });
    assert.match(changed.text, /name="notifyPriceDrop" checked/u);
    await browser.open("/wishlist/remove", { productId: id });
    assert.match((await browser.open("/wishlist/remove", { productId: id })).text, /Your wishlist is empty/u);
  });

  it("sign out by the token of their form, which also forgets opened orders", async () => {
    await enter("/orders");
    const page = await browser.open("/orders");
    browser.cookies.set("trivet_orders", "261121-AAAAAAAA:ot_x");
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const send = (form: string): Promise<Response> =>
      shop.raw("/sign-out", {
        method: "POST",
        headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ form }).toString(),
      });
    assert.equal((await send("")).status, 403);
    const done = await send(readFields(page.text)["form"] ?? "");
    assert.equal(done.status, 303);
    const cleared = done.headers.getSetCookie().join();
    assert.match(cleared, /shop_session=;/u);
    assert.match(cleared, /trivet_orders=;/u);
  });

  it("say so while the center is away, and let people buy as guests", async () => {
    const { id } = await addProduct(shop);
    await enter("/orders");
    center.auth.clock.advance(20 * 60_000);
    center.isUp = false;
    const away = await browser.open("/orders");
    assert.equal(away.status, 503);
    assert.match(away.text, /Sign-in is unavailable right now/u);
    browser.cookies.set("trivet_cart", `${id}..1`);
    const page = await browser.open("/checkout");
    assert.match(page.text, /You can check out as a guest/u);
    const ordered = await browser.send(page, { do: "order", "contact.email": "ann@example.org" });
    assert.match(ordered.path, /^\/orders\/[\w-]+\/pay$/u);
    assert.equal((await browser.open(ordered.path.replace("/pay", ""))).status, 200);
  });
});
