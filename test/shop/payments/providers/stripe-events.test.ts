/** What each event of Stripe's does, and what hostile or old ones cannot do. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { beforeEach, describe, it } from "node:test";
import { AppError } from "../../../../src/kit/errors.ts";
import { type NoticeReading, ProviderFault } from "../../../../src/shop/payments/providers/provider.ts";
import { stripeEvents } from "../../../../src/shop/payments/providers/stripe-notices.ts";
import { stripe } from "../../../../src/shop/payments/providers/stripe.ts";
import type { GatewayNotice, GatewayPayment } from "../gateways/gateway.ts";
import { createStripeGateway } from "../gateways/stripe.ts";
import { callsOf, createAdapter, toPayment } from "./adapter.ts";

const { ask, begin, read } = callsOf(stripe);
const ORDER = "ord_01JZ4T5V6W7X8Y9Z";

type Adapter = ReturnType<
  typeof createAdapter<typeof stripe.options, ReturnType<typeof createStripeGateway>>
>;
let adapter: Adapter;
let payment: GatewayPayment;

beforeEach(async () => {
  adapter = createAdapter(stripe, createStripeGateway);
  await begin(adapter.setup, toPayment(adapter.clock), adapter.tools);
  payment = adapter.gateway.payments[0] ?? assert.fail("nothing was begun");
});

function take(notice: GatewayNotice): Promise<NoticeReading> {
  return read(adapter.setup, adapter.toRequest(notice), adapter.tools);
}

/** What a notice says, one line each: type, amount, currency, order. */
async function say(notice: GatewayNotice): Promise<string[]> {
  const { notices, mustAsk } = await take(notice);
  assert.equal(mustAsk, undefined);
  assert.equal(new Set(notices.map(({ eventId }) => eventId)).size, notices.length);
  return notices.map(({ type, amount, currency, orderId }) => `${type} ${amount} ${currency} ${orderId}`);
}

async function refusal(notice: GatewayNotice): Promise<string> {
  try {
    return (await say(notice)).join(", ") || "nothing";
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    return error.code;
  }
}

function sessionEvent(type: string, change: Record<string, unknown> = {}): GatewayNotice {
  return adapter.gateway.event(`checkout.session.${type}`, {
    ...adapter.gateway.session(payment),
    ...change,
  });
}

/** The event about a charge, as new versions send it (no list of refunds) or as old ones do. */
function chargeEvent(refunds?: readonly Record<string, unknown>[]): GatewayNotice {
  const { charge, payment_intent } = adapter.gateway.lastRefund(payment);
  return adapter.gateway.event("charge.refunded", {
    id: charge,
    object: "charge",
    amount: 1999,
    amount_refunded: payment.refunded,
    currency: "eur",
    payment_intent,
    metadata: { order_id: ORDER },
    ...(refunds !== undefined && { refunds: { object: "list", data: refunds } }),
  });
}

describe("a session of Stripe's", () => {
  it("is paid when it is complete and paid, not when it is complete alone", async () => {
    assert.deepEqual(await say(sessionEvent("completed", { status: "complete" })), [
      `pending 1999 EUR ${ORDER}`,
    ]);
    assert.deepEqual(await say(await adapter.gateway.pay(payment)), [`payment 1999 EUR ${ORDER}`]);
  });

  it("is paid or refused later by a bank, or expires", async () => {
    const paid = { status: "complete", payment_status: "paid" };
    assert.deepEqual(await say(sessionEvent("async_payment_succeeded", paid)), [`payment 1999 EUR ${ORDER}`]);
    assert.deepEqual(await say(sessionEvent("async_payment_succeeded")), [`pending 1999 EUR ${ORDER}`]);
    assert.deepEqual(await say(sessionEvent("async_payment_failed", { status: "complete" })), [
      `failed 1999 EUR ${ORDER}`,
    ]);
    assert.deepEqual(await say(sessionEvent("expired", { status: "expired" })), [`failed 1999 EUR ${ORDER}`]);
  });

  it("is the same payment in the event, in a repeat and when Stripe is queried", async () => {
    const event = await adapter.gateway.pay(payment);
    const [first] = (await take(event)).notices;
    const [later] = (await take(sessionEvent("async_payment_succeeded"))).notices;
    const { orderId, number, attempt, amount, currency } = toPayment(adapter.clock);
    const asked = await ask(
      adapter.setup,
      { orderId, number, attempt, amount, currency, reference: payment.reference, state: {} },
      adapter.tools,
    );
    assert.ok(first && later && asked.kind === "notices");
    for (const other of [later, asked.notices[0]])
      assert.deepEqual(
        [other?.reference, other?.orderId, other?.type, other?.amount, other?.currency, other?.state],
        [first.reference, first.orderId, first.type, first.amount, first.currency, first.state],
      );
    assert.notEqual(later.eventId, first.eventId);
    assert.equal(first.paidAt, adapter.clock.now());
  });

  it("reports what was paid, not what was requested", async () => {
    assert.deepEqual(await say(await adapter.gateway.pay(payment, { amount: 1 })), [
      `payment 1 EUR ${ORDER}`,
    ]);
    assert.deepEqual(await say(await adapter.gateway.pay(payment, { amount: 1999, currency: "USD" })), [
      `payment 1999 USD ${ORDER}`,
    ]);
    assert.deepEqual(await say(await adapter.gateway.pay(payment, { orderId: "ord_other" })), [
      "payment 1999 EUR ord_other",
    ]);
  });

  it("of an older version tells our currency beside the buyer's", async () => {
    const converted = { amount_total: 1999, source_currency: "eur", fx_rate: "1.1" };
    const change = {
      status: "complete",
      payment_status: "paid",
      amount_total: 2199,
      currency: "usd",
      currency_conversion: converted,
    };
    assert.deepEqual(await say(sessionEvent("completed", change)), [`payment 1999 EUR ${ORDER}`]);
  });

  it("that something else began on the same account says nothing", async () => {
    const foreign = { client_reference_id: null, metadata: {}, payment_status: "paid" };
    assert.deepEqual(await say(sessionEvent("completed", foreign)), []);
    assert.deepEqual(await say(sessionEvent("completed", { ...foreign, metadata: null })), []);
    const linked = { ...foreign, client_reference_id: "ord_linked" };
    assert.deepEqual(await say(sessionEvent("completed", linked)), ["payment 1999 EUR ord_linked"]);
  });
});

