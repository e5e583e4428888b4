/** What Stripe's refunds and disputes do to the books of a shop. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type Checkout, type GatewayShop, createGatewayShop } from "./gateway-shop.ts";
import { type StripeGateway, createStripeGateway } from "./stripe.ts";

describe("the books with Stripe", () => {
  let shop: GatewayShop;
  let stripe: StripeGateway;
  let placed: Checkout;

  beforeEach(async () => {
    shop = await createGatewayShop((options) => {
      stripe = createStripeGateway(options);
      return stripe;
    });
    placed = await shop.checkOut();
    await shop.assertHeard(await shop.notify(await shop.pay(placed)));
  });
  afterEach(() => shop.assertBooks());

  /** An event about a dispute or a refund; what is left of the payment. */
  async function tell(
    type: string,
    change: Record<string, unknown>,
    before?: Record<string, unknown>,
  ): Promise<string> {
    const about = { currency: "eur", metadata: { order_id: placed.order.id }, ...change };
    await shop.assertHeard(
      await shop.notify(stripe.event(type, about, before === undefined ? {} : { before })),
    );
    return String((await shop.order(placed.order.id)).amountPaid);
  }

  it("lose what a dispute takes, and have it again when it is won", async () => {
    const dispute = { id: "du_1", amount: 1_999 };
    const open = { ...dispute, status: "needs_response" };
    assert.equal(await tell("charge.dispute.created", open), "0");
    assert.equal(await tell("charge.dispute.funds_withdrawn", open), "0");
    const won = { ...dispute, status: "won" };
    assert.equal(await tell("charge.dispute.closed", won), "1999");
    assert.equal(await tell("charge.dispute.funds_reinstated", won), "1999");
    assert.deepEqual(await shop.openReasons(), []);
  });

  it("have again what a bank sent back of a refund, and nothing that was never taken", async () => {
    const refund = { id: "re_1", amount: 500 };
    assert.equal(await tell("refund.created", { ...refund, status: "succeeded" }), "1499");
    const failed = { ...refund, status: "failed" };
    assert.equal(await tell("refund.failed", failed, { status: "succeeded" }), "1999");
    assert.deepEqual(await shop.openReasons(), []);
    const other = { id: "du_2", amount: 700, status: "won" };
    assert.equal(await tell("charge.dispute.closed", other), "1999");
    assert.deepEqual(await shop.openReasons(), ["The order was already paid"]);
  });
});
