/** Payments with PayPal from our side: beginning, asking with its capture, giving back. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { paypal } from "../../../../src/shop/payments/providers/paypal.ts";
import {
  type AskResult,
  type PaymentStart,
  ProviderFault,
} from "../../../../src/shop/payments/providers/provider.ts";
import { createPaypalGateway } from "../gateways/paypal.ts";
import { callsOf, createAdapter, ORIGIN, toPayment } from "./adapter.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { begin, ask, refund } = callsOf(paypal);

type Adapter = ReturnType<
  typeof createAdapter<typeof paypal.options, ReturnType<typeof createPaypalGateway>>
>;
let adapter: Adapter;

beforeEach(() => {
  adapter = createAdapter(paypal, createPaypalGateway);
});

function start(change: Parameters<typeof toPayment>[1] = {}): Promise<PaymentStart> {
  return begin(adapter.setup, toPayment(adapter.clock, change), adapter.tools);
}

function look({ reference, state = {} }: PaymentStart): Promise<AskResult> {
  const { orderId, number, attempt, amount, currency } = toPayment(adapter.clock);
  return ask(adapter.setup, { orderId, number, attempt, amount, currency, reference, state }, adapter.tools);
}

/** The notices of an answer, one line each. */
function linesOf(result: AskResult): string[] {
  assert.ok(result.kind === "notices", JSON.stringify(result));
  return result.notices.map(
    ({ type, amount, currency, orderId }) => `${type} ${amount} ${currency} ${orderId}`,
  );
}

async function fault(call: () => Promise<unknown>): Promise<string[]> {
  try {
    await call();
  } catch (error) {
    assert.ok(error instanceof ProviderFault, String(error));
    return [error.kind, error.part ?? "", error.said];
  }
  return assert.fail("nothing was thrown");
}

const paths = (): string[] => adapter.sent.map(({ url }) => url.replace(ORIGIN, ""));
const first = () => adapter.gateway.payments[0] ?? assert.fail("nothing was begun");

describe("beginning a payment with PayPal", () => {
  it("leads to an order that names ours", async () => {
    const started = await start();
    const { reference } = first();
    assert.deepEqual(started, {
      kind: "redirect",
      url: `https://www.sandbox.paypal.com/checkoutnow?token=${reference}`,
      reference,
      expiresAt: adapter.clock.now() + 3 * HOUR,
      state: { order: reference },
    });
    const request = adapter.sent.at(-1);
    assert.equal(request?.headers?.["paypal-request-id"], "order-ord_01JZ4T5V6W7X8Y9Z-1");
    const returnUrl = "https://shop.example.org/orders/ord_1?token=a%20b&x=ä";
    assert.deepEqual(JSON.parse(request.body ?? ""), {
      intent: "CAPTURE",
      purchase_units: [
        {
          reference_id: `until-${adapter.clock.now() / 1_000 + 900}`,
          custom_id: "ord_01JZ4T5V6W7X8Y9Z",
          invoice_id: "260131-7KQ4MP",
          description: "Order 260131-7KQ4MP at Ada's shop",
          amount: { currency_code: "EUR", value: "19.99" },
        },
      ],
      payment_source: {
        paypal: {
          experience_context: {
            return_url: returnUrl,
            cancel_url: returnUrl,
            user_action: "PAY_NOW",
            shipping_preference: "NO_SHIPPING",
            locale: "de-AT",
          },
        },
      },
    });
  });

  it("gives the same order for the same attempt, another one for the next", async () => {
    const begun = await start();
    assert.deepEqual(await start(), begun);
    assert.equal(adapter.gateway.payments.length, 1);
    assert.notEqual((await start({ attempt: 2 })).reference, begun.reference);
  });

  it("asks for an access token once, until it is about to end or PayPal refuses it", async () => {
    const tokens = (): number => paths().filter((path) => path === "/v1/oauth2/token").length;
    await start();
    await start({ attempt: 2 });
    assert.equal(tokens(), 1);
    adapter.clock.advance(9 * HOUR - 61_000);
    await start({ attempt: 3 });
    assert.equal(tokens(), 1);
    adapter.clock.advance(2_000);
    await start({ attempt: 4 });
    assert.equal(tokens(), 2);
    adapter.gateway.endTokens();
    await start({ attempt: 5 });
    assert.equal(tokens(), 3);
  });
});