describe("refunds at Stripe", () => {
  beforeEach(async () => {
    await adapter.gateway.pay(payment);
  });

  const give = async (amount: number): Promise<GatewayNotice> =>
    (await adapter.gateway.refund?.(payment, amount)) ?? assert.fail("no notice");

  it("count each with its own amount, whichever event tells of them", async () => {
    const told = [await give(500), chargeEvent(), await give(1499), chargeEvent()];
    const readings = [];
    for (const notice of told) {
      const { notices } = await take(notice);
      assert.equal(new Set(notices.map(({ eventId }) => eventId)).size, notices.length);
      readings.push(...notices);
    }
    const byReference = new Map(readings.map(({ reference, amount }) => [reference, amount]));
    assert.deepEqual([...byReference.values()], [500, 1499]);
    assert.equal(readings.length, 1 + 2 + 1 + 2);
    for (const { type, amount, orderId, reference } of readings)
      assert.deepEqual([type, amount, orderId], ["refund", byReference.get(reference), ORDER]);
  });

  it("of versions before 2022-11-15 are part of the charge", async () => {
    await give(500);
    const before = adapter.sent.length;
    assert.deepEqual(await say(chargeEvent([adapter.gateway.lastRefund(payment)])), [
      `refund 500 EUR ${ORDER}`,
    ]);
    assert.equal(adapter.sent.length, before);
  });

  it("count when the money has gone, and are taken back when a bank returns it", async () => {
    await give(500);
    const refund = adapter.gateway.lastRefund(payment);
    const tell = (status: string, before?: Record<string, unknown>, type = "refund.updated") =>
      say(adapter.gateway.event(type, { ...refund, status }, before === undefined ? {} : { before }));
    assert.deepEqual(await tell("pending"), []);
    assert.deepEqual(await tell("requires_action"), []);
    assert.deepEqual(await tell("succeeded", { status: "pending" }), [`refund 500 EUR ${ORDER}`]);
    assert.deepEqual(await tell("succeeded", undefined, "charge.refund.updated"), [
      `refund 500 EUR ${ORDER}`,
    ]);
    assert.deepEqual(await tell("failed", { status: "pending" }, "refund.failed"), [
      `failed 500 EUR ${ORDER}`,
    ]);
    assert.deepEqual(await tell("failed", { status: "succeeded" }, "refund.failed"), [
      `failed 500 EUR ${ORDER}`,
      `payment 500 EUR ${ORDER}`,
    ]);
  });

  it("of payments that name no order name the payment, by which a renewal is found", async () => {
    const notice = await give(500);
    adapter.answerOnce({ status: 200, text: JSON.stringify({ id: "pi_1", metadata: {} }) });
    assert.deepEqual(await say(notice), ["refund 500 EUR "]);
  });

  it("are sent again when Stripe cannot be queried for their order", async () => {
    const notice = await give(500);
    adapter.answerOnce(new ProviderFault("unavailable", "nobody home"));
    assert.equal(await refusal(notice), "unavailable");
    adapter.answerOnce({ status: 500, text: "" });
    assert.equal(await refusal(chargeEvent()), "unavailable");
    assert.deepEqual(await say(notice), [`refund 500 EUR ${ORDER}`]);
  });
});

