/** The page of an order: who may open it, what it shows, and what its buyer may do. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { CheckoutResult } from "../../../src/shop/checkout/checkout.ts";
import { toPayToken } from "../../../src/shop/orders/token.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { addProduct, order, setProvider } from "../goods.ts";
import { createShopBrowser, readFields } from "./shop-browser.ts";

let app: TestShop;
let placed: CheckoutResult;

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  const { id } = await addProduct(app, { keys: ["AAAA-<1>"], title: "Licence <b>" });
  placed = await order(app, [{ productId: id }]);
});

const pathOf = ({ order: { number } }: CheckoutResult): string => `/orders/${number}`;

async function pay({ order: { id } }: CheckoutResult): Promise<void> {
  const answer = await app.admin("POST", `/api/admin/orders/${id}/mark-paid`, { reference: "bank 1" });
  assert.ok(answer.status < 300, await answer.text());
}

describe("the page of an order", () => {
  it("opens by the link of an email, whose token never appears in a URL again", async () => {
    const browser = createShopBrowser(app);
    const first = await browser.request(`${pathOf(placed)}?token=${placed.orderToken}`);
    assert.equal(first.status, 303);
    assert.equal(first.headers.get("location"), `${pathOf(placed)}?from=link`);
    assert.match(first.headers.getSetCookie().join(), /__Host-trivet_orders=[^;]+;.*HttpOnly.*SameSite=Lax/u);
    const page = await browser.open(pathOf(placed));
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("cache-control"), "no-store");
    assert.equal(page.headers.get("referrer-policy"), "same-origin");
    assert.ok(!page.text.includes(placed.orderToken));
    assert.match(page.text, /is awaiting payment/u);
    assert.match(page.text, /Licence &lt;b&gt;/u);
  });

  it("looks for strangers like one that there is not", async () => {
    const stranger = createShopBrowser(app);
    const other = await order(app, [{ productId: placed.order.lines[0]?.productId ?? "" }]).catch(
      () => placed,
    );
    const texts = new Set<string>();
    for (const path of [
      pathOf(placed),
      `${pathOf(placed)}?token=ot_wrong`,
      "/orders/261121-AAAAAAAA",
      `${pathOf(placed)}?token=${other.order.id === placed.order.id ? "ot_x" : other.orderToken}`,
    ]) {
      const page = await stranger.open(path);
      assert.equal(page.status, 404, path);
      texts.add(/<main[^]*<\/main>/u.exec(page.text)?.[0] ?? "");
    }
    assert.equal(texts.size, 1);
    for (const action of ["cancel", "confirm", "claim", "payment"])
      assert.equal(
        (await stranger.open(`${pathOf(placed)}/${action}`, { method: "test" })).status,
        404,
        action,
      );
    assert.equal((await stranger.open(`${pathOf(placed)}/state`)).status, 404);
  });

  it("shows buyers who return from the payment on another device its status, and nothing else", async () => {
    const { id } = placed.order;
    const phone = createShopBrowser(app);
    const page = await phone.open(`${pathOf(placed)}?token=${toPayToken(app.shop.deps.box, id)}`);
    assert.match(page.text, /is awaiting payment/u);
    assert.match(page.text, /<noscript><meta http-equiv="refresh" content="8/u);
    await pay(placed);
    const paid = await phone.open(pathOf(placed));
    assert.match(paid.text, /Payment received, thank you/u);
    assert.ok(!paid.text.includes("AAAA-") && !paid.text.includes("ann@example.org"));
    const refused = await phone.open(`${pathOf(placed)}/confirm`, {});
    assert.equal(refused.status, 422);
    assert.ok(!refused.text.includes("AAAA-"));
  });

  it("shows what was handed over once it is paid, and takes the receipt", async () => {
    const browser = createShopBrowser(app);
    await browser.open(`${pathOf(placed)}?token=${placed.orderToken}`);
    await pay(placed);
    const page = await browser.open(pathOf(placed));
    assert.match(page.text, /AAAA-&lt;1&gt;/u);
    const done = await browser.open(`${pathOf(placed)}/confirm`, {});
    assert.match(done.text, /Your order is complete/u);
    const late = await browser.open(`${pathOf(placed)}/cancel`, {});
    assert.equal(late.status, 409);
    assert.match(late.text, /no longer possible because the order has changed/u);
  });

  it("lets its buyer cancel while it waits", async () => {
    const browser = createShopBrowser(app);
    await browser.open(`${pathOf(placed)}?token=${placed.orderToken}`);
    const page = await browser.open(`${pathOf(placed)}/cancel`, {});
    assert.equal(page.path, `${pathOf(placed)}?done=canceled`);
    assert.match(page.text, /Order canceled/u);
    const state = await (await browser.request(`${pathOf(placed)}/state?was=x`)).json();
    assert.deepEqual(state, { state: "canceled 0 none" });
  });

  it("says how to pay by transfer, and tells the shop when it was done", async () => {
    await app.setSmtp({ adminAddress: "owner@example.org" });
    await app.setSite({ languages: ["en", "de", "zh"] });
    await setProvider(app, { payUrlTemplate: "", instructions: "IBAN DE02\nCorner shop" });
    const browser = createShopBrowser(app);
    await browser.open(`${pathOf(placed)}?token=${placed.orderToken}`);
    const page = await browser.open(pathOf(placed));
    assert.match(page.text, /IBAN DE02\nCorner shop/u);
    assert.match(page.text, /data-copy="10\.00"[^>]*><code[^>]*>10\.00<\/code><\/span> EUR</u);
    const german = await browser.open(`${pathOf(placed)}?lang=de`);
    assert.match(german.text, /data-copy="10,00"[^>]*><code[^>]*>10,00<\/code><\/span> EUR</u);
    assert.match(page.text, new RegExp(`data-copy="${placed.order.number}"`, "u"));
    await browser.open(`${pathOf(placed)}/claim`, {});
    assert.match((await app.mails("owner@example.org"))[0]?.subject ?? "", /reports a payment/u);
  });

  it("offers other ways to pay when its own was removed", async () => {
    await setProvider(app, { word: "bank", payUrlTemplate: "", instructions: "IBAN DE02" });
    const browser = createShopBrowser(app);
    const page = await browser.open(`${pathOf(placed)}?token=${placed.orderToken}`);
    assert.match(page.text, /payment method is no longer available/u);
    assert.doesNotMatch(page.text, /Payment instructions|I’ve paid/u);
    assert.match(page.text, /<details[^>]* open[^>]*><summary>Use a different payment method/u);
    const other = await browser.open(`${pathOf(placed)}/payment`, { method: "bank" });
    assert.match(other.text, /IBAN DE02/u);
  });

  it("can be found again by number and address, with the same answer when there is none", async () => {
    const browser = createShopBrowser(app);
    const form = await browser.open("/find-order");
    const found = await browser.send(form, { number: placed.order.number, email: "ann@example.org" });
    const none = await browser.send(form, { number: "261121-AAAAAAAA", email: "ann@example.org" });
    assert.deepEqual([found.path, found.text], [none.path, none.text]);
    const links = (await app.mails("ann@example.org")).filter(({ kind }) => kind === "order_link");
    assert.ok(
      links[0]?.text.includes(`https://shop.example.org${pathOf(placed)}?token=${placed.orderToken}`),
    );
  });

  it("is withdrawn from in two steps", async () => {
    const browser = createShopBrowser(app);
    await browser.open(`${pathOf(placed)}?token=${placed.orderToken}`);
    const first = await browser.open(`/withdraw?order=${placed.order.number}`);
    const second = await browser.send(first, { name: "Ann <i>" });
    assert.match(second.text, /Confirm withdrawal/u);
    assert.match(second.text, /Ann &lt;i&gt;/u);
    assert.equal(
      (await app.mails("ann@example.org")).filter(({ kind }) => kind.includes("withdraw")).length,
      0,
    );
    const third = await browser.send(second, {}, "/withdraw/confirm");
    assert.match(third.text, /We’ve received your withdrawal/u);
    assert.equal((await browser.open("/withdraw/confirm", { confirmation: "v1.wrong" })).status, 422);
  });

  it("says what was withdrawn from, and takes the same units no second time", async () => {
    const mug = await addProduct(app, { title: "Mug", deliveryType: "manual" });
    const cup = await addProduct(app, { title: "Cup", deliveryType: "manual" });
    const both = await order(app, [
      { productId: mug.id, quantity: 2 },
      { productId: cup.id, quantity: 1 },
    ]);
    await pay(both);
    const browser = createShopBrowser(app);
    await browser.open(`${pathOf(both)}?token=${both.orderToken}`);
    const path = `/withdraw?order=${both.order.number}`;
    const [first, second] = both.order.lines.map(({ id }) => `line.${id}`);
    const form = await browser.open(path);
    const { [first ?? ""]: _first, [second ?? ""]: _second, ...unticked } = readFields(form.text);
    const none = await browser.open("/withdraw", { ...unticked, name: "Ann" });
    assert.equal(none.status, 422);
    assert.match(none.text, /href="#field-lines">Select at least one item/u);
    const part = await browser.open("/withdraw", { ...unticked, name: "Ann", [first ?? ""]: "on" });
    await browser.send(part, {}, "/withdraw/confirm");
    const between = await browser.open(pathOf(both));
    assert.match(between.text, /We received your withdrawal on [^:]+:[^]*2 × Mug/u);
    assert.match(between.text, /href="\/withdraw\?order=/u);
    const rest = await browser.send(await browser.open(path), { name: "Ann" });
    assert.match(rest.text, /1 × Cup/u);
    assert.doesNotMatch(rest.text, /Mug/u);
    await browser.send(rest, {}, "/withdraw/confirm");
    const page = await browser.open(pathOf(both));
    assert.match(page.text, /You withdrew from this order/u);
    assert.doesNotMatch(page.text, /preparing your order|href="\/withdraw\?order=/u);
    assert.match((await browser.open(path)).text, /nothing left to withdraw from/u);
    assert.equal((await browser.open("/withdraw", { ...unticked, name: "Ann" })).status, 422);
  });

  it("thanks for no payment that was given back", async () => {
    await pay(placed);
    const { total: amount } = placed.order;
    const back = await app.admin("POST", `/api/admin/orders/${placed.order.id}/refund`, { amount });
    assert.equal(back.status, 200, await back.text());
    const browser = createShopBrowser(app);
    const page = await browser.open(`${pathOf(placed)}?token=${placed.orderToken}`);
    assert.match(page.text, /<h1>Order refunded/u);
  });
});
