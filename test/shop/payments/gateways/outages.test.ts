/** Payment services that are away, slow, or whose answers are lost, tried with every stand-in. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { orders } from "../../../../src/shop/orders/records.ts";
import { read } from "../../app-fixture.ts";
import { type Checkout, type GatewayShop, createGatewayShop } from "./gateway-shop.ts";
import { gateways } from "./gateways.ts";

const MINUTE = 60_000;

for (const [name, create] of Object.entries(gateways)) {
  describe(`payments with ${name}`, () => {
    let shop: GatewayShop;
    beforeEach(async () => {
      shop = await createGatewayShop(create);
    });
    afterEach(() => shop.assertBooks());

    describe("when the service is away", () => {
      it("begin later, as the same payment, and the order says so", async () => {
        for (const outage of ["away", "lost"] as const) {
          const before = shop.gateway.payments.length;
          shop.setOutage(outage);
          const placed = await shop.checkOut();
          const isAsked = placed.payment.state !== "ready";
          if (isAsked) assert.match(placed.payment.message ?? "", /is unavailable/u);
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
        const { items } = await next.app.shop.store.read((tx) => tx.list(orders, "byCreated", { limit: 5 }));
        assert.deepEqual(
          items.map(({ status }) => status),
          ["paid"],
        );
      });

      it("keep a notification that must be confirmed, and apply it when the provider is back", async () => {
        const placed = await shop.checkOut();
        const notice = await shop.pay(placed);
        shop.setOutage("away");
        const response = await shop.notify(notice);
        if (response.status === 503) {
          // PayPal's proof itself needs PayPal: without it nothing is kept, and it sends again.
          for (const reason of await shop.openReasons()) assert.match(reason, /could not be confirmed/u);
          assert.ok(name === "paypal" || (await shop.openReasons()).length === 1);
          assert.equal((await shop.order(placed.order.id)).status, "pending_payment");
        }
        shop.setOutage("none");
        shop.clock.advance(MINUTE);
        await shop.runJobs();
        assert.equal(await shop.stateOf(placed), "paid paid");
        assert.deepEqual(await shop.openReasons(), []);
        await shop.assertHeard(await shop.notify(notice));
        assert.equal(await shop.stateOf(placed), "paid paid");
      });
    });
  });
}