describe("asking PayPal", () => {
  it("captures what the buyer approved, once, and says what became of it", async () => {
    const started = await start();
    assert.deepEqual(await look(started), { kind: "unpaid", isOver: false });
    adapter.gateway.approve(first());
    assert.equal(first().isPaid, false);
    const paid = await look(started);
    assert.deepEqual(linesOf(paid), ["payment 1999 EUR ord_01JZ4T5V6W7X8Y9Z"]);
    assert.equal(first().isPaid, true);
    const again = await look(started);
    assert.deepEqual(again, paid);
    assert.equal(paths().filter((path) => path.endsWith("/capture")).length, 1);
  });

  it("does not take what is approved after the order ended", async () => {
    const started = await start();
    adapter.gateway.approve(first());
    adapter.clock.advance(25 * MINUTE + 1_000);
    assert.deepEqual(await look(started), { kind: "unpaid", isOver: true });
    assert.equal(first().isPaid, false);
    const next = await start({ attempt: 2, expiresAt: adapter.clock.now() });
    adapter.gateway.approve(adapter.gateway.payments[1] ?? assert.fail("no second order"));
    adapter.clock.advance(10 * MINUTE);
    assert.equal((await look(next)).kind, "notices");
  });

  it("waits while the buyer's means was declined, and captures the next one", async () => {
    const started = await start();
    adapter.gateway.nextCapture = { issue: "INSTRUMENT_DECLINED" };
    adapter.gateway.approve(first());
    assert.deepEqual(await look(started), { kind: "unpaid", isOver: false });
    adapter.clock.advance(MINUTE);
    adapter.gateway.approve(first());
    assert.deepEqual(linesOf(await look(started)), ["payment 1999 EUR ord_01JZ4T5V6W7X8Y9Z"]);
  });

  it("waits for a capture that PayPal holds back", async () => {
    const started = await start();
    adapter.gateway.nextCapture = { status: "PENDING" };
    adapter.gateway.approve(first());
    assert.deepEqual(await look(started), { kind: "unpaid", isOver: false });
    adapter.gateway.nextCapture = { status: "DECLINED" };
    assert.deepEqual(await look(started), { kind: "unpaid", isOver: true });
    adapter.gateway.nextCapture = {};
    assert.equal((await look(started)).kind, "notices");
  });

  it("finds out what a capture did whose answer was lost", async () => {
    const started = await start();
    adapter.gateway.approve(first());
    const { send } = adapter.tools;
    const lossy = {
      ...adapter.tools,
      send: async (request: Parameters<typeof send>[0]) => {
        const answer = await send(request);
        if (request.url.endsWith("/capture")) throw new ProviderFault("unclear", "cut off");
        return answer;
      },
    };
    const { reference, state = {} } = started;
    const { orderId, number, attempt, amount, currency } = toPayment(adapter.clock);
    const asked = { orderId, number, attempt, amount, currency, reference, state };
    assert.equal((await fault(() => ask(adapter.setup, asked, lossy)))[0], "unclear");
    assert.equal((await look(started)).kind, "notices");
  });

  it("captured by another hand at the same moment sees the capture", async () => {
    const started = await start();
    const { reference } = first();
    adapter.gateway.approve(first());
    const [one, other] = await Promise.all([look(started), look(started)]);
    assert.deepEqual(one, other);
    const approved = { id: reference, status: "APPROVED", update_time: "earlier", purchase_units: [] };
    adapter.answerOnce({ status: 200, text: JSON.stringify(approved) });
    assert.deepEqual(await look(started), one);
  });

  it("knows what is over: lapsed, or never begun there", async () => {
    const started = await start();
    adapter.clock.advance(7 * HOUR);
    assert.deepEqual(await look(started), { kind: "unpaid", isOver: true });
    assert.deepEqual(await look({ ...started, reference: "5Onever", state: {} }), {
      kind: "unpaid",
      isOver: true,
    });
    assert.deepEqual(await look({ ...started, reference: "", state: {} }), { kind: "unpaid", isOver: false });
  });
});

describe("giving back with PayPal", () => {
  it("happens once however often it is tried, and not beyond what was paid", async () => {
    const started = await start();
    await adapter.gateway.pay(first());
    const paid = await look(started);
    assert.ok(paid.kind === "notices");
    const { reference, state = {} } = paid.notices[0] ?? assert.fail("no notice");
    const { orderId, number, currency } = toPayment(adapter.clock);
    const give = (amount: number, key: string) =>
      refund(
        adapter.setup,
        { orderId, number, reference, state, paid: 1999, amount, currency, reason: "broken", key },
        adapter.tools,
      );
    const made = await give(999, "rfd_1");
    assert.equal(made.kind, "moved");
    assert.deepEqual(await give(999, "rfd_1"), made);
    assert.equal(first().refunded, 999);
    const [kind, part, said] = await fault(() => give(1001, "rfd_2"));
    assert.deepEqual(
      [kind, part, said],
      ["refused", "amount", "UNPROCESSABLE_ENTITY: UNPROCESSABLE_ENTITY happened: REFUND_AMOUNT_EXCEEDED"],
    );
    assert.deepEqual(linesOf(await look(started)), [
      "payment 1999 EUR ord_01JZ4T5V6W7X8Y9Z",
      "refund 999 EUR ord_01JZ4T5V6W7X8Y9Z",
    ]);
    const refundOf = (status: string) => ({
      status: 201,
      text: JSON.stringify({ id: "1R9", status, amount: { currency_code: "EUR", value: "0.01" } }),
    });
    adapter.answerOnce(refundOf("PENDING"));
    assert.deepEqual(await give(1, "rfd_3"), { kind: "pending", reference: "1R9" });
    adapter.answerOnce(refundOf("FAILED"));
    assert.equal((await fault(() => give(1, "rfd_4")))[0], "refused");
  });
});
