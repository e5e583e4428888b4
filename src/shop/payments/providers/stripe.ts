/**
 * Stripe Checkout: the buyer pays on a page of Stripe's (https://docs.stripe.com/payments/checkout). A session lives at
 * least 30 minutes, longer than an order waits: it is expired with the order, and a payment that comes late is kept.
 */
import { z } from "zod";
import {
  type AskResult,
  type PaymentRequest,
  type PaymentStart,
  type ProviderKind,
  type ProviderNotice,
  type ProviderTools,
  type RefundRequest,
  type RefundResult,
  ProviderFault,
  openField,
  secretField,
} from "./provider.ts";
import { checkClock } from "./answers.ts";
import {
  type StripeSession,
  type StripeSetup,
  callStripe,
  isStripeAmount,
  StripeFault,
  stripeOptions,
  stripeRefund,
  stripeSession,
  toStripeAmount,
} from "./stripe-api.ts";
import { manageStripeCard, syncStripeSubscription } from "./stripe-subscriptions.ts";
import { readStripeNotice, stripeEvents, toRefundNotice, toSessionNotice } from "./stripe-notices.ts";

const HOUR_SECONDS = 3_600;
/** `expires_at` must be 30 minutes to 24 hours ahead; a minute more, for clocks that differ a little. */
const MIN_LIFE_SECONDS = 31 * 60;
const MAX_LIFE_SECONDS = 23 * HOUR_SECONDS;

/** The languages of Checkout: https://docs.stripe.com/js/appendix/supported_locales */
const locales = new Map(
  (
    "bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv " +
    "th tr vi zh zh-HK zh-TW"
  )
    .split(" ")
    .map((locale) => [locale.toLowerCase(), locale]),
);

function toLocale(language: string): string {
  const tag = language.toLowerCase();
  return locales.get(tag) ?? locales.get(tag.split("-")[0] ?? "") ?? "auto";
}

/** The form of a session. One line with the total: the order has the items. */
function toForm(request: PaymentRequest): Record<string, string> {
  const { orderId, number, description, currency, email, returnUrl } = request;
  return {
    mode: "payment",
    client_reference_id: orderId,
    success_url: returnUrl,
    cancel_url: returnUrl,
    locale: toLocale(request.language),
    // An address beyond ASCII is none to Stripe; the buyer types another one.
    ...(/^[\u0021-\u007e]+$/u.test(email) && { customer_email: email }),
    "line_items[0][quantity]": "1",
    "line_items[0][price_data][currency]": currency.toLowerCase(),
    "line_items[0][price_data][unit_amount]": String(toStripeAmount(request.amount, currency)),
    "line_items[0][price_data][product_data][name]": description,
    "metadata[order_id]": orderId,
    "metadata[order_number]": number,
    // The charge, its refunds and disputes lead back to the order by these.
    "payment_intent_data[metadata][order_id]": orderId,
    "payment_intent_data[metadata][order_number]": number,
    "payment_intent_data[description]": description,
    // Charged again for each period: Stripe keeps who pays, and with what.
    ...(request.isKept === true && {
      customer_creation: "always",
      "payment_intent_data[setup_future_usage]": "off_session",
    }),
  };
}

async function create(
  setup: StripeSetup,
  call: { form: Record<string, string>; idempotencyKey: string },
  tools: ProviderTools,
): Promise<{ session: StripeSession; headers: Headers | undefined; json: unknown }> {
  const { json, headers } = await callStripe(setup, { path: "/v1/checkout/sessions", ...call }, tools);
  const session = stripeSession.safeParse(json);
  if (!session.success)
    throw new ProviderFault("unclear", "The response from Stripe is not a Checkout Session");
  return { session: session.data, headers, json };
}

/**
 * The same request again must be the same to the letter, or Stripe refuses its key. So the end of a session follows from
 * the order's alone, and an order that waits for longer than a session may live takes Stripe's own 24 hours; a repeat on
 * the other side of that bound is sent the other way.
 */
async function beginOrRepeat(
  setup: StripeSetup,
  request: PaymentRequest,
  tools: ProviderTools,
): Promise<StripeSession> {
  const idempotencyKey = `order-${request.orderId}-${request.attempt}`;
  const form = toForm(request);
  const endSeconds = Math.floor(request.expiresAt / 1_000) + MIN_LIFE_SECONDS;
  const isShort = endSeconds - tools.now() / 1_000 <= MAX_LIFE_SECONDS;
  const short = { ...form, expires_at: String(endSeconds) };
  const [first, other] = isShort ? [short, form] : [form, short];
  try {
    return (await create(setup, { form: first, idempotencyKey }, tools)).session;
  } catch (error) {
    if (!(error instanceof StripeFault && error.code === "idempotency_error")) throw error;
    return (await create(setup, { form: other, idempotencyKey }, tools)).session;
  }
}

async function begin(
  setup: StripeSetup,
  request: PaymentRequest,
  tools: ProviderTools,
): Promise<PaymentStart> {
  const { id, url, expires_at: end } = await beginOrRepeat(setup, request, tools);
  if (typeof url !== "string")
    throw new ProviderFault("refused", "The Checkout Session of this attempt has expired", { part: "order" });
  const expiresAt = end === undefined ? undefined : end * 1_000;
  return { kind: "redirect", url, reference: id, expiresAt, state: { session: id } };
}

const EXPAND = new URLSearchParams({ "expand[]": "payment_intent.latest_charge.refunds" }).toString();

