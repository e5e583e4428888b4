/** Payments with Stripe Checkout from our side: beginning, asking, ending, giving back. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type PaymentStart, ProviderFault } from "../../../../src/shop/payments/providers/provider.ts";
import { stripe } from "../../../../src/shop/payments/providers/stripe.ts";
import { readForm } from "../gateways/form.ts";
import { createStripeGateway } from "../gateways/stripe.ts";
import { callsOf, createAdapter, ORIGIN, toPayment } from "./adapter.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { begin, ask, refund, test } = callsOf(stripe);
const { cancel = () => Promise.reject(new Error()) } = stripe;

type Adapter = ReturnType<
  typeof createAdapter<typeof stripe.options, ReturnType<typeof createStripeGateway>>
>;
let adapter: Adapter;

beforeEach(() => {
  adapter = createAdapter(stripe, createStripeGateway);
});

async function start(change: Parameters<typeof toPayment>[1] = {}): Promise<PaymentStart> {
  return begin(adapter.setup, toPayment(adapter.clock, change), adapter.tools);
}

function toAsked({ reference, state = {} }: PaymentStart) {
  const { orderId, number, attempt, amount, currency } = toPayment(adapter.clock);
  return { orderId, number, attempt, amount, currency, reference, state };
}

/** What a call is refused with: kind, part and Stripe's words. */
async function fault(call: () => Promise<unknown>): Promise<string[]> {
  try {
    await call();
  } catch (error) {
    assert.ok(error instanceof ProviderFault, String(error));
    return [error.kind, error.part ?? "", error.said];
  }
  return assert.fail("nothing was thrown");
}

describe("beginning a payment with Stripe", () => {
  it("leads to a session of the sum that names the order", async () => {
    const started = await start();
    const [payment] = adapter.gateway.payments;
    assert.ok(payment);
    assert.deepEqual(started, {
      kind: "redirect",
      url: `${ORIGIN}/c/pay/${payment.reference}`,
      reference: payment.reference,
      expiresAt: adapter.clock.now() + 46 * MINUTE,
      state: { session: payment.reference },
    });
    assert.deepEqual(
      [payment.amount, payment.currency, payment.orderId],
      [1999, "EUR", "ord_01JZ4T5V6W7X8Y9Z"],
    );
    const [request] = adapter.sent;
    assert.equal(request?.url, `${ORIGIN}/v1/checkout/sessions`);
    assert.equal(request.headers?.["idempotency-key"], "order-ord_01JZ4T5V6W7X8Y9Z-1");
    const form = readForm(request.body ?? "");
    const metadata = { order_id: "ord_01JZ4T5V6W7X8Y9Z", order_number: "260131-7KQ4MP" };
    const description = "Order 260131-7KQ4MP at Ada's shop";
    assert.deepEqual(form, {
      mode: "payment",
      client_reference_id: "ord_01JZ4T5V6W7X8Y9Z",
      success_url: "https://shop.example.org/orders/ord_1?token=a%20b&x=ä",
      cancel_url: "https://shop.example.org/orders/ord_1?token=a%20b&x=ä",
      locale: "de",
      customer_email: "ada@example.org",
      line_items: [
        {
          quantity: "1",
          price_data: { currency: "eur", unit_amount: "1999", product_data: { name: description } },
        },
      ],
      metadata,
      payment_intent_data: { metadata, description },
      expires_at: String(adapter.clock.now() / 1_000 + 46 * 60),
    });
  });

  it("gives the same session for the same attempt, another one for the next", async () => {
    const first = await start();
    adapter.clock.advance(10 * MINUTE);
    const { expiresAt } = toPayment(adapter.clock, { expiresAt: adapter.clock.now() + 5 * MINUTE });
    assert.deepEqual(await start({ expiresAt }), first);
    assert.equal(adapter.gateway.payments.length, 1);
    const next = await start({ expiresAt, attempt: 2 });
    assert.notEqual(next.reference, first.reference);
    assert.equal(adapter.gateway.payments.length, 2);
  });

  it("takes Stripe's own 24 hours for orders that wait longer, and the same session on either side of that bound", async () => {
    const expiresAt = adapter.clock.now() + 22 * HOUR + 29.5 * MINUTE;
    const first = await start({ expiresAt });
    assert.equal(first.expiresAt, adapter.clock.now() + 24 * HOUR);
    assert.equal(readForm(adapter.sent[0]?.body ?? "")["expires_at"], undefined);
    adapter.clock.advance(5 * MINUTE);
    assert.deepEqual(await start({ expiresAt }), first);
    assert.equal(adapter.gateway.payments.length, 1);
    assert.equal((await start({ expiresAt: adapter.clock.now() + 720 * HOUR, attempt: 2 })).kind, "redirect");
  });

  it("lives at least half an hour even when the order ends this second", async () => {
    const { expiresAt = 0 } = await start({ expiresAt: adapter.clock.now() });
    assert.ok(expiresAt >= adapter.clock.now() + 30 * MINUTE);
  });

  it("speaks the buyer's language where Checkout does, and leaves out an address that Stripe would refuse", async () => {
    const locales = [];
    for (const [attempt, language] of ["zh-CN", "zh-tw", "pt-BR", "EN-gb", "tlh", ""].entries()) {
      await start({ attempt, language, email: "zoë@bücher.example" });
      const form = readForm(adapter.sent.at(-1)?.body ?? "");
      locales.push(form["locale"]);
      assert.equal("customer_email" in form, false);
    }
    assert.deepEqual(locales, ["zh", "zh-TW", "pt-BR", "en-GB", "auto", "auto"]);
  });
});

