import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { outboxCollection } from "../../../src/records/outbox-record.ts";
import type { CheckoutResult } from "../../../src/shop/checkout/checkout.ts";
import { toMailboxHash } from "../../../src/shop/reminders/consent.ts";
import { reminders } from "../../../src/shop/reminders/records.ts";
import { createReminders } from "../../../src/shop/reminders/send.ts";
import { createUnsubscribe } from "../../../src/shop/wishlist/unsubscribe.ts";
import { toUnsubscribeUrl } from "../../../src/shop/mails/unsubscribe-link.ts";
import { createCardShop, giveCard } from "../gift-cards/card-shop.ts";
import { addProduct } from "../goods.ts";
import { type PlainShop, actor } from "../plain-shop.ts";

const HOUR_MS = 3_600_000;
const publicUrl = "https://shop.example.org";
let app: PlainShop;
let mug: string;

async function open(enabled: boolean): Promise<void> {
  app = await createCardShop({ checkoutReminders: { enabled, hours: 4 } });
  mug = (await addProduct(app, { stockMode: "unlimited" })).id;
}

function checkOut(
  more: { reminder?: boolean; email?: string; cards?: string[] } = {},
): Promise<CheckoutResult> {
  const { reminder = true, email = "ann@example.org", cards } = more;
  return app.shop.checkout.order(
    {
      items: [{ productId: mug, quantity: 2 }],
      contact: { email },
      consents: { reminder },
      ...(cards === undefined ? {} : { giftCardCodes: cards }),
    },
    { clientAddress: "192.0.2.1", userAgent: "", requestId: "" },
  );
}

const run = (): Promise<number> => createReminders({ ...app.shop.deps, publicUrl }).run();

/** The addresses that reminders were written to. */
async function sentTo(): Promise<string[]> {
  const { items } = await app.store.read((tx) =>
    tx.list(outboxCollection, "byKind", { prefix: ["checkout_reminder"], limit: 100 }),
  );
  return items.map(({ to }) => to);
}

beforeEach(() => open(true));

describe("reminders of checkouts", () => {
  it("leave once, after the hours, with consent, also for an expired order", async () => {
    const { order } = await checkOut();
    assert.equal(order.consents?.reminder?.at, order.createdAt);
    app.clock.advance(4 * HOUR_MS - 1);
    await app.shop.orderJobs.expire();
    assert.equal(await run(), 0);
    app.clock.advance(1);
    // Two processes at once.
    await Promise.all([run(), run()]);
    assert.deepEqual(await sentTo(), ["ann@example.org"]);
    app.clock.advance(100 * HOUR_MS);
    assert.equal(await run(), 0);
  });

  it("need consent, and a shop that sends them", async () => {
    await checkOut({ reminder: false });
    app.clock.advance(5 * HOUR_MS);
    await run();
    assert.deepEqual(await sentTo(), []);
    await open(false);
    const { order } = await checkOut();
    assert.equal(order.consents?.reminder, undefined);
    assert.equal(await app.store.read((tx) => tx.count(reminders)), 0);
  });

  it("never leave for an order that was paid, canceled or paid in part", async () => {
    const [paid, canceled, part] = [
      await checkOut({ email: "a@example.org" }),
      await checkOut({ email: "b@example.org" }),
      await checkOut({ email: "c@example.org" }),
    ];
    await app.shop.orderAdmin.markPaid({ id: paid.order.id, actor, note: "" });
    await app.shop.orders.cancel(canceled.order.id, { orderToken: canceled.orderToken });
    await app.shop.orderAdmin.markPaid({ id: part.order.id, actor, note: "", amount: 1 });
    app.clock.advance(5 * HOUR_MS);
    assert.equal(await run(), 3);
    assert.deepEqual(await sentTo(), []);
  });

  it("leave for an order that only a gift card holds, and not for who has bought since", async () => {
    const { code } = await giveCard(app, 100);
    await checkOut({ email: "held@example.org", cards: [code] });
    await checkOut({ email: "bought@example.org" });
    app.clock.advance(1);
    const later = await checkOut({ email: "bought@example.org", reminder: false });
    await app.shop.orderAdmin.markPaid({ id: later.order.id, actor, note: "" });
    app.clock.advance(5 * HOUR_MS);
    await run();
    assert.deepEqual(await sentTo(), ["held@example.org"]);
  });

  it("are one email for several carts of a mailbox", async () => {
    for (let turn = 0; turn < 3; turn += 1) await checkOut();
    app.clock.advance(5 * HOUR_MS);
    await run();
    await run();
    assert.deepEqual(await sentTo(), ["ann@example.org"]);
  });

  it("stop with the link of an email, until the next consent", async () => {
    const { box, clock, store } = app.shop.deps;
    const notice = { kind: "checkout_reminder", id: toMailboxHash(box, "Ann@example.org") } as const;
    const token = toUnsubscribeUrl({ box, publicUrl }, notice)?.split("/").at(-1) ?? "";
    const unsubscribe = createUnsubscribe({ store, box, clock });
    await checkOut();
    assert.equal((await unsubscribe.set(notice, token, false)).isOn, false);
    app.clock.advance(5 * HOUR_MS);
    assert.equal(await run(), 0);
    await assert.rejects(unsubscribe.find(notice, "wrong"), { code: "not_found" });
    await checkOut();
    assert.equal((await unsubscribe.find(notice, token)).isOn, true);
    app.clock.advance(5 * HOUR_MS);
    await run();
    assert.deepEqual(await sentTo(), ["ann@example.org"]);
  });
});
