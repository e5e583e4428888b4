/** Subscriptions on pages and for administrators: the price before the order, the end in two clicks, and undoing it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toOrderToken } from "../../../src/shop/orders/token.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { type TestShop, code, read } from "../app-fixture.ts";
import { createShopBrowser } from "../pages/shop-browser.ts";
import { openBillingRoom } from "./billing-room.ts";
import {
  DAY,
  YEARLY,
  addRenewing,
  assertRenewalBooks,
  buyRenewing,
  expiryOf,
  kindsOfMails,
  onlySubscription,
  openRenewal,
  openRenewalShop,
  pay,
  runJobs,
} from "./renewal-room.ts";

async function openOrderPage(app: TestShop, order: OrderRecord, language = "en") {
  const browser = createShopBrowser(app, { language });
  await browser.request(`/orders/${order.number}?token=${toOrderToken(app.shop.deps.box, order)}`);
  return browser;
}

async function begin(): Promise<{ app: TestShop; order: OrderRecord; path: string }> {
  const app = await openRenewalShop();
  await app.setSite({ languages: ["en", "de"] });
  await addRenewing(app, YEARLY);
  const order = await buyRenewing(app);
  await runJobs(app);
  const { id } = await onlySubscription(app);
  return { app, order, path: `/orders/${order.number}/subscriptions/${id}` };
}

describe("a renewing license", () => {
  it("says what it costs on its page, in the cart, above the order button, and in the email", async () => {
    const { app } = await openBillingRoom(YEARLY);
    const browser = createShopBrowser(app);
    const words = /Renews every year for €29\.00\. Cancel any time\./u;
    const product = await browser.open("/p/prd-desk");
    assert.match(product.text, words);
    assert.match(product.text, /The price above is for the first year/u);
    assert.match(product.text, /href="\/cancel-contract"/u);
    await browser.send(product, { quantity: "1" }, "/cart");
    assert.match((await browser.open("/cart")).text, words);
    const checkout = (await browser.open("/checkout")).text;
    assert.match(checkout, words);
    assert.match(checkout, /If you pay with Card, the same payment method is charged/u);
    assert.ok(checkout.indexOf("Renews every year") < checkout.indexOf('value="order"'));
    const plain = await openRenewalShop();
    await addRenewing(plain, YEARLY);
    await buyRenewing(plain);
    const mails = await plain.mails();
    assert.ok(mails.some((mail) => JSON.stringify(mail).includes("Every year for €29.00")));
  });
});

describe("a subscription on the page of its order", () => {
  it("ends in two clicks without script, at the end of what is paid, and can be resumed", async () => {
    const { app, order, path } = await begin();
    const browser = await openOrderPage(app, order);
    const first = await browser.open(`/orders/${order.number}`);
    assert.match(first.text, /Renews on .* for €29\.00/u);
    assert.ok(first.text.includes(`href="${path}"`));
    const second = await browser.open(path);
    assert.match(second.text, />\s*Cancel now\s*</u);
    await browser.send(second, {}, `${path}/cancel`);
    assert.equal((await onlySubscription(app)).state, "canceled");
    assert.ok((await kindsOfMails(app)).includes("renewal_canceled"));
    assert.equal(await expiryOf(app), "2027-01-31T09:00:00.000Z");
    const third = await browser.open(`/orders/${order.number}`);
    assert.match(third.text, /Undo cancellation/u);
    await browser.send(third, {}, `${path}/resume`);
    assert.equal((await onlySubscription(app)).state, "active");
    // Late, with the invoice of the renewal open: it is credited.
    app.clock.advance(360 * DAY);
    await runJobs(app);
    assert.ok(await openRenewal(app));
    await browser.send(second, {}, `${path}/cancel`);
    assert.equal(await openRenewal(app), undefined);
    await assertRenewalBooks(app);
    app.clock.advance(10 * DAY);
    await runJobs(app);
    assert.equal((await onlySubscription(app)).state, "ended");
    await assertRenewalBooks(app);
  });

  it("has the words of § 312k BGB in German", async () => {
    const { app, order, path } = await begin();
    const browser = await openOrderPage(app, order, "de");
    assert.match((await browser.open(`/orders/${order.number}`)).text, />\s*Verträge hier kündigen\s*</u);
    assert.match((await browser.open(path)).text, />\s*jetzt kündigen\s*</u);
    assert.match((await browser.open("/")).text, /href="\/cancel-contract"[^>]*>\s*Verträge hier kündigen/u);
  });

  it("is closed to others", async () => {
    const { app, order, path } = await begin();
    const stranger = createShopBrowser(app);
    assert.equal((await stranger.open(path)).status, 404);
    const form = await stranger.open("/cancel-contract");
    await stranger.send(form, {}, `${path}/cancel`);
    assert.equal((await onlySubscription(app)).state, "active");
    const other = await openOrderPage(app, order);
    assert.equal((await other.open(`/orders/${order.number}/subscriptions/sub_other`)).status, 404);
  });

  it("leads to the renewal's own page, which is paid there", async () => {
    const { app, order, path } = await begin();
    app.clock.advance(355 * DAY);
    await runJobs(app);
    const browser = await openOrderPage(app, order);
    const renewal = (await openRenewal(app)) ?? assert.fail("no renewal");
    const page = await browser.open(`/orders/${order.number}`);
    const answer = await browser.send(page, {}, `${path}/renewal`);
    assert.deepEqual([answer.path, answer.status], [`/orders/${renewal.number}`, 200]);
    await pay(app, renewal);
    assert.match((await browser.open(`/orders/${renewal.number}`)).text, /Renews on/u);
  });

  it("is canceled with its number and the email address alone; guesses learn nothing", async () => {
    const { app, order } = await begin();
    await app.setSmtp({ adminAddress: "owner@example.org" });
    const { number } = await onlySubscription(app);
    const stranger = createShopBrowser(app);
    const form = await stranger.open("/cancel-contract");
    const wrong = await stranger.send(form, { number, email: "eve@example.org" });
    assert.equal((await onlySubscription(app)).state, "active");
    assert.equal((await app.mails("owner@example.org")).length, 1);
    const right = await stranger.send(form, { number: order.number, email: order.email });
    assert.deepEqual([wrong.status, right.status], [200, 200]);
    assert.equal((await onlySubscription(app)).state, "canceled");
  });
});

describe("subscriptions for administrators", () => {
  it("are listed, canceled, resumed and extended, with an entry in the audit log", async () => {
    const { app } = await begin();
    interface View {
      id: string;
      orderId: string;
      version: number;
      state: string;
      renewsAt?: string;
      events: { event: string }[];
    }
    const list = await read<{ items: View[] }>(
      await app.admin("GET", "/api/admin/subscriptions?state=active"),
    );
    const [one] = list.items;
    assert.ok(one);
    const { orderId } = one;
    for (const [state, count] of Object.entries({ active: 1, canceled: 0 })) {
      const query = `?orderId=${orderId}&state=${state}`;
      const { items } = await read<{ items: View[] }>(
        await app.admin("GET", `/api/admin/subscriptions${query}`),
      );
      assert.equal(items.length, count, query);
    }
    const path = `/api/admin/subscriptions/${one.id}`;
    const canceled = await read<View>(await app.admin("POST", `${path}/cancel`, { version: one.version }));
    assert.equal(canceled.state, "canceled");
    assert.equal(canceled.renewsAt, undefined);
    assert.deepEqual(await code(await app.admin("POST", `${path}/cancel`, { version: one.version })), [
      409,
      "version_conflict",
    ]);
    await read(await app.admin("POST", `${path}/resume`, {}));
    const paidUntil = "2027-06-30T09:00:00.000Z";
    const past = await app.admin("POST", `${path}/extend`, { paidUntil: "2026-06-30T09:00:00Z" });
    assert.deepEqual(await code(past), [422, "invalid"]);
    const extended = await read<View>(await app.admin("POST", `${path}/extend`, { paidUntil }));
    assert.equal(Date.parse(extended.renewsAt ?? ""), Date.parse(paidUntil));
    assert.equal(await expiryOf(app), paidUntil);
    const { items } = await read<{ items: { action: string }[] }>(await app.admin("GET", "/api/admin/audit"));
    const actions = items.map(({ action }) => action).filter((action) => action.startsWith("subscription"));
    assert.deepEqual(actions, ["subscription.extend", "subscription.resume", "subscription.cancel"]);
    assert.equal((await read<View>(await app.admin("GET", path))).events.at(-1)?.event, "extended");
    await assertRenewalBooks(app);
  });

  it("end with the licenses of a refunded order", async () => {
    const { app, order } = await begin();
    await read(
      await app.admin("POST", `/api/admin/orders/${order.id}/refund`, {
        amount: order.total,
        reference: "r1",
      }),
    );
    const { state, endReason } = await onlySubscription(app);
    assert.deepEqual([state, endReason], ["ended", "license"]);
  });
});
