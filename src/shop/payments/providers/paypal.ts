/**
 * PayPal by Orders v2: the buyer approves at PayPal, the shop captures (https://developer.paypal.com/docs/api/orders/v2/).
 * Approved is not paid: what counts is a capture that is completed. PayPal has no way to end an order that was not
 * approved, so one that is approved after the shop's order has ended is not captured.
 */
import { z } from "zod";
import { checkClock } from "./answers.ts";
import {
  type PaypalOrder,
  type PaypalSetup,
  callPaypal,
  findLink,
  PaypalFault,
  paypalCurrencies,
  paypalMovement,
  paypalOptions,
  paypalOrder,
  toPaypalMoney,
} from "./paypal-api.ts";
import { isTooLate, paypalEvents, readPaypalNotice, settleOrder, toOrderNotices } from "./paypal-notices.ts";
import {
  type AskResult,
  type PaymentRequest,
  type PaymentStart,
  type ProviderKind,
  type ProviderTools,
  type RefundRequest,
  type RefundResult,
  ProviderFault,
  openField,
  secretField,
} from "./provider.ts";

/** "The API caller has 3 hours … from the time the order is created, to redirect your payer." */
const LIFE_MS = 3 * 3_600_000;
/** The longest description that PayPal takes. */
const MAX_DESCRIPTION = 127;
/** Languages that say no country, with the locale of most who speak them. */
const locales: Readonly<Record<string, string>> = { en: "en-US", zh: "zh-CN", de: "de-DE" };

/** A locale of PayPal's five characters; undefined: PayPal chooses. */
function findLocale(language: string): string | undefined {
  return /^[a-z]{2}-[A-Z]{2}$/u.test(language) ? language : locales[language.toLowerCase()];
}

/** The order at PayPal: one unit of the whole sum, and when the shop stops waiting for it. */
function toBody(request: PaymentRequest): Record<string, unknown> {
  const { orderId, number, amount, currency, description, returnUrl } = request;
  return {
    intent: "CAPTURE",
    purchase_units: [
      {
        reference_id: `until-${Math.floor(request.expiresAt / 1_000)}`,
        custom_id: orderId,
        // One invoice is paid once, where the account is set so.
        invoice_id: number,
        description: description.slice(0, MAX_DESCRIPTION),
        amount: toPaypalMoney(amount, currency),
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          return_url: returnUrl,
          cancel_url: returnUrl,
          user_action: "PAY_NOW",
          // The shop has the address already.
          shipping_preference: "NO_SHIPPING",
          locale: findLocale(request.language),
        },
      },
    },
  };
}

async function create(
  setup: PaypalSetup,
  request: PaymentRequest,
  tools: ProviderTools,
): Promise<PaypalOrder> {
  const { orderId, attempt } = request;
  const call = {
    path: "/v2/checkout/orders",
    body: toBody(request),
    requestId: `order-${orderId}-${attempt}`,
  };
  const order = paypalOrder.safeParse(await callPaypal(setup, call, tools));
  if (!order.success) throw new ProviderFault("unclear", "The response from PayPal is not an order");
  return order.data;
}

async function begin(
  setup: PaypalSetup,
  request: PaymentRequest,
  tools: ProviderTools,
): Promise<PaymentStart> {
  const order = await create(setup, request, tools);
  const url = findLink(order, "payer-action") ?? findLink(order, "approve");
  if (url === undefined)
    throw new ProviderFault("refused", "The PayPal order has no approval link", { part: "order" });
  const createdMs = Date.parse(order.create_time ?? "");
  const expiresAt = (Number.isNaN(createdMs) ? tools.now() : createdMs) + LIFE_MS;
  return { kind: "redirect", url, reference: order.id, expiresAt, state: { order: order.id } };
}

async function ask(
  setup: PaypalSetup,
  { reference, state }: { reference: string; state: Readonly<Record<string, string>> },
  tools: ProviderTools,
): Promise<AskResult> {
  const id = state["order"] ?? reference;
  if (id === "") return { kind: "unpaid", isOver: false };
  let order: PaypalOrder | undefined;
  try {
    order = await settleOrder(setup, id, tools);
  } catch (error) {
    // The buyer may choose another means at PayPal.
    if (error instanceof PaypalFault && error.status === 422) return { kind: "unpaid", isOver: false };
    throw error;
  }
  if (order === undefined) return { kind: "unpaid", isOver: true };
  const notices = toOrderNotices(order, "asked");
  if (notices.some(({ type }) => type === "payment"))
    return {
      kind: "notices",
      notices: notices.filter(({ type }) => type === "payment" || type === "refund"),
    };
  const isWaiting = notices.some(({ type }) => type === "pending");
  const isOver = order.status === "VOIDED" || order.status === "COMPLETED" || isTooLate(order, tools.now());
  return { kind: "unpaid", isOver: isOver && !isWaiting };
}

async function refund(
  setup: PaypalSetup,
  wanted: RefundRequest,
  tools: ProviderTools,
): Promise<RefundResult> {
  const { orderId, reference, state, amount, currency, reason, key } = wanted;
  const capture = encodeURIComponent(state["capture"] ?? reference);
  const body = {
    amount: toPaypalMoney(amount, currency),
    custom_id: orderId,
    ...(reason !== "" && { note_to_payer: reason.slice(0, 255) }),
  };
  const call = { path: `/v2/payments/captures/${capture}/refund`, body, requestId: `refund-${key}` };
  const made = paypalMovement.safeParse(await callPaypal(setup, call, tools));
  if (!made.success) throw new ProviderFault("unclear", "The response from PayPal is not a refund");
  const { id, status } = made.data;
  if (status === "FAILED" || status === "CANCELLED")
    throw new ProviderFault("refused", "PayPal could not refund the money", { said: `${id}: ${status}` });
  return { kind: status === "COMPLETED" ? "moved" : "pending", reference: id };
}

async function test(setup: PaypalSetup, tools: ProviderTools): Promise<{ said: string }> {
  const nowMs = tools.now();
  const order = await create(
    setup,
    {
      orderId: "test",
      number: `test-${nowMs}`,
      attempt: nowMs,
      amount: 100,
      currency: "EUR",
      description: "Test",
      email: "",
      language: "",
      returnUrl: "https://example.org/",
      notifyUrl: "",
      // An expired approval is not charged.
      expiresAt: 0,
    },
    {
      ...tools,
      send: (request) => tools.send(request).then((answer) => (checkClock(answer, nowMs), answer)),
    },
  );
  const { id, status, create_time, links } = order;
  return { said: JSON.stringify({ id, status, create_time, links }) };
}

export const paypal: ProviderKind<typeof paypalOptions> = {
  title: "PayPal",
  documentation: "https://developer.paypal.com/docs/api/orders/v2/",
  options: paypalOptions,
  credentials: {
    clientSecret: {
      schema: z.string().regex(/^[A-Za-z0-9_-]{10,200}$/u, "must be the secret of the app at PayPal"),
      needed: true,
    },
  },
  fields: [
    openField("clientId"),
    secretField("clientSecret"),
    openField("webhookId", paypalEvents),
    openField("apiUrl"),
  ],
  currencies: paypalCurrencies,
  origins: ({ apiUrl }) => [apiUrl],
  begin,
  read: readPaypalNotice,
  ask,
  refund,
  test,
};
