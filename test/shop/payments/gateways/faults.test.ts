/** Failures of payment providers, tried with every stand-in: nothing is sold twice, nothing paid is forgotten. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { findKind } from "../../../../src/shop/payments/providers/kinds.ts";
import { stock } from "../../../../src/shop/products/records.ts";
import { code, read } from "../../app-fixture.ts";
import type { GatewayNotice } from "./gateway.ts";
import { type Checkout, type GatewayShop, createGatewayShop } from "./gateway-shop.ts";
import { gateways } from "./gateways.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Kinds whose signed notices are hints. */
const hints = new Set(["epay"]);

for (const [name, create] of Object.entries(gateways)) {
  describe(`payments with ${name}`, () => {
    let shop: GatewayShop;
    const kind = findKind(name) ?? assert.fail(name);
    beforeEach(async () => {
      shop = await createGatewayShop(create);
    });
    afterEach(() => shop.assertBooks());

    it("begin with the order, and are paid once, however often and at once the notice comes", async () => {
      const placed = await shop.checkOut();
      assert.equal(placed.payment.state, "ready", placed.payment.message);
      const { url, qr, form } = placed.payment;
      assert.ok(url ?? qr ?? form, "there is no way to pay");
      const payment = await shop.payment(placed);
      assert.deepEqual([payment.amount, payment.currency], [placed.order.total, shop.gateway.currency]);
      const notice = await shop.pay(placed);
      for (const answer of await Promise.all(Array.from({ length: 5 }, () => shop.notify(notice))))
        await shop.assertHeard(answer);
      await shop.assertHeard(await shop.notify(notice));
      assert.equal(await shop.stateOf(placed), "paid paid");
      const record = await shop.app.store.read((tx) => tx.get(stock, "prd_paid"));
      assert.deepEqual([record?.onHand, record?.reserved, record?.sold], [99, 0, 1]);
      assert.equal((await shop.ledger()).filter(({ state }) => state === "applied").length, 1);
    });

    it("say so when the service rejects them in words that no store keeps, and can be begun again", async () => {
      if (name === "epay") return; // Begins without asking the service.
      shop.setOutage("garbled");
      const placed = await shop.checkOut();
      assert.equal(placed.payment.state, "failed");
      shop.setOutage("none");
      const path = `/api/orders/${placed.order.id}/payment`;
      const begun = await shop.app.send("POST", path, { headers: { "x-order-token": placed.accessToken } });
      const { payment } = await read<Pick<Checkout, "payment">>(begun);
      assert.equal(payment.state, "ready", payment.message);
    });

    it("are mailed once, with where to pay", async () => {
      const placed = await shop.checkOut();
      const mails = await shop.app.mails("ann@example.org");
      assert.deepEqual(
        mails.map(({ kind: mail }) => mail),
        ["order_placed"],
      );
      const { url } = placed.payment;
      if (url !== undefined) assert.ok(JSON.stringify(mails).includes(url.replaceAll("&", "&")), "no link");
    });

    it("do not count with a wrong signature", async () => {
      const placed = await shop.checkOut();
      const forged = shop.gateway.forge(await shop.pay(placed));
      assert.deepEqual(await code(await shop.notify(forged)), [401, "unauthenticated"]);
      assert.equal(await shop.stateOf(placed), "pending_payment unpaid");
    });

    it("of another amount do not make the order paid", async () => {
      const placed = await shop.checkOut();
      const payment = await shop.payment(placed);
      await shop.notify(await shop.gateway.pay(payment, { amount: payment.amount - 500 }));
      const order = await shop.order(placed.order.id);
      assert.equal(order.status, "pending_payment");
      assert.ok(order.attention.length + (await shop.openReasons()).length > 0, "nobody learns of it");
    });

    it("in another currency do not make the order paid", async () => {
      const placed = await shop.checkOut();
      const payment = await shop.payment(placed);
      const notice = await shop.gateway.pay(payment, { currency: "USD" });
      // Services of one currency have none to change.
      if (JSON.stringify(notice) === JSON.stringify(await shop.gateway.pay(payment))) return;
      await shop.notify(notice);
      const order = await shop.order(placed.order.id);
      if (order.status === "paid") assert.equal(order.amountPaid, order.total);
      else assert.ok(order.attention.length + (await shop.openReasons()).length > 0, "nobody learns of it");
    });

    it("of an order that there is not are kept for a person", async () => {
      const placed = await shop.checkOut();
      const payment = await shop.payment(placed);
      const orderId = payment.orderId.replace(/[0-9a-z](?=.{8}$)/iu, (sign) => (sign === "0" ? "1" : "0"));
      assert.notEqual(orderId, payment.orderId);
      const response = await shop.notify(await shop.gateway.pay(payment, { orderId }));
      assert.ok(response.ok || response.status === 503, String(response.status));
      assert.equal((await shop.order(placed.order.id)).status, "pending_payment");
    });

    it("that come late take the units again, and after twelve hours a person decides", async () => {
      const placed = await shop.checkOut();
      const second = await shop.checkOut();
      const [one, two] = shop.gateway.payments.length >= 2 ? shop.gateway.payments : [];
      shop.clock.advance(2 * HOUR);
      await shop.runJobs();
      assert.equal(await shop.stateOf(placed), "expired unpaid");
      if (one === undefined || two === undefined) return;
      await shop.assertHeard(await shop.notify(await shop.gateway.pay(one)));
      assert.equal(await shop.stateOf(placed), "paid paid");
      shop.clock.advance(12 * HOUR);
      await shop.assertHeard(await shop.notify(await shop.gateway.pay(two)));
      assert.equal(await shop.stateOf(second), "expired unpaid late_payment");
      assert.deepEqual(await shop.openReasons(), ["The payment arrived too late"]);
    });

    it("whose refund is heard first keep both, and a person decides", async () => {
      const { gateway } = shop;
      if (gateway.refund === undefined) return;
      const placed = await shop.checkOut();
      const payment = await shop.payment(placed);
      const paid = await gateway.pay(payment);
      const refunded = await gateway.refund(payment, 500);
      await shop.assertHeard(await shop.notify(refunded));
      await shop.assertHeard(await shop.notify(paid));
      assert.equal((await shop.order(placed.order.id)).status, "paid");
      const [open] = (await shop.ledger()).filter((each) => each.open === "yes");
      // A query returns both at once.
      if (open !== undefined) {
        assert.equal(open.reason, "The refunds exceed the payments received");
        await read(await shop.app.admin("POST", `/api/admin/orders/payments/${open.id}/replay`));
      }
      assert.equal((await shop.order(placed.order.id)).amountRefunded, 500);
    });

    it("take nothing that is huge, empty or in another encoding", async () => {
      const placed = await shop.checkOut();
      const notice = await shop.pay(placed);
      const isQuery = notice.method === "GET";
      const broken: GatewayNotice[] = [
        { ...notice, query: isQuery ? "" : notice.query, body: "" },
        { ...notice, method: "POST", body: "x".repeat(70_000) },
        { ...notice, method: "POST", query: "", body: "\u0000\uffff{" },
      ];
      for (const each of broken) {
        const response = await shop.notify(each);
        assert.ok(response.status >= 400 && response.status < 500, `${response.status}`);
      }
      if (!isQuery) {
        const utf16 = new Uint8Array(Buffer.from(notice.body, "utf16le"));
        const path = "/api/webhooks/paid-pay";
        const response = await shop.app.fetch(path, { method: "POST", headers: notice.headers, body: utf16 });
        assert.ok(response.status >= 400 && response.status < 500, `${response.status}`);
      }
      assert.equal((await shop.order(placed.order.id)).status, "pending_payment");
    });

    it("with a clock six minutes off count at once, or when the provider is queried", async () => {
      for (const off of [-6 * MINUTE, 6 * MINUTE]) {
        const placed = await shop.checkOut();
        const payment = await shop.payment(placed);
        const response = await shop.notify(await shop.gateway.pay(payment, { atMs: shop.clock.now() + off }));
        if (!response.ok) {
          assert.match((await response.text()).toLowerCase(), /clock|minutes/u);
          assert.notEqual(kind.ask, undefined);
          shop.clock.advance(MINUTE);
          await shop.runJobs();
        }
        assert.equal(await shop.stateOf(placed), "paid paid");
      }
    });

    it("whose notice never comes are found by asking, once, by whichever node", async () => {
      if (kind.ask === undefined) return;
      const placed = await shop.checkOut();
      await shop.pay(placed);
      const { app, gateway, clock } = shop;
      const other = await createGatewayShop(create, { gateway, clock, store: app.store });
      clock.advance((kind.askAfterMinutes?.[0] ?? 1) * MINUTE);
      shop.requested.length = 0;
      await Promise.all([app.shop.paymentJobs.run(), other.app.shop.paymentJobs.run()]);
      assert.equal(await shop.stateOf(placed), "paid paid");
      await Promise.all([app.shop.paymentJobs.run(), other.app.shop.paymentJobs.run()]);
      // Each node has a sign-in of its own where a service wants one.
      const asked = [...shop.requested, ...other.requested].filter((each) => !each.includes("/token"));
      assert.ok(asked.length > 0);
      assert.deepEqual(asked.toSorted(), [...new Set(asked)].toSorted());
    });

    it("of which a signature is no proof count only when the service says the same", async () => {
      if (!hints.has(name)) return;
      const placed = await shop.checkOut();
      const payment = await shop.payment(placed);
      const notice = await shop.gateway.pay(payment);
      payment.isPaid = false;
      assert.deepEqual(await code(await shop.notify(notice)), [503, "unavailable"]);
      assert.equal(await shop.stateOf(placed), "pending_payment unpaid");
      assert.deepEqual(await shop.openReasons(), ["The provider does not know this payment"]);
      const [kept] = await shop.ledger();
      const replay = `/api/admin/orders/payments/${kept?.id ?? ""}/replay`;
      assert.deepEqual(await code(await shop.app.admin("POST", replay)), [409, "conflict"]);
      payment.isPaid = true;
      await shop.assertHeard(await shop.notify(notice));
      assert.equal(await shop.stateOf(placed), "paid paid");
      assert.deepEqual([(await shop.ledger()).length, await shop.openReasons()], [1, []]);
    });

    it("are polled until the order ends, and then no more", async () => {
      if (kind.ask === undefined) return;
      const placed = await shop.checkOut();
      for (let minute = 0; minute < 70; minute += 1) {
        shop.clock.advance(MINUTE);
        await shop.runJobs();
      }
      assert.equal(await shop.stateOf(placed), "expired unpaid");
      const asked = shop.requested.length;
      shop.clock.advance(HOUR);
      await shop.runJobs();
      assert.equal(shop.requested.length, asked);
      assert.ok(asked > 3, `asked ${asked} times`);
    });

    it("are ended at the service with the order", async () => {
      if (kind.cancel === undefined) return;
      const placed = await shop.checkOut();
      const headers = { "x-order-token": placed.accessToken };
      await read(await shop.app.send("POST", `/api/orders/${placed.order.id}/cancel`, { headers }));
      await shop.runJobs();
      assert.deepEqual(
        shop.gateway.payments.map(({ isCanceled }) => isCanceled),
        [true],
      );
    });
  });
}
