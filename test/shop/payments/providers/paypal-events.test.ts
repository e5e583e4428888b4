/** What each event of PayPal's does, and what hostile or old ones cannot do. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { AppError } from "../../../../src/kit/errors.ts";
import { paypalEvents } from "../../../../src/shop/payments/providers/paypal-notices.ts";
import { paypal } from "../../../../src/shop/payments/providers/paypal.ts";
import { type NoticeReading, ProviderFault } from "../../../../src/shop/payments/providers/provider.ts";
import type { GatewayNotice, GatewayPayment } from "../gateways/gateway.ts";
import { createPaypalGateway } from "../gateways/paypal.ts";
import { callsOf, createAdapter, toPayment } from "./adapter.ts";

const { ask, begin, read } = callsOf(paypal);
const ORDER = "ord_01JZ4T5V6W7X8Y9Z";

type Adapter = ReturnType<
  typeof createAdapter<typeof paypal.options, ReturnType<typeof createPaypalGateway>>
>;
let adapter: Adapter;
let payment: GatewayPayment;

beforeEach(async () => {
  adapter = createAdapter(paypal, createPaypalGateway);
  await begin(adapter.setup, toPayment(adapter.clock), adapter.tools);
  payment = adapter.gateway.payments[0] ?? assert.fail("nothing was begun");
});

function take(notice: GatewayNotice): Promise<NoticeReading> {
  return read(adapter.setup, adapter.toRequest(notice), adapter.tools);
}

/** What a notice says, one line each: type, amount, currency, order. */
async function say(notice: GatewayNotice): Promise<string[]> {
  const { notices } = await take(notice);
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

const captures = (): number => adapter.sent.filter(({ url }) => url.endsWith("/capture")).length;

describe("an approval at PayPal", () => {
  it("is captured, which is what pays", async () => {
    const approval = adapter.gateway.approve(payment);
    assert.deepEqual(await say(approval), [`payment 1999 EUR ${ORDER}`]);
    assert.equal(payment.isPaid, true);
    assert.deepEqual(await say(approval), [`payment 1999 EUR ${ORDER}`]);
    assert.equal(captures(), 1);
  });

  it("is the same payment in every event and when PayPal is queried", async () => {
    const [captured] = (await take(adapter.gateway.approve(payment))).notices;
    const [told] = (await take(await adapter.gateway.pay(payment))).notices;
    const { orderId, number, attempt, amount, currency } = toPayment(adapter.clock);
    const asked = await ask(
      adapter.setup,
      { orderId, number, attempt, amount, currency, reference: payment.reference, state: {} },
      adapter.tools,
    );
    assert.ok(captured && told && asked.kind === "notices");
    const [answered] = asked.notices;
    for (const other of [told, answered])
      assert.deepEqual({ ...other, eventId: "" }, { ...captured, eventId: "" });
    assert.equal(new Set([captured.eventId, told.eventId, answered?.eventId]).size, 3);
  });

  it("that a bank declines is no payment, and may be followed by another", async () => {
    adapter.gateway.nextCapture = { issue: "INSTRUMENT_DECLINED" };
    assert.deepEqual(await say(adapter.gateway.approve(payment)), [`failed 1999 EUR ${ORDER}`]);
    assert.equal(payment.isPaid, false);
    adapter.clock.advance(60_000);
    assert.deepEqual(await say(adapter.gateway.approve(payment)), [`payment 1999 EUR ${ORDER}`]);
  });

  it("that PayPal holds back waits", async () => {
    adapter.gateway.nextCapture = { status: "PENDING" };
    assert.deepEqual(await say(adapter.gateway.approve(payment)), [`pending 1999 EUR ${ORDER}`]);
  });

  it("after the order ended is not taken", async () => {
    const approval = adapter.gateway.approve(payment);
    adapter.clock.advance(26 * 60_000);
    assert.deepEqual(await say(approval), []);
    assert.deepEqual([captures(), payment.isPaid], [0, false]);
  });

  it("is sent again when PayPal does not respond", async () => {
    const approval = adapter.gateway.approve(payment);
    await say(adapter.gateway.event("X", {}));
    adapter.answerOnce(new ProviderFault("unclear", "cut off"));
    assert.equal(await refusal(approval), "unavailable");
    adapter.answerOnce({ status: 503, text: "" });
    assert.equal(await refusal(approval), "unavailable");
    adapter.answerOnce({ status: 429, text: '{"name":"RATE_LIMIT_REACHED"}' });
    assert.equal(await refusal(approval), "unavailable");
    assert.deepEqual(await say(approval), [`payment 1999 EUR ${ORDER}`]);
  });

  it("of an order that PayPal does not know, or that was begun elsewhere, is nothing", async () => {
    assert.deepEqual(await say(adapter.gateway.event("CHECKOUT.ORDER.APPROVED", { id: "5Onever" })), []);
    await begin(adapter.setup, toPayment(adapter.clock, { attempt: 2 }), adapter.tools);
    const foreign = {
      id: "5Oforeign",
      status: "COMPLETED",
      purchase_units: [
        { payments: { captures: [{ ...adapter.gateway.capture(payment), id: "3Cx", custom_id: null }] } },
      ],
    };
    adapter.answerOnce({ status: 200, text: JSON.stringify(foreign) });
    assert.deepEqual(await say(adapter.gateway.event("CHECKOUT.ORDER.APPROVED", { id: "5Oforeign" })), []);
  });
});

describe("captures at PayPal", () => {
  it("are paid when completed, and say what was paid", async () => {
    assert.deepEqual(await say(await adapter.gateway.pay(payment)), [`payment 1999 EUR ${ORDER}`]);
    assert.deepEqual(await say(await adapter.gateway.pay(payment, { amount: 1 })), [
      `payment 1 EUR ${ORDER}`,
    ]);
    assert.deepEqual(await say(await adapter.gateway.pay(payment, { currency: "JPY" })), [
      `payment 1999 JPY ${ORDER}`,
    ]);
    const resource = { ...adapter.gateway.capture(payment), custom_id: undefined };
    assert.deepEqual(await say(adapter.gateway.event("PAYMENT.CAPTURE.COMPLETED", resource)), []);
  });

  it("wait, or fail", async () => {
    await adapter.gateway.pay(payment);
    const resource = adapter.gateway.capture(payment);
    for (const [type, expected] of [
      ["PENDING", "pending"],
      ["DENIED", "failed"],
      ["DECLINED", "failed"],
    ] as const)
      assert.deepEqual(await say(adapter.gateway.event(`PAYMENT.CAPTURE.${type}`, resource)), [
        `${expected} 1999 EUR ${ORDER}`,
      ]);
  });
});

describe("money that goes back at PayPal", () => {
  beforeEach(async () => {
    await adapter.gateway.pay(payment);
  });

  const give = async (amount: number): Promise<GatewayNotice> =>
    (await adapter.gateway.refund?.(payment, amount)) ?? assert.fail("no notice");

  it("counts each time with its own amount, and finds its order by the capture", async () => {
    const one = (await take(await give(500))).notices;
    const other = (await take(await give(1499))).notices;
    assert.deepEqual(
      [...one, ...other].map(({ type, amount, orderId }) => `${type} ${amount} ${orderId}`),
      [`refund 500 ${ORDER}`, `refund 1499 ${ORDER}`],
    );
    assert.notEqual(one[0]?.reference, other[0]?.reference);
  });

  it("is a chargeback when PayPal reverses it", async () => {
    const { body } = await give(700);
    const { resource }: { resource: Record<string, unknown> } = JSON.parse(body);
    const tell = (type: string, change: Record<string, unknown> = {}) =>
      say(adapter.gateway.event(type, { ...resource, ...change }));
    assert.deepEqual(await tell("PAYMENT.CAPTURE.REVERSED"), [`chargeback 700 EUR ${ORDER}`]);
    assert.deepEqual(await tell("PAYMENT.CAPTURE.REFUNDED", { status: "PENDING" }), []);
    assert.deepEqual(await tell("PAYMENT.REFUND.FAILED", { status: "FAILED" }), [`failed 700 EUR ${ORDER}`]);
    const lookUps = adapter.sent.length;
    assert.deepEqual(await tell("PAYMENT.CAPTURE.REFUNDED", { custom_id: ORDER }), [
      `refund 700 EUR ${ORDER}`,
    ]);
    assert.equal(adapter.sent.length, lookUps);
    assert.deepEqual(await tell("PAYMENT.CAPTURE.REFUNDED", { links: [] }), []);
  });

  it("is sent again when PayPal cannot be queried for the order", async () => {
    const notice = await give(500);
    await say(notice);
    adapter.answerOnce(new ProviderFault("unavailable", "nobody home"));
    assert.equal(await refusal(notice), "unavailable");
  });

  it("comes back to a seller who wins a dispute, if it was taken", async () => {
    const { id } = adapter.gateway.capture(payment);
    const settled = { currency_code: "EUR", value: "19.99" };
    const dispute = (outcome: string, movements: readonly Record<string, unknown>[], custom?: string) =>
      say(
        adapter.gateway.event("CUSTOMER.DISPUTE.RESOLVED", {
          dispute_id: "PP-D-4012",
          status: "RESOLVED",
          dispute_amount: settled,
          dispute_outcome: { outcome_code: outcome },
          disputed_transactions: [{ seller_transaction_id: id, custom }],
          money_movements: movements,
        }),
      );
    const debit = { affected_party: "SELLER", type: "DEBIT", reason: "DISPUTE_SETTLEMENT", amount: settled };
    const credit = { ...debit, type: "CREDIT" };
    const fee = { ...credit, reason: "DISPUTE_FEE", amount: { currency_code: "EUR", value: "14.00" } };
    const payout = [`payment 1999 EUR ${ORDER}`];
    assert.deepEqual(await dispute("RESOLVED_SELLER_FAVOUR", [debit, credit, fee]), payout);
    assert.deepEqual(await dispute("RESOLVED_SELLER_FAVOUR", [credit], ORDER), payout);
    assert.deepEqual(await dispute("RESOLVED_SELLER_FAVOUR", []), []);
    assert.deepEqual(await dispute("RESOLVED_BUYER_FAVOUR", [debit, credit]), []);
  });
});

describe("events of PayPal that are old, foreign or hostile", () => {
  it("of kinds that do not concern the books say nothing", async () => {
    for (const type of ["CUSTOMER.DISPUTE.CREATED", "CHECKOUT.ORDER.SAVED", "constructor", "__proto__", ""])
      assert.deepEqual(await say(adapter.gateway.event(type, { id: "x" })), [], type);
  });

  it("are refused as invalid when they lack what the books need, and never fail otherwise", async () => {
    const money = { currency_code: "EUR", value: "-1" };
    for (const type of paypalEvents)
      for (const resource of [{}, { id: "x" }, { id: 1 }, { id: "x", amount: money, custom_id: ORDER }])
        assert.match(await refusal(adapter.gateway.event(type, resource)), /^(?:invalid|nothing)$/u, type);
  });

  it("survive members of any other type", async () => {
    await adapter.gateway.pay(payment);
    const resource = adapter.gateway.capture(payment);
    for (const name of [...Object.keys(resource), "links"])
      for (const value of [null, undefined, 0, "", [], {}, { value: 1 }, true, "\u0000", "x".repeat(9_000)]) {
        const notice = adapter.gateway.event("PAYMENT.CAPTURE.COMPLETED", { ...resource, [name]: value });
        assert.match(await refusal(notice), /^(?:invalid|nothing|payment 1999 EUR (?:ord_|\ufffd$))/u, name);
      }
  });

  it("come by POST, signed, and as JSON", async () => {
    const notice = await adapter.gateway.pay(payment);
    assert.equal(await refusal({ ...notice, method: "GET" }), "method_not_allowed");
    assert.equal(await refusal(adapter.gateway.forge(notice)), "unauthenticated");
    assert.equal(await refusal({ ...notice, body: "" }), "unauthenticated");
  });
});