describe("asking Stripe", () => {
  it("finds a payment that waits, is paid, was given back, or is over", async () => {
    const started = await start();
    const [payment] = adapter.gateway.payments;
    assert.ok(payment);
    const look = () => ask(adapter.setup, toAsked(started), adapter.tools);
    assert.deepEqual(await look(), { kind: "unpaid", isOver: false });
    await adapter.gateway.pay(payment);
    const paid = await look();
    assert.ok(paid.kind === "notices");
    const [notice] = paid.notices;
    assert.deepEqual(
      [notice?.type, notice?.amount, notice?.currency, notice?.orderId, notice?.paidAt],
      ["payment", 1999, "EUR", "ord_01JZ4T5V6W7X8Y9Z", adapter.clock.now()],
    );
    assert.match(notice?.reference ?? "", /^pi_/u);
    await adapter.gateway.refund?.(payment, 500);
    await adapter.gateway.refund?.(payment, 499);
    const back = await look();
    assert.ok(back.kind === "notices");
    assert.deepEqual(
      back.notices.map(({ type, amount }) => `${type} ${amount}`),
      ["payment 1999", "refund 500", "refund 499"],
    );
    assert.equal(new Set(back.notices.map(({ eventId }) => eventId)).size, 3);
  });

  it("knows what is over: expired, refused by a bank, or never begun there", async () => {
    const started = await start();
    await cancel(adapter.setup, toAsked(started), adapter.tools);
    assert.deepEqual(await ask(adapter.setup, toAsked(started), adapter.tools), {
      kind: "unpaid",
      isOver: true,
    });
    const gone = { ...toAsked(started), reference: "cs_test_none", state: {} };
    assert.deepEqual(await ask(adapter.setup, gone, adapter.tools), { kind: "unpaid", isOver: true });
    const none = { ...toAsked(started), reference: "", state: {} };
    assert.deepEqual(await ask(adapter.setup, none, adapter.tools), { kind: "unpaid", isOver: false });
    const refused = { id: "cs_1", status: "complete", payment_status: "unpaid" };
    for (const [status, isOver] of [
      ["requires_payment_method", true],
      ["processing", false],
    ] as const) {
      const payment_intent = { id: "pi_1", status };
      adapter.answerOnce({ status: 200, text: JSON.stringify({ ...refused, payment_intent }) });
      assert.deepEqual(await ask(adapter.setup, toAsked(started), adapter.tools), { kind: "unpaid", isOver });
    }
  });
});

describe("ending and giving back with Stripe", () => {
  it("expires an open session; one that is paid stays", async () => {
    const started = await start();
    const [payment] = adapter.gateway.payments;
    assert.ok(payment);
    await cancel(adapter.setup, toAsked(started), adapter.tools);
    assert.equal(payment.isCanceled, true);
    await cancel(adapter.setup, toAsked(started), adapter.tools);
    const next = await start({ attempt: 2 });
    const other = adapter.gateway.payments[1] ?? assert.fail("no second session");
    await adapter.gateway.pay(other);
    await cancel(adapter.setup, toAsked(next), adapter.tools);
    assert.deepEqual([other.isPaid, other.isCanceled], [true, false]);
    adapter.answerOnce({ status: 503, text: "" });
    assert.equal((await fault(() => cancel(adapter.setup, toAsked(next), adapter.tools)))[0], "unclear");
  });

  it("gives back once however often a refund is tried, and no more than was paid", async () => {
    const started = await start();
    const [payment] = adapter.gateway.payments;
    assert.ok(payment);
    await adapter.gateway.pay(payment);
    const paid = await ask(adapter.setup, toAsked(started), adapter.tools);
    const { reference = "", state = {} } = (paid.kind === "notices" && paid.notices[0]) || {};
    const { orderId, number, currency } = toPayment(adapter.clock);
    const give = (amount: number, key: string) =>
      refund(
        adapter.setup,
        { orderId, number, reference, state, paid: 1999, amount, currency, reason: "broken", key },
        adapter.tools,
      );
    const first = await give(999, "rfd_1");
    assert.equal(first.kind, "moved");
    assert.deepEqual(await give(999, "rfd_1"), first);
    assert.equal(payment.refunded, 999);
    assert.deepEqual((await fault(() => give(1001, "rfd_2"))).slice(0, 2), ["refused", "amount"]);
    const refundOf = (status: string) => ({
      status: 200,
      text: JSON.stringify({ id: "re_9", amount: 1, currency: "eur", status }),
    });
    adapter.answerOnce(refundOf("pending"));
    assert.deepEqual(await give(1, "rfd_3"), { kind: "pending", reference: "re_9" });
    adapter.answerOnce(refundOf("failed"));
    assert.equal((await fault(() => give(1, "rfd_4")))[0], "refused");
  });
});

describe("the test of Stripe's settings", () => {
  it("begins a session, ends it, and repeats what Stripe says", async () => {
    const { said } = await test(adapter.setup, adapter.tools);
    const [payment] = adapter.gateway.payments;
    assert.ok(payment?.isCanceled);
    const answer: { id: string; livemode: boolean } = JSON.parse(said);
    assert.deepEqual([answer.id, answer.livemode], [payment.reference, false]);
  });

  it("sees a clock that is off", async () => {
    const now = adapter.clock.now();
    for (const [offMs, part] of [
      [301_000, "clock"],
      [-301_000, "clock"],
    ] as const) {
      const headers = new Headers({ date: new Date(now + offMs).toUTCString() });
      adapter.answerOnce({ status: 200, text: JSON.stringify({ id: "cs_1", url: "https://x" }), headers });
      assert.equal((await fault(() => test(adapter.setup, adapter.tools)))[1], part);
    }
  });
});