/** Everything that a session says: paid, and what of it was given back. */
function toNotices(session: StripeSession): ProviderNotice[] {
  const charge = session.payment_intent.expanded?.latest_charge;
  const paidAt = charge?.created === undefined ? undefined : charge.created * 1_000;
  const paid = toSessionNotice(session, "payment", { eventId: `paid:${session.id}`, paidAt });
  if (paid === undefined) return [];
  const refunds = (charge?.refunds?.data ?? []).flatMap((refund) => {
    const notice = toRefundNotice(refund, { eventId: `refund:${refund.id}`, orderId: paid.orderId });
    return notice?.type === "refund" ? [notice] : [];
  });
  return [paid, ...refunds];
}

async function ask(
  setup: StripeSetup,
  { reference, state }: { reference: string; state: Readonly<Record<string, string>> },
  tools: ProviderTools,
): Promise<AskResult> {
  const id = state["session"] ?? reference;
  if (!id.startsWith("cs_")) return { kind: "unpaid", isOver: false };
  let session: StripeSession;
  try {
    const path = `/v1/checkout/sessions/${encodeURIComponent(id)}?${EXPAND}`;
    session = stripeSession.parse((await callStripe(setup, { path }, tools)).json);
  } catch (error) {
    if (error instanceof StripeFault && error.status === 404) return { kind: "unpaid", isOver: true };
    throw error;
  }
  if (session.payment_status === "paid") return { kind: "notices", notices: toNotices(session) };
  // A debit that the bank refused leaves a session that is complete and can be paid no more.
  const { expanded } = session.payment_intent;
  const isRefused = session.status === "complete" && expanded?.status === "requires_payment_method";
  return { kind: "unpaid", isOver: session.status === "expired" || isRefused };
}

async function expire(setup: StripeSetup, id: string, tools: ProviderTools): Promise<void> {
  const path = `/v1/checkout/sessions/${encodeURIComponent(id)}/expire`;
  try {
    await callStripe(setup, { path, form: {} }, tools);
  } catch (error) {
    // "Only sessions that are open can be expired": it is over already, or paid, which its notice says.
    if (!(error instanceof StripeFault && (error.status === 400 || error.status === 404))) throw error;
  }
}

async function refund(
  setup: StripeSetup,
  wanted: RefundRequest,
  tools: ProviderTools,
): Promise<RefundResult> {
  const { orderId, number, reference, state, amount, currency, key } = wanted;
  const form = {
    payment_intent: state["paymentIntent"] ?? reference,
    amount: String(toStripeAmount(amount, currency)),
    reason: "requested_by_customer",
    "metadata[order_id]": orderId,
    "metadata[order_number]": number,
  };
  const call = { path: "/v1/refunds", form, idempotencyKey: `refund-${key}` };
  const { json } = await callStripe(setup, call, tools);
  const made = stripeRefund.safeParse(json);
  if (!made.success) throw new ProviderFault("unclear", "The response from Stripe is not a refund");
  const { id, status } = made.data;
  if (status === "failed" || status === "canceled")
    throw new ProviderFault("refused", "Stripe could not refund the money", { said: `${id}: ${status}` });
  return { kind: status === "succeeded" ? "moved" : "pending", reference: id };
}

/** Above the minimum of every settlement currency but a few (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const TEST_AMOUNT = { amount: 100, currency: "EUR" };

async function test(setup: StripeSetup, tools: ProviderTools): Promise<{ said: string }> {
  const nowMs = tools.now();
  const form = toForm({
    ...TEST_AMOUNT,
    orderId: "test",
    number: "test",
    attempt: 1,
    description: "Test",
    email: "",
    language: "",
    returnUrl: "https://example.org/",
    notifyUrl: "",
    expiresAt: nowMs,
  });
  const idempotencyKey = `test-${nowMs}`;
  const { session, headers, json } = await create(setup, { form, idempotencyKey }, tools);
  await expire(setup, session.id, tools);
  checkClock({ status: 200, text: "", headers }, nowMs);
  const said = z.record(z.string(), z.unknown()).parse(json);
  const shown = ["id", "object", "livemode", "mode", "status", "currency", "amount_total", "url"];
  return { said: JSON.stringify(Object.fromEntries(shown.map((name) => [name, said[name]]))) };
}

export const stripe: ProviderKind<typeof stripeOptions> = {
  title: "Stripe",
  documentation: "https://docs.stripe.com/payments/checkout",
  takesAmount: isStripeAmount,
  options: stripeOptions,
  credentials: {
    secretKey: {
      schema: z
        .string()
        .max(300)
        .regex(
          /^[rs]k_[A-Za-z0-9_]{10,}$/u,
          "must be a secret or restricted key, which starts with sk_ or rk_",
        ),
      needed: true,
    },
    webhookSecret: {
      schema: z
        .string()
        .max(300)
        .regex(/^whsec_[A-Za-z0-9+/=_-]{10,}$/u, "must be a signing secret, which starts with whsec_"),
      needed: true,
    },
  },
  fields: [secretField("secretKey"), secretField("webhookSecret", stripeEvents), openField("apiUrl")],
  origins: ({ apiUrl }) => [apiUrl],
  begin,
  read: readStripeNotice,
  ask,
  cancel: (setup, { reference, state }, tools) => expire(setup, state["session"] ?? reference, tools),
  refund,
  subscriptions: { sync: syncStripeSubscription, manage: manageStripeCard },
  test,
};
