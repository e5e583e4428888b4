/** Renewals that Stripe charges: a year in simulated time, and events in whatever order they come. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { products } from "../../../src/shop/products/records.ts";
import { FaultyFiles } from "../../store/faulty-files.ts";
import type { GatewayNotice } from "../payments/gateways/gateway.ts";
import { openBillingRoom } from "./billing-room.ts";
import {
  DAY,
  HOUR,
  MONTHLY,
  YEARLY,
  assertRenewalBooks,
  expiryOf,
  findOrder,
  kindsOfMails,
  listRenewals,
  onlySubscription,
  openRenewal,
} from "./renewal-room.ts";

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const renewalMails = (kinds: readonly string[]): string[] =>
  kinds.filter((kind) => kind.startsWith("renewal") || kind === "order_delivered");

describe("renewals by Stripe", () => {
  it("charge each of twelve months once, with two nodes, and keep the 31st", async () => {
    const store = createMemoryStore({ collections: shopCollections });
    const room = await openBillingRoom(MONTHLY, { store, nodes: 2 });
    await room.buy();
    await room.runJobs();
    const { way, remote } = await onlySubscription(room.app);
    assert.deepEqual([way, remote?.reference], ["automatic", room.billing.subscriptions[0]?.id]);
    for (let days = 0; days < 370; days += 10) {
      await room.pass(10 * DAY);
      await assertRenewalBooks(room.app);
    }
    const paid = (await listRenewals(room.app)).filter(({ state }) => state === "paid");
    assert.deepEqual(
      paid.map(({ from }) => day(from)),
      [
        ...["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31"],
        ...["2026-08-31", "2026-09-30", "2026-10-31", "2026-11-30", "2026-12-31", "2027-01-31"],
      ],
    );
    const charged = room.billing.invoices.filter(({ status }) => status === "paid");
    assert.equal(charged.length, 12);
    assert.ok(charged.every(({ amount }) => amount === 900));
    // Stripe's own anchor forgets the 31st; the shop told it each time.
    assert.equal(day((room.billing.subscriptions[0]?.end ?? 0) * 1_000), "2027-02-28");
    await store.close();
  });

  const orders: Record<string, (events: GatewayNotice[]) => GatewayNotice[]> = {
    "in their order": (events) => events,
    "the other way round": (events) => events.toReversed(),
    "each twice": (events) => events.flatMap((event) => [event, event]),
    "the payments alone": (events) => events.filter(({ body }) => body.includes('"invoice.paid"')),
    "none at all": () => [],
  };
  for (const [name, arrange] of Object.entries(orders))
    it(`pay a period once with events ${name}`, async () => {
      const room = await openBillingRoom(YEARLY);
      await room.buy();
      await room.pass(364 * DAY, DAY);
      for (let hours = 0; hours < 48; hours += 1) {
        room.app.clock.advance(HOUR);
        room.billing.advance();
        await room.deliver(arrange);
        await room.runJobs();
      }
      const paid = await listRenewals(room.app);
      assert.deepEqual(
        paid.map(({ state }) => state),
        ["paid"],
      );
      assert.equal(await expiryOf(room.app), "2028-01-31T09:00:00.000Z");
      await assertRenewalBooks(room.app);
    });

  it("take a payment that comes before the order of its period", async () => {
    const room = await openBillingRoom(YEARLY);
    await room.buy();
    // The shop is down while Stripe charges.
    room.app.clock.advance(366 * DAY);
    room.billing.advance();
    room.app.clock.advance(2 * HOUR);
    room.billing.advance();
    await room.deliver();
    await room.app.shop.remoteJobs.run();
    assert.deepEqual(
      (await listRenewals(room.app)).map(({ state }) => state),
      ["paid"],
    );
    await room.runJobs();
    await assertRenewalBooks(room.app);
    assert.equal((await onlySubscription(room.app)).state, "active");
  });

  it("tell of a failed charge once, and go on when another card pays", async () => {
    const room = await openBillingRoom(YEARLY);
    await room.buy();
    room.billing.setTakes(false);
    await room.pass(364 * DAY, DAY);
    await room.pass(3 * DAY, HOUR);
    const late = await onlySubscription(room.app);
    assert.equal(late.state, "past_due");
    const kinds = renewalMails(await kindsOfMails(room.app));
    assert.equal(kinds.filter((kind) => kind === "renewal_failed").length, 2, kinds.join());
    const [mail] = (await room.app.mails()).filter(({ kind }) => kind === "renewal_failed");
    assert.match(JSON.stringify(mail), /invoice\.stripe\.test/u);
    const [invoice] = room.billing.invoices;
    assert.ok(invoice);
    room.billing.payHosted(invoice);
    await room.deliver();
    await room.runJobs();
    assert.equal((await onlySubscription(room.app)).state, "active");
    await assertRenewalBooks(room.app);
  });

  it("end after the days of grace, also at Stripe", async () => {
    const room = await openBillingRoom(YEARLY);
    await room.buy();
    room.billing.setTakes(false);
    await room.pass(374 * DAY, DAY);
    const ended = await onlySubscription(room.app);
    assert.deepEqual([ended.state, ended.endReason], ["ended", "unpaid"]);
    assert.equal(room.billing.subscriptions[0]?.status, "canceled");
    await assertRenewalBooks(room.app);
  });

  it("are not charged when the buyer canceled, or paid in another way", async () => {
    const room = await openBillingRoom(MONTHLY);
    const order = await room.buy();
    const { id } = await onlySubscription(room.app);
    await room.app.shop.subscriptions.cancelOfOrder(order, id);
    await room.runJobs();
    assert.equal(room.billing.subscriptions[0]?.isEnding, true);
    await room.app.shop.subscriptions.resumeOfOrder(order, id);
    await room.runJobs();
    assert.equal(room.billing.subscriptions[0]?.isEnding, false);
    await room.pass(20 * DAY);
    const renewal = (await openRenewal(room.app)) ?? assert.fail("no order");
    const paid = await room.app.admin("POST", `/api/admin/orders/${renewal.id}/mark-paid`, {});
    assert.ok(paid.ok, await paid.text());
    await room.runJobs();
    assert.equal(day((room.billing.subscriptions[0]?.end ?? 0) * 1_000), "2026-03-31");
    await room.pass(20 * DAY);
    assert.deepEqual(room.billing.invoices, []);
    await room.app.shop.subscriptions.cancelOfOrder(order, id);
    await room.pass(60 * DAY);
    assert.deepEqual(room.billing.invoices, []);
    assert.equal((await onlySubscription(room.app)).state, "ended");
    await assertRenewalBooks(room.app);
  });

  it("give back their period with their money", async () => {
    for (const act of ["refundInvoice", "dispute"] as const) {
      const room = await openBillingRoom(YEARLY);
      await room.buy();
      await room.pass(366 * DAY, DAY);
      const before = await onlySubscription(room.app);
      const [invoice] = room.billing.invoices;
      assert.ok(invoice && before.paid === 2);
      room.billing[act](invoice);
      await room.deliver();
      await room.runJobs();
      const after = await onlySubscription(room.app);
      assert.deepEqual([after.paid, after.state], [1, "ended"], act);
      assert.equal(await expiryOf(room.app), "2027-01-31T09:00:00.000Z");
      const [renewal] = await listRenewals(room.app);
      const order = await findOrder(room.app, renewal?.orderId ?? "");
      assert.equal(order.amountPaid, 0);
      await room.runJobs();
      assert.equal(room.billing.subscriptions[0]?.status, "canceled");
      if (act === "refundInvoice") await assertRenewalBooks(room.app);
    }
  });

  it("charge a changed price only after an email about it", async () => {
    const room = await openBillingRoom(YEARLY);
    await room.buy();
    const setPrice = async (price: number): Promise<void> => {
      await room.app.shop.store.transact(async (tx) => {
        const product = await tx.get(products, "prd_desk");
        assert.ok(product?.license?.renewal);
        const license = { ...product.license, renewal: { ...product.license.renewal, price } };
        await tx.put(products, { ...product, license });
      });
    };
    await room.pass(300 * DAY, DAY);
    await setPrice(3_500);
    await room.pass(40 * DAY, DAY);
    // Too late for this year.
    await setPrice(9_900);
    await room.pass(30 * DAY, DAY);
    assert.deepEqual(
      room.billing.invoices.map(({ amount }) => amount),
      [3_500],
    );
    await room.pass(360 * DAY, DAY);
    assert.deepEqual(
      room.billing.invoices.map(({ amount }) => amount),
      [3_500, 9_900],
    );
    const kinds = renewalMails(await kindsOfMails(room.app));
    assert.equal(kinds.filter((kind) => kind === "renewal_price").length, 2);
    await assertRenewalBooks(room.app);
  });

  it("charge once although every fifth answer of Stripe is lost, and the shop restarts every month", async () => {
    // Stores of this kind keep their records when they are opened again.
    const files = new FaultyFiles();
    let lives = 0;
    const open = () => {
      lives += 1;
      const identity = { pid: lives, bootId: `boot ${lives}`, namespace: "one", startTicks: "1" };
      const lock = { watchMs: 0, identity };
      const shared = { folder: "/data/shop", name: "shop", collections: shopCollections };
      return openJournalStore({ ...shared, files, lock });
    };
    let store = await open();
    const first = await openBillingRoom(MONTHLY, { store });
    await first.buy();
    first.loseEvery(5);
    let room = first;
    for (let month = 0; month < 5; month += 1) {
      await room.pass(30 * DAY);
      await assertRenewalBooks(room.app);
      // As after a power cut: what was acknowledged is on disk.
      await store.close();
      store = await open();
      room = await openBillingRoom(MONTHLY, { store, after: first });
      room.loseEvery(5);
    }
    const paid = (await listRenewals(room.app)).filter(({ state }) => state === "paid");
    assert.deepEqual(
      paid.map(({ from }) => day(from)),
      ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"],
    );
    assert.equal(room.billing.subscriptions.length, 1);
    assert.equal(room.billing.invoices.filter(({ status }) => status === "paid").length, 4);
    await store.close();
  });

  it("leave refunds of other payments of the same account alone", async () => {
    const room = await openBillingRoom(YEARLY);
    await room.buy();
    await room.pass(366 * DAY, DAY);
    const [invoice] = room.billing.invoices;
    assert.ok(invoice);
    room.billing.refundInvoice({ ...invoice, intent: "pi_foreign", refunds: [] });
    await room.deliver();
    await room.runJobs();
    assert.equal((await onlySubscription(room.app)).paid, 2);
    await assertRenewalBooks(room.app);
  });

  it("survive a service that is away, and clocks that jump", async () => {
    const room = await openBillingRoom(MONTHLY);
    room.setAway(false);
    await room.buy();
    room.setAway(true);
    await room.pass(26 * DAY, DAY);
    room.setAway(false);
    room.app.clock.jump(3 * HOUR);
    await room.pass(40 * DAY);
    await assertRenewalBooks(room.app);
    const paid = (await listRenewals(room.app)).filter(({ state }) => state === "paid");
    assert.equal(paid.length, 2);
  });
});
