/** What goes wrong with payment services, tried with every stand-in: nothing is sold twice, nothing paid is forgotten. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { findKind } from "../../../../src/shop/payments/providers/kinds.ts";
import { orders as ordersOf, stock } from "../../../../src/shop/records.ts";
import { code, read } from "../../app-fixture.ts";
import type { GatewayNotice } from "./gateway.ts";
import { type Checkout, type GatewayShop, createGatewayShop } from "./gateway-shop.ts";
import { gateways } from "./gateways.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

for (const [name, create] of Object.entries(gateways)) {
  describe(`payments with ${name}`, () => {
    let shop: GatewayShop;
    const kind = findKind(name) ?? assert.fail(name);
    beforeEach(async () => {
      shop = await createGatewayShop(create);
    });
    afterEach(() => shop.assertBooks());

    const stateOf = async ({ order: { id } }: Checkout): Promise<string> => {
      const { status, paymentStatus, attention } = await shop.order(id);
      return [status, paymentStatus, ...attention].join(" ");
    };
    const openReasons = async (): Promise<string[]> =>
      (await shop.ledger()).flatMap(({ open, reason }) => (open === "yes" ? [reason] : []));
    const assertHeard = async (response: Response): Promise<void> => {
      const body = await response.text();
      assert.ok(response.ok, `${response.status} ${body}`);
      if (shop.gateway.expects !== undefined) assert.equal(body, shop.gateway.expects);
    };
    const pay = async (placed: Checkout): Promise<GatewayNotice> =>
      shop.gateway.pay(await shop.payment(placed));
    const runJobs = async (): Promise<void> => {
      await shop.app.shop.orderJobs.expire();
      await shop.app.shop.paymentJobs.run();
    };

    it("begin with the order, and are paid once, however often and at once the notice comes", async () => {
      const placed = await shop.checkOut();
      assert.equal(placed.payment.state, "ready", placed.payment.message);
      const { url, qr, form } = placed.payment;
      assert.ok(url ?? qr ?? form, "there is no way to pay");
      const payment = await shop.payment(placed);
      assert.deepEqual([payment.amount, payment.currency], [placed.order.total, shop.gateway.currency]);
      const notice = await pay(placed);
      for (const answer of await Promise.all(Array.from({ length: 5 }, () => shop.notify(notice))))
        await assertHeard(answer);
      await assertHeard(await shop.notify(notice));
      assert.equal(await stateOf(placed), "paid paid");
      const record = await shop.app.store.read((tx) => tx.get(stock, "prd_paid"));
      assert.deepEqual([record?.onHand, record?.reserved, record?.sold], [99, 0, 1]);
      assert.equal((await shop.ledger()).filter(({ state }) => state === "applied").length, 1);
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
      const forged = shop.gateway.forge(await pay(placed));
      assert.deepEqual(await code(await shop.notify(forged)), [401, "unauthenticated"]);
      assert.equal(await stateOf(placed), "pending_payment unpaid");
    });

    it("of another amount do not make the order paid", async () => {
      const placed = await shop.checkOut();
      const payment = await shop.payment(placed);
      await shop.notify(await shop.gateway.pay(payment, { amount: payment.amount - 500 }));
      const order = await shop.order(placed.order.id);
      assert.equal(order.status, "pending_payment");
      assert.ok(order.attention.length + (await openReasons()).length > 0, "nobody learns of it");
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
      else assert.ok(order.attention.length + (await openReasons()).length > 0, "nobody learns of it");
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
      await runJobs();
      assert.equal(await stateOf(placed), "expired unpaid");
      if (one === undefined || two === undefined) return;
      await assertHeard(await shop.notify(await shop.gateway.pay(one)));
      assert.equal(await stateOf(placed), "paid paid");
      shop.clock.advance(12 * HOUR);
      await assertHeard(await shop.notify(await shop.gateway.pay(two)));
      assert.equal(await stateOf(second), "expired unpaid late_payment");
      assert.deepEqual(await openReasons(), ["The payment came too late"]);
    });

    it("whose refund is heard first keep both, and a person decides", async () => {
      const { gateway } = shop;
      if (gateway.refund === undefined) return;
      const placed = await shop.checkOut();
      const payment = await shop.payment(placed);
      const paid = await gateway.pay(payment);
      const refunded = await gateway.refund(payment, 500);
      await assertHeard(await shop.notify(refunded));
      await assertHeard(await shop.notify(paid));
      assert.equal((await shop.order(placed.order.id)).status, "paid");
      const [open] = (await shop.ledger()).filter((each) => each.open === "yes");
      // A service that is asked says both at once.
      if (open !== undefined) {
        assert.equal(open.reason, "More was given back than is known to have been paid");
        await read(await shop.app.admin("POST", `/api/admin/orders/payments/${open.id}/replay`));
      }
      assert.equal((await shop.order(placed.order.id)).amountRefunded, 500);
    });

    it("take nothing that is huge, empty or in another encoding", async () => {
      const placed = await shop.checkOut();
      const notice = await pay(placed);
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

    it("with a clock six minutes off count at once, or when the service is asked", async () => {
      for (const off of [-6 * MINUTE, 6 * MINUTE]) {
        const placed = await shop.checkOut();
        const payment = await shop.payment(placed);
        const response = await shop.notify(await shop.gateway.pay(payment, { atMs: shop.clock.now() + off }));
        if (!response.ok) {
          assert.match((await response.text()).toLowerCase(), /clock|minutes/u);
          assert.notEqual(kind.ask, undefined);
          shop.clock.advance(MINUTE);
          await runJobs();
        }
        assert.equal(await stateOf(placed), "paid paid");
      }
    });

    it("whose notice never comes are found by asking, once, by whichever node", async () => {
      if (kind.ask === undefined) return;
      const placed = await shop.checkOut();
      await pay(placed);
      const { app, gateway, clock } = shop;
      const other = await createGatewayShop(create, { gateway, clock, store: app.store });
      clock.advance((kind.askAfterMinutes?.[0] ?? 1) * MINUTE);
      const before = shop.requests() + other.requests();
      await Promise.all([app.shop.paymentJobs.run(), other.app.shop.paymentJobs.run()]);
      assert.equal(await stateOf(placed), "paid paid");
      const asked = shop.requests() + other.requests() - before;
      await Promise.all([app.shop.paymentJobs.run(), other.app.shop.paymentJobs.run()]);
      assert.ok(asked > 0 && shop.requests() + other.requests() - before === asked, "it was asked twice");
    });

    it("are asked for until the order ends, and then no more", async () => {
      if (kind.ask === undefined) return;
      const placed = await shop.checkOut();
      for (let minute = 0; minute < 70; minute += 1) {
        shop.clock.advance(MINUTE);
        await runJobs();
      }
      assert.equal(await stateOf(placed), "expired unpaid");
      const asked = shop.requests();
      shop.clock.advance(HOUR);
      await runJobs();
      assert.equal(shop.requests(), asked);
      assert.ok(asked > 3, `asked ${asked} times`);
    });

    it("are ended at the service with the order", async () => {
      if (kind.cancel === undefined) return;
      const placed = await shop.checkOut();
      const headers = { "x-order-token": placed.accessToken };
      await read(await shop.app.send("POST", `/api/orders/${placed.order.id}/cancel`, { headers }));
      await runJobs();
      assert.deepEqual(
        shop.gateway.payments.map(({ isCanceled }) => isCanceled),
        [true],
      );
    });

    describe("that are given back", () => {
      interface Refunded {
        readonly paymentStatus: string;
        readonly amountRefunded: number;
        readonly refund: { readonly status: string; readonly said: string };
      }
      const giveBack = async (id: string, body: Record<string, unknown>): Promise<Response> =>
        shop.app.admin("POST", `/api/admin/orders/${id}/refund`, body);
      let placed: Checkout;
      beforeEach(async () => {
        placed = await shop.checkOut();
        await assertHeard(await shop.notify(await pay(placed)));
      });

      it("move through the service where it can, and are recorded elsewhere", async () => {
        const { id } = placed.order;
        assert.deepEqual(await code(await giveBack(id, {})), [422, "invalid"]);
        assert.deepEqual(await code(await giveBack(id, { amount: 2_000 })), [422, "invalid"]);
        // Some services give back whole payments alone.
        const { refund, ...order } = await read<Refunded>(await giveBack(id, { amount: 1_999 }));
        if (kind.refund === undefined) {
          assert.deepEqual([refund.status, order.amountRefunded], ["recorded", 1_999]);
          return;
        }
        assert.ok(["moved", "pending"].includes(refund.status), refund.status);
        assert.equal(shop.gateway.payments.at(-1)?.refunded, 1_999);
        if (refund.status === "moved") assert.equal(order.amountRefunded, 1_999);
      });

      it("are recorded only when they were given back elsewhere", async () => {
        const { id } = placed.order;
        const { refund } = await read<Refunded>(await giveBack(id, { amount: 300, reference: "cash 7" }));
        assert.equal(refund.status, "recorded");
        assert.equal(shop.gateway.payments.at(-1)?.refunded, 0);
        assert.equal((await shop.order(id)).amountRefunded, 300);
        if (kind.refund !== undefined) return;
        const through = await giveBack(id, { amount: 1, through: "service" });
        assert.deepEqual(await code(through), [409, "conflict"]);
      });

      it("are tried again as the same refund when the answer was lost", async () => {
        if (kind.refund === undefined) return;
        const { id } = placed.order;
        shop.setOutage("lost");
        const lost = await read<Refunded>(await giveBack(id, { amount: 1_999 }));
        assert.equal(lost.refund.status, "pending");
        assert.deepEqual(await code(await giveBack(id, { amount: 1 })), [422, "invalid"]);
        shop.setOutage("none");
        for (let minute = 0; minute < 5; minute += 1) {
          shop.clock.advance(MINUTE);
          await shop.app.shop.refunds.run();
        }
        assert.equal(shop.gateway.payments.at(-1)?.refunded, 1_999);
        const path = `/api/admin/orders/${id}/refunds`;
        const { items } = await read<{ items: { status: string }[] }>(await shop.app.admin("GET", path));
        assert.equal(items.length, 1);
        assert.ok(["moved", "pending", "unclear"].includes(items[0]?.status ?? ""), items[0]?.status);
        if (items[0]?.status === "moved") assert.equal((await shop.order(id)).amountRefunded, 1_999);
        else assert.ok((await shop.order(id)).history.some(({ event }) => event.startsWith("refund_")));
      });

      it("say what the service refused", async () => {
        if (kind.refund === undefined) return;
        const payment = shop.gateway.payments.at(-1) ?? assert.fail("no payment");
        payment.refunded = payment.amount;
        const response = await giveBack(placed.order.id, { amount: 1_999 });
        // Where a service knows no repeats, what it has given back already counts as done.
        if (response.status === 200) return;
        assert.deepEqual(await code(response), [502, "payment_service_failed"]);
        assert.equal((await shop.order(placed.order.id)).amountRefunded, 0);
        payment.refunded = 0;
        const done = await read<Refunded>(await giveBack(placed.order.id, { amount: 1_999 }));
        assert.ok(["moved", "pending"].includes(done.refund.status));
      });
    });

    it("have settings that can be tried, with the service's own words", async () => {
      const path = "/api/admin/site/providers/paid/test";
      const { result, message } = await read<{ result: string; message: string }>(
        await shop.app.admin("POST", path),
      );
      assert.equal(result, "ok", message);
      if (shop.requests() === 0) return;
      shop.setOutage("away");
      const failed = await read<{ result: string; part?: string }>(await shop.app.admin("POST", path));
      assert.deepEqual([failed.result, failed.part], ["failed", "url"]);
    });

    it("keep their credentials from another host unless they are typed again", async () => {
      const path = "/api/admin/site/providers/paid";
      const { options, credentials } = shop.gateway;
      const moved = Object.fromEntries(
        Object.entries(options).map(([field, value]) =>
          typeof value === "string" && value.startsWith("https://gateway.test")
            ? [field, value.replace("gateway.test", "elsewhere.test")]
            : [field, value],
        ),
      );
      if (JSON.stringify(moved) === JSON.stringify(options)) return;
      const refused = await shop.app.admin("PATCH", path, { options: moved });
      assert.match(await refused.clone().text(), /type it again/u);
      assert.deepEqual(await code(refused), [422, "invalid"]);
      await read(await shop.app.admin("PATCH", path, { options, title: "Another title" }));
      const taken = await read<{ credentialsSet: string[] }>(
        await shop.app.admin("PATCH", path, { options: moved, credentials }),
      );
      assert.deepEqual(taken.credentialsSet, Object.keys(credentials).sort());
      assert.doesNotMatch(JSON.stringify(taken), new RegExp(Object.values(credentials)[0] ?? "x", "u"));
    });

    describe("when the service is away", () => {
      it("begin later, as the same payment, and the order says so", async () => {
        for (const outage of ["away", "lost"] as const) {
          const before = shop.gateway.payments.length;
          shop.setOutage(outage);
          const placed = await shop.checkOut();
          const isAsked = placed.payment.state !== "ready";
          if (isAsked) assert.match(placed.payment.message ?? "", /does not answer/u);
          assert.equal((await shop.app.mails("ann@example.org"))[0]?.kind, "order_placed");
          shop.setOutage("none");
          const again = await read<{ payment: Checkout["payment"] }>(
            await shop.app.send("POST", `/api/orders/${placed.order.id}/payment`, {
              headers: { "x-order-token": placed.accessToken },
              body: {},
            }),
          );
          assert.equal(again.payment.state, "ready", again.payment.message);
          await shop.payment({ ...placed, payment: again.payment });
          assert.equal(shop.gateway.payments.length, before + 1);
        }
      });

      it("begin by themselves after a kill between the service's answer and ours, as the same payment", async () => {
        shop.setOutage("hangs");
        const sent = shop.checkOut();
        sent.catch(() => undefined);
        const isForm = await Promise.race([
          sent.then(() => true),
          new Promise<boolean>((resolve) => {
            const look = (): void => {
              if (shop.gateway.payments.length > 0) resolve(false);
              else setImmediate(look);
            };
            look();
          }),
        ]);
        if (isForm) return;
        const { gateway, clock, app } = shop;
        const next = await createGatewayShop(create, { gateway, clock, store: app.store });
        clock.advance(2 * MINUTE);
        await next.app.shop.paymentJobs.run();
        assert.equal(gateway.payments.length, 1);
        const [payment] = gateway.payments;
        assert.ok(payment !== undefined);
        await next.notify(await gateway.pay(payment));
        const { items } = await next.app.shop.store.read((tx) =>
          tx.list(ordersOf, "byCreated", { limit: 5 }),
        );
        assert.deepEqual(
          items.map(({ status }) => status),
          ["paid"],
        );
      });

      it("keep a notice that must be asked about, and apply it when the service is back", async () => {
        const placed = await shop.checkOut();
        const notice = await pay(placed);
        shop.setOutage("away");
        const response = await shop.notify(notice);
        if (response.status === 503) {
          assert.match((await openReasons()).join(), /could not be asked/u);
          assert.equal((await shop.order(placed.order.id)).status, "pending_payment");
        }
        shop.setOutage("none");
        shop.clock.advance(MINUTE);
        await runJobs();
        assert.equal(await stateOf(placed), "paid paid");
        assert.deepEqual(await openReasons(), []);
        await assertHeard(await shop.notify(notice));
        assert.equal(await stateOf(placed), "paid paid");
      });
    });
  });
}
