/** Every kind of request that the adapter of Stripe sends, in several shapes, to whatever `send` leads to. */
import { createHmac } from "node:crypto";
import type {
  PaymentRequest,
  ProviderTools,
  ServiceAnswer,
  ServiceRequest,
} from "../../../../src/shop/payments/providers/provider.ts";
import { stripe } from "../../../../src/shop/payments/providers/stripe.ts";
import { createFixedClock } from "../../../support/fixed-clock.ts";
import { callsOf, toPayment } from "./adapter.ts";

const { ask, begin, read, refund } = callsOf(stripe);
const DAY = 86_400_000;

const shapes: readonly Partial<PaymentRequest>[] = [
  {},
  { amount: 50, currency: "JPY", language: "zh-CN", email: "" },
  { amount: 999_999_999_999, currency: "IDR", language: "tlh", description: "店".repeat(200) },
  { amount: 5120, currency: "KWD", attempt: 20, language: "en-GB" },
  { amount: 5, currency: "ISK", expiresAt: createFixedClock().now() + 30 * DAY },
];

/** Sends them all; what the answers say is of no account. */
export async function sendStripeRequests(
  send: (request: ServiceRequest) => Promise<ServiceAnswer>,
  origin: string,
): Promise<void> {
  const clock = createFixedClock();
  const tools: ProviderTools = { now: () => clock.now(), send };
  const credentials = { secretKey: "sk_test_51OpenApi", webhookSecret: "whsec_OpenApi0123456789" };
  const setup = { word: "card", options: { apiUrl: origin }, credentials };
  for (const shape of shapes) await begin(setup, toPayment(clock, shape), tools);
  const payment = toPayment(clock);
  const about = { orderId: payment.orderId, number: payment.number, currency: payment.currency };
  const state = { session: "cs_test_1", paymentIntent: "pi_1" };
  await ask(setup, { ...about, attempt: 1, amount: 1999, reference: "cs_test_1", state }, tools);
  await stripe.cancel?.(setup, { orderId: payment.orderId, reference: "cs_test_1", state }, tools);
  const wanted = {
    ...about,
    reference: "pi_1",
    state,
    paid: 1999,
    amount: 999,
    reason: "broken",
    key: "rfd_1",
  };
  await refund(setup, wanted, tools);
  const seconds = clock.now() / 1_000;
  const charge = { id: "ch_1", payment_intent: "pi_1", metadata: {} };
  const body = JSON.stringify({ id: "evt_1", type: "charge.refunded", data: { object: charge } });
  const v1 = createHmac("sha256", credentials.webhookSecret).update(`${seconds}.${body}`).digest("hex");
  const headers = new Headers({ "stripe-signature": `t=${seconds},v1=${v1}` });
  await read(setup, { method: "POST", url: "https://shop.example.org/", headers, body }, tools);
  // With its order in the metadata, so that its refunds are listed.
  const named = body.replace('"metadata":{}', '"metadata":{"order_id":"ord_1"}');
  const named1 = createHmac("sha256", credentials.webhookSecret).update(`${seconds}.${named}`).digest("hex");
  const namedHeaders = new Headers({ "stripe-signature": `t=${seconds},v1=${named1}` });
  await read(
    setup,
    { method: "POST", url: "https://shop.example.org/", headers: namedHeaders, body: named },
    tools,
  );
}
