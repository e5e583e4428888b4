/** Payment sessions are removed when they are no longer needed. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { paymentSessions } from "../../../../src/shop/payments/records.ts";
import { sweepSessions } from "../../../../src/shop/payments/services/session-sweep.ts";
import { liftLimits } from "../../goods.ts";
import { type Checkout, type GatewayShop, createGatewayShop } from "./gateway-shop.ts";
import { createStripeGateway } from "./stripe.ts";

const DAY = 86_400_000;

describe("sessions of payments", () => {
  let shop: GatewayShop;
  beforeEach(async () => {
    shop = await createGatewayShop(createStripeGateway);
  });
  const sweep = (): Promise<number> => sweepSessions(shop.app.store, shop.clock.now());
  const isKept = async ({ order: { id } }: Checkout): Promise<boolean> =>
    (await shop.app.store.read((tx) => tx.get(paymentSessions, `${id}:1`))) !== undefined;

  it("go 90 days after their order ended unpaid", async () => {
    const placed = await shop.checkOut();
    shop.clock.advance(30 * DAY);
    await shop.runJobs();
    assert.equal((await shop.order(placed.order.id)).status, "expired");
    shop.clock.advance(60 * DAY);
    assert.deepEqual([await sweep(), await isKept(placed)], [1, true]);
    shop.clock.advance(30 * DAY - 1);
    assert.deepEqual([await sweep(), await isKept(placed)], [0, true]);
    shop.clock.advance(1);
    assert.deepEqual([await sweep(), await isKept(placed)], [1, false]);
  });

  it("stay with the money of their order, also when it was given back, and are not looked at again", async () => {
    const placed = await shop.checkOut();
    await shop.assertHeard(await shop.notify(await shop.pay(placed)));
    shop.clock.advance(90 * DAY);
    assert.deepEqual([await sweep(), await isKept(placed)], [1, true]);
    shop.clock.advance(900 * DAY);
    assert.deepEqual([await sweep(), await isKept(placed)], [0, true]);
    const path = `/api/admin/orders/${placed.order.id}/refund`;
    await shop.app.admin("POST", path, { amount: 1_999, through: "service" });
    assert.equal(shop.gateway.payments.at(-1)?.refunded, 1_999);
  });

  it("stay while their order waits, or a person has to decide about it", async () => {
    const waits = await shop.checkOut();
    const late = await shop.checkOut();
    shop.clock.advance(DAY);
    await shop.app.admin("POST", `/api/admin/orders/${late.order.id}/cancel`, {});
    await shop.notify(await shop.pay(late));
    assert.ok((await shop.order(late.order.id)).attention.length > 0);
    shop.clock.advance(89 * DAY);
    assert.equal((await shop.order(waits.order.id)).status, "pending_payment");
    assert.deepEqual([await sweep(), await isKept(waits), await isKept(late)], [2, true, true]);
    shop.clock.advance(90 * DAY);
    assert.deepEqual([await sweep(), await isKept(waits), await isKept(late)], [2, true, true]);
  });

  it("go in batches", async () => {
    await liftLimits(shop.app);
    const placed = await shop.checkOut();
    const one =
      (await shop.app.store.read((tx) => tx.get(paymentSessions, `${placed.order.id}:1`))) ??
      assert.fail("no session");
    const { version: _version, ...facts } = one;
    await shop.app.store.transact(async (tx) => {
      for (let at = 0; at < 250; at += 1)
        await tx.insert(paymentSessions, { ...facts, id: `gone_${at}:1`, orderId: `gone_${at}` });
    });
    shop.clock.advance(90 * DAY);
    assert.deepEqual([await sweep(), await sweep(), await sweep()], [200, 51, 0]);
  });
});