describe("disputes at Stripe", () => {
  beforeEach(async () => {
    await adapter.gateway.pay(payment);
    await adapter.gateway.refund?.(payment, 1);
  });

  const dispute = (type: string, status: string, change: Record<string, unknown> = {}) => {
    const { charge, payment_intent } = adapter.gateway.lastRefund(payment);
    return adapter.gateway.event(`charge.dispute.${type}`, {
      id: "du_1",
      object: "dispute",
      amount: 1998,
      currency: "eur",
      status,
      charge,
      payment_intent,
      metadata: {},
      ...change,
    });
  };

  it("take the money when they are opened and give it back when they are won", async () => {
    const taken = [`chargeback 1998 EUR ${ORDER}`];
    assert.deepEqual(await say(dispute("created", "needs_response")), taken);
    assert.deepEqual(await say(dispute("funds_withdrawn", "needs_response")), taken);
    assert.deepEqual(await say(dispute("closed", "lost")), taken);
    assert.deepEqual(await say(dispute("closed", "won")), [`payment 1998 EUR ${ORDER}`]);
    assert.deepEqual(await say(dispute("funds_reinstated", "under_review")), [`payment 1998 EUR ${ORDER}`]);
  });

  it("that are inquiries take none", async () => {
    assert.deepEqual(await say(dispute("created", "warning_needs_response")), []);
    assert.deepEqual(await say(dispute("closed", "warning_closed")), []);
  });

  it("are found by their payment, whatever form it has", async () => {
    const { payment_intent: id } = adapter.gateway.lastRefund(payment);
    const expanded = { payment_intent: { id, object: "payment_intent", metadata: {} } };
    assert.deepEqual(await say(dispute("created", "needs_response", expanded)), [
      `chargeback 1998 EUR ${ORDER}`,
    ]);
    assert.deepEqual(await say(dispute("created", "needs_response", { payment_intent: null })), []);
  });
});

describe("events that are old, foreign or hostile", () => {
  it("of kinds that do not concern the books say nothing", async () => {
    for (const type of ["customer.created", "payment_intent.succeeded", "constructor", "__proto__", ""])
      assert.deepEqual(await say(adapter.gateway.event(type, { id: "x" })), [], type);
  });

  it("are refused as invalid when they lack what the books need, and never fail otherwise", async () => {
    for (const type of stripeEvents)
      for (const object of [{}, { id: "x" }, { id: 1 }, { id: "x", amount: -1, currency: "eur" }])
        assert.match(await refusal(adapter.gateway.event(type, object)), /^(?:invalid|nothing)$/u, type);
    for (const change of [
      { amount_total: undefined },
      { amount_total: "1999" },
      { amount_total: 19.99 },
      { amount_total: 1e300 },
      { currency: null },
      { currency: "ugx" },
    ])
      assert.equal(await refusal(sessionEvent("completed", change)), "invalid", JSON.stringify(change));
  });

  it("survive members of any other type", async () => {
    await adapter.gateway.pay(payment);
    const session = adapter.gateway.session(payment);
    for (const name of Object.keys(session))
      for (const value of [
        null,
        undefined,
        0,
        -1,
        "",
        [],
        {},
        { id: 1 },
        true,
        "\u0000",
        "x".repeat(9_000),
      ]) {
        const notice = adapter.gateway.event("checkout.session.completed", { ...session, [name]: value });
        assert.match(
          await refusal(notice),
          /^(?:invalid|nothing|(?:payment|pending) (?:0|1999) (?:EUR ord_|EUR \ufffd$|\ufffd ord_))/u,
          name,
        );
      }
  });

  it("of any JSON at all are refused or ignored", async () => {
    for (const value of [
      null,
      [],
      1,
      "x",
      {},
      { object: "v2.core.event", id: "evt_1" },
      { id: "e", type: "t" },
    ]) {
      const notice = adapter.gateway.event("x", {});
      const body = JSON.stringify(value);
      const seconds = adapter.clock.now() / 1_000;
      const { webhookSecret = "" } = adapter.gateway.credentials;
      const v1 = createHmac("sha256", webhookSecret).update(`${seconds}.${body}`).digest("hex");
      const headers = { ...notice.headers, "stripe-signature": `t=${seconds},v1=${v1}` };
      assert.equal(await refusal({ ...notice, body, headers }), "nothing", body);
      const cut = { ...notice, body: `${notice.body.slice(0, -1)}`, headers: notice.headers };
      assert.equal(await refusal(cut), "unauthenticated");
    }
  });

  it("come by POST and with a right signature", async () => {
    const notice = await adapter.gateway.pay(payment);
    assert.equal(await refusal({ ...notice, method: "GET" }), "method_not_allowed");
    assert.equal(await refusal(adapter.gateway.forge(notice)), "unauthenticated");
  });
});
