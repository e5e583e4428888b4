/** The email that asks for a review: only with consent, after the delivery, once, and off by a link. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { MailMessage } from "../../../src/kit/mail/mail.ts";
import type { CheckoutResult } from "../../../src/shop/checkout/checkout.ts";
import { reviewInvitations } from "../../../src/shop/reviews/records.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, setProvider } from "../goods.ts";
import { createShopBrowser } from "../pages/shop-browser.ts";

const DAY_MS = 86_400_000;
const settings = { isOn: true, moderation: "before", invite: true, inviteDays: 7 } as const;
let app: TestShop;
let mug: string;
let parcel: string;
let mails: MailMessage[] = [];

async function checkOut(
  review: boolean,
  { email = "ann@example.org", productId = mug } = {},
): Promise<CheckoutResult> {
  const shippingAddress = {
    name: "Ann",
    line1: "Street 1",
    city: "Town",
    postalCode: "12345",
    country: "DE",
  };
  return app.shop.checkout.order(
    {
      items: [{ productId, quantity: 1 }],
      contact: { email },
      consents: { digitalContent: true, review },
      shippingAddress,
    },
    { clientAddress: "192.0.2.1", userAgent: "", requestId: "" },
  );
}

async function pay({ order: { id } }: CheckoutResult): Promise<void> {
  await read(await app.admin("POST", `/api/admin/orders/${id}/mark-paid`, { reference: `bank ${id}` }));
}

const run = (): Promise<number> => app.shop.invitations.run();

/** The invitations that left so far. */
async function sent(): Promise<readonly MailMessage[]> {
  while ((await app.shop.deps.outbox.deliver()).sent > 0);
  return mails.filter(({ text }) => text.includes("/api/unsubscribe/review_invitation/"));
}

beforeEach(async () => {
  mails = [];
  app = await createTestShop({
    sender: {
      send: async (mail) => {
        mails.push(mail);
        return { status: "sent" };
      },
      close: () => undefined,
    },
  });
  await app.setSmtp({ enabled: true, host: "mail.example.org", fromAddress: "shop@example.org" });
  await setProvider(app);
  await liftLimits(app);
  await app.setSite({ reviews: settings });
  mug = (await addProduct(app, { keys: ["A", "B", "C"], title: "Red mug", slug: "red-mug" })).id;
  parcel = (await addProduct(app, { title: "Parcel", deliveryType: "shipping", onHand: 9 })).id;
});

describe("an invitation to review", () => {
  it("leaves once, some days after the delivery, with a link to the order and one that stops such emails", async () => {
    const placed = await checkOut(true);
    assert.equal(placed.order.consents?.review?.wording.includes("review"), true);
    app.clock.advance(3 * DAY_MS);
    await pay(placed);
    app.clock.advance(7 * DAY_MS - 1);
    await run();
    assert.deepEqual(await sent(), []);
    app.clock.advance(1);
    // Two processes at once.
    await Promise.all([run(), run()]);
    const [mail = assert.fail(), ...more] = await sent();
    assert.deepEqual([mail.to, more.length], ["ann@example.org", 0]);
    assert.match(mail.text, /Red mug/u);
    assert.ok(
      mail.text.includes(placed.order.number) && mail.text.includes("/api/unsubscribe/review_invitation/"),
    );
    app.clock.advance(100 * DAY_MS);
    await run();
    assert.equal((await sent()).length, 1);
  });

  it("needs consent, and a shop that asks", async () => {
    await pay(await checkOut(false));
    await app.setSite({ reviews: { ...settings, invite: false } });
    const refused = await checkOut(true, { email: "ben@example.org" });
    assert.equal(refused.order.consents?.review, undefined);
    assert.equal(await app.store.read((tx) => tx.count(reviewInvitations)), 0);
    await app.setSite({ reviews: settings });
    await pay(await checkOut(true, { email: "cleo@example.org" }));
    // Turned off since.
    await app.setSite({ reviews: { ...settings, invite: false } });
    app.clock.advance(8 * DAY_MS);
    await run();
    assert.deepEqual(await sent(), []);
  });

  it("waits for the delivery, and is none for what was never delivered, refunded, or reviewed", async () => {
    const late = await checkOut(true, { productId: parcel, email: "late@example.org" });
    await pay(late);
    const refunded = await checkOut(true, { email: "refunded@example.org" });
    await pay(refunded);
    const { id, total } = refunded.order;
    await read(await app.admin("POST", `/api/admin/orders/${id}/refund`, { amount: total }));
    const reviewed = await checkOut(true, { email: "done@example.org" });
    await pay(reviewed);
    await read(
      await app.send("POST", `/api/orders/${reviewed.order.id}/reviews`, {
        body: { productId: mug, stars: 2 },
        headers: { "x-order-token": reviewed.orderToken },
      }),
    );
    await checkOut(true, { productId: parcel, email: "unpaid@example.org" });
    for (let day = 0; day < 30; day += 1) {
      app.clock.advance(DAY_MS);
      await app.shop.orderJobs.expire();
      await run();
    }
    assert.deepEqual(await sent(), []);
    await read(await app.admin("POST", `/api/admin/orders/${late.order.id}/deliver`, {}));
    app.clock.advance(8 * DAY_MS);
    await run();
    assert.deepEqual(
      (await sent()).map(({ to }) => to),
      ["late@example.org"],
    );
    assert.equal(await app.store.read((tx) => tx.count(reviewInvitations)), 0);
  });

  it("is stopped by its link for later orders, too", async () => {
    await pay(await checkOut(true));
    app.clock.advance(8 * DAY_MS);
    await run();
    const [mail = assert.fail()] = await sent();
    const path = /https:\/\/[^/]+(\/api\/unsubscribe\/review_invitation\/\S+)/u.exec(mail.text)?.[1];
    assert.ok(path);
    assert.equal((await app.raw(path, { method: "POST" })).status, 200);
    await pay(await checkOut(true, { productId: mug }));
    app.clock.advance(8 * DAY_MS);
    await run();
    assert.equal((await sent()).length, 1);
  });

  it("is offered by a box at checkout that is not ticked", async () => {
    const browser = createShopBrowser(app);
    await browser.open("/cart");
    await browser.open("/cart", { productId: mug, quantity: "1" });
    const { text } = await browser.open("/checkout");
    assert.match(text, /name="consents\.review"(?![^>]*checked)/u);
    await app.setSite({ reviews: { ...settings, invite: false } });
    assert.doesNotMatch((await browser.open("/checkout")).text, /consents\.review/u);
  });
});
