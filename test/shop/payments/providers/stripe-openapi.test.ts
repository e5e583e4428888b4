/** What is sent to Stripe is what Stripe's own OpenAPI file describes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ServiceRequest } from "../../../../src/shop/payments/providers/provider.ts";
import { sendStripeRequests } from "./stripe-calls.ts";
import { checkStripeRequest } from "./stripe-openapi.ts";

const ORIGIN = "https://api.stripe.com";

async function collect(): Promise<ServiceRequest[]> {
  const sent: ServiceRequest[] = [];
  const answer = {
    id: "cs_test_1",
    url: "https://checkout.stripe.com/c/pay/cs_test_1",
    amount: 1,
    currency: "eur",
    status: "succeeded",
    data: [],
  };
  await sendStripeRequests((request) => {
    sent.push(request);
    return Promise.resolve({ status: 200, text: JSON.stringify(answer) });
  }, ORIGIN);
  return sent;
}

describe("Stripe's OpenAPI file", () => {
  it("takes every request of the adapter", async () => {
    const sent = await collect();
    const called = new Set<string>();
    for (const request of sent) {
      const { path, errors } = checkStripeRequest(request);
      assert.deepEqual(errors, [], `${request.method} ${request.url} ${request.body ?? ""}`);
      called.add(`${request.method} ${path}`);
    }
    assert.deepEqual([...called].toSorted(), [
      "GET /v1/checkout/sessions/{session}",
      "GET /v1/payment_intents/{intent}",
      "GET /v1/refunds",
      "POST /v1/checkout/sessions",
      "POST /v1/checkout/sessions/{session}/expire",
      "POST /v1/refunds",
    ]);
  });

  it("refuses others, so that taking ours means something", async () => {
    const [begin] = await collect();
    assert.ok(begin?.body);
    const spoil = (change: (form: URLSearchParams) => void): readonly string[] => {
      const form = new URLSearchParams(begin.body);
      change(form);
      return checkStripeRequest({ ...begin, body: form.toString() }).errors;
    };
    assert.deepEqual(
      spoil(() => undefined),
      [],
    );
    for (const [change, words] of [
      [(form: URLSearchParams) => form.set("nobody", "1"), /additional properties/u],
      [(form: URLSearchParams) => form.set("mode", "payments"), /^\/mode must be equal/u],
      [(form: URLSearchParams) => form.delete("success_url"), /required property 'success_url'/u],
      [(form: URLSearchParams) => form.set("expires_at", "soon"), /^\/expires_at must be integer/u],
      [(form: URLSearchParams) => form.set("client_reference_id", "x".repeat(201)), /200 characters/u],
      [
        (form: URLSearchParams) => form.set("line_items[0][price_data][unit_amount]", "19.99"),
        /unit_amount must be integer/u,
      ],
      [
        (form: URLSearchParams) => form.delete("line_items[0][price_data][currency]"),
        /^\/line_items\/0\/price_data/u,
      ],
    ] as const)
      assert.match(spoil(change)[0] ?? "nothing", words);
    assert.notDeepEqual(
      checkStripeRequest({ method: "GET", url: `${ORIGIN}/v1/refunds?nobody=1` }).errors,
      [],
    );
    assert.notDeepEqual(checkStripeRequest({ method: "GET", url: `${ORIGIN}/v1/nobody` }).errors, []);
  });
});
