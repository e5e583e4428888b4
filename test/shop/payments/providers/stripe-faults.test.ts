/** Amounts as Stripe counts them, and the faults that name a setting or a field. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { toStripeAmount, fromStripeAmount } from "../../../../src/shop/payments/providers/stripe-api.ts";
import { type PaymentStart, ProviderFault } from "../../../../src/shop/payments/providers/provider.ts";
import { stripe } from "../../../../src/shop/payments/providers/stripe.ts";
import { createStripeGateway } from "../gateways/stripe.ts";
import { callsOf, createAdapter, toPayment } from "./adapter.ts";

const { begin } = callsOf(stripe);

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

describe("amounts at Stripe", () => {
  it("are ours but for the currencies that Stripe counts otherwise", () => {
    const table: readonly (readonly [number, string, number])[] = [
      [1999, "EUR", 1999],
      [500, "JPY", 500],
      [1000, "KRW", 1000],
      [12_345, "HUF", 12_345],
      [80_045, "TWD", 80_045],
      [5, "ISK", 500],
      [700, "MGA", 7],
      [5120, "KWD", 5120],
      [999_999_999_999, "IDR", 999_999_999_999],
    ];
    for (const [ours, currency, theirs] of table) {
      assert.equal(toStripeAmount(ours, currency), theirs, currency);
      assert.deepEqual(fromStripeAmount(theirs, currency.toLowerCase()), { amount: ours, currency });
    }
  });

  it("are refused where Stripe could not charge them exactly", async () => {
    for (const [amount, currency, part] of [
      [5124, "KWD", "amount"],
      [750, "MGA", "amount"],
      [500, "UGX", "currency"],
      [1000, "LYD", "currency"],
    ] as const)
      assert.deepEqual(await fault(() => start({ amount, currency })), ["refused", part, ""], currency);
    assert.equal(adapter.sent.length, 0);
    assert.throws(() => fromStripeAmount(150, "isk"), { code: "invalid" });
    assert.throws(() => fromStripeAmount(500, "ugx"), { code: "invalid" });
  });
});

describe("faults of Stripe", () => {
  const refusal = (status: number, error: Record<string, string>) => ({
    status,
    text: JSON.stringify({ error: { type: "invalid_request_error", message: "No", ...error } }),
  });

  it("name the setting or field that is wrong", async () => {
    for (const [answer, expected] of [
      [refusal(401, {}), "refused credentials"],
      [refusal(403, { code: "more_permissions_required" }), "refused credentials"],
      [refusal(400, { param: "expires_at" }), "refused clock"],
      [refusal(400, { code: "amount_too_small" }), "refused amount"],
      [refusal(400, { param: "line_items[0][price_data][unit_amount]" }), "refused amount"],
      [refusal(400, { param: "line_items[0][price_data][currency]" }), "refused currency"],
      [refusal(400, { code: "url_invalid", param: "success_url" }), "refused url"],
      [refusal(400, { code: "account_invalid" }), "refused merchant"],
      [refusal(404, { code: "resource_missing" }), "refused order"],
      [refusal(400, { param: "nobody_knows" }), "refused "],
      [refusal(429, { code: "rate_limit" }), "unavailable "],
      [refusal(409, { code: "idempotency_key_in_use" }), "unavailable "],
      [{ status: 404, text: "<html>nginx</html>" }, "refused url"],
      [{ status: 302, text: "" }, "refused url"],
      [{ status: 500, text: "{}" }, "unclear "],
      [{ status: 200, text: "<html>" }, "unclear "],
      [{ status: 200, text: "{}" }, "unclear "],
      [new ProviderFault("unavailable", "nobody home"), "unavailable "],
    ] as const) {
      adapter.answerOnce(answer);
      const [kind, part] = await fault(() => start());
      assert.equal(`${kind} ${part}`, expected, JSON.stringify(answer));
    }
  });

  it("never repeat the key", async () => {
    const { secretKey = "" } = adapter.setup.credentials;
    adapter.answerOnce(refusal(401, { message: `Invalid API Key provided: ${secretKey}` }));
    assert.deepEqual(await fault(() => start()), ["refused", "credentials", "Invalid API Key provided: …"]);
    adapter.answerOnce({ status: 500, text: `echo ${secretKey}` });
    assert.deepEqual(await fault(() => start()), ["unclear", "", "echo …"]);
  });

  it("of a rejected key come from the stand-in too", async () => {
    const setup = {
      ...adapter.setup,
      credentials: { ...adapter.setup.credentials, secretKey: "sk_test_wrongwrong" },
    };
    const [kind, part] = await fault(() => begin(setup, toPayment(adapter.clock), adapter.tools));
    assert.deepEqual([kind, part], ["refused", "credentials"]);
  });
});
