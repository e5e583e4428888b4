/**
 * Subscriptions of Stripe: they charge each period after the first, which the order's Checkout Session paid
 * (https://docs.stripe.com/billing/subscriptions/overview, https://docs.stripe.com/payments/save-during-payment). The
 * shop sends the end of the paid period as the end of a trial, which also moves it later without proration
 * (https://docs.stripe.com/billing/subscriptions/billing-cycle).
 */
import { z } from "zod";
import {
  type ChargedPeriod,
  type ProviderNotice,
  type ProviderTools,
  type SyncedSubscription,
  type WantedSubscription,
  ProviderFault,
} from "./provider.ts";
import {
  type StripeSetup,
  StripeFault,
  callStripe,
  fromStripeAmount,
  stripeCharge,
  stripeReference as reference,
  stripeText as text,
  toStripeAmount,
} from "./stripe-api.ts";
import { toRefundNotice } from "./stripe-notices.ts";

/** Stripe's time of the next charge may differ so much from ours: clocks, and hours of daylight saving. */
const SAME_TIME_MS = 2 * 3_600_000;
/** More than are read at once. */
const MAX_BOOKED = 10;
/** A change this close to the charge would be too late. */
const LEAST_AHEAD_MS = 60_000;

const seconds = z.number().positive().nullish().catch(undefined);

const intentSchema = z.object({
  id: text,
  customer: reference,
  payment_method: reference,
  latest_charge: stripeCharge.nullish().catch(undefined),
});

const itemSchema = z.object({
  id: text,
  current_period_end: seconds,
  price: z.object({ unit_amount: z.number().nullish().catch(undefined), currency: text }),
});

/** https://docs.stripe.com/api/subscriptions/object */
const subscriptionSchema = z.object({
  id: text,
  status: text,
  customer: reference,
  cancel_at_period_end: z.boolean().catch(false),
  trial_end: seconds,
  metadata: z.record(z.string(), z.string()).catch({}),
  items: z.object({ data: z.array(itemSchema).min(1) }),
});
type StripeSubscription = z.infer<typeof subscriptionSchema>;

/** https://docs.stripe.com/api/invoices/object */
const invoiceSchema = z.object({
  id: text,
  status: text.nullish().catch(undefined),
  billing_reason: text.nullish().catch(undefined),
  amount_paid: z.number().int().min(0),
  currency: text,
  attempted: z.boolean().catch(false),
  period_end: z.number().positive(),
  hosted_invoice_url: z.string().max(5_000).nullish().catch(undefined),
  status_transitions: z.object({ paid_at: seconds }).nullish().catch(undefined),
  lines: z
    .object({ data: z.array(z.object({ period: z.object({ start: z.number().positive() }) })) })
    .nullish()
    .catch(undefined),
  payments: z
    .object({
      data: z.array(
        z.object({
          status: text.nullish().catch(undefined),
          payment: z.object({ payment_intent: reference }).nullish().catch(undefined),
        }),
      ),
    })
    .nullish()
    .catch(undefined),
});
type StripeInvoice = z.infer<typeof invoiceSchema>;

const ended = new Set(["canceled", "incomplete_expired"]);

function read<S extends z.ZodType>(schema: S, json: unknown, what: string): z.infer<S> {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new ProviderFault("unclear", `The response from Stripe is not ${what}`);
  return parsed.data;
}

const toPath = (id: string): string => `/v1/subscriptions/${encodeURIComponent(id)}`;

/** The recurring price of a period. */
function toPrice(
  { amount, currency, every, count }: WantedSubscription,
  product: string,
): Record<string, string> {
  return {
    "items[0][price_data][currency]": currency.toLowerCase(),
    "items[0][price_data][product]": product,
    "items[0][price_data][unit_amount]": String(toStripeAmount(amount, currency)),
    "items[0][price_data][recurring][interval]": every,
    "items[0][price_data][recurring][interval_count]": String(count),
  };
}

/** The product that prices belong to; it is made once. */
async function ensureProduct(
  setup: StripeSetup,
  { productId, title }: WantedSubscription,
  tools: ProviderTools,
): Promise<string> {
  const id = `trivet_${productId}`;
  try {
    const form = { id, name: title.slice(0, 250) };
    await callStripe(setup, { path: "/v1/products", form }, tools);
  } catch (error) {
    if (!(error instanceof StripeFault && error.code === "resource_already_exists")) throw error;
  }
  return id;
}

/** The subscription that an earlier try made, and whose answer was lost. */
async function findMade(
  setup: StripeSetup,
  { id }: WantedSubscription,
  { customer, tools }: { readonly customer: string; readonly tools: ProviderTools },
): Promise<StripeSubscription | undefined> {
  const query = new URLSearchParams({ customer, status: "all", limit: "100" }).toString();
  const { json } = await callStripe(setup, { path: `/v1/subscriptions?${query}` }, tools);
  const { data } = read(z.object({ data: z.array(subscriptionSchema) }), json, "a list of subscriptions");
  return data.find(({ metadata }) => metadata["subscription_id"] === id);
}

async function create(
  setup: StripeSetup,
  wanted: WantedSubscription,
  tools: ProviderTools,
): Promise<StripeSubscription> {
  const intent = wanted.state["paymentIntent"] ?? "";
  if (!intent.startsWith("pi_"))
    throw new ProviderFault("refused", "The first payment has no PaymentIntent that could be charged again");
  const path = `/v1/payment_intents/${encodeURIComponent(intent)}`;
  const paid = read(intentSchema, (await callStripe(setup, { path }, tools)).json, "a PaymentIntent");
  const { customer, payment_method: method } = paid;
  if (typeof customer !== "string" || typeof method !== "string")
    throw new ProviderFault("refused", "The payment method of the first payment was not kept");
  const made = await findMade(setup, wanted, { customer, tools });
  if (made !== undefined) return made;
  const { id, number, orderId, title, chargeAt } = wanted;
  const form = {
    customer,
    default_payment_method: method,
    description: title.slice(0, 500),
    trial_end: String(Math.floor(Math.max(chargeAt, tools.now() + LEAST_AHEAD_MS) / 1_000)),
    proration_behavior: "none",
    off_session: "true",
    ...toPrice(wanted, await ensureProduct(setup, wanted, tools)),
    "metadata[subscription_id]": id,
    "metadata[subscription_number]": number,
    "metadata[order_id]": orderId,
  };
  const { json } = await callStripe(
    setup,
    {
      path: "/v1/subscriptions",
      form,
      idempotencyKey: `subscription-${id}-${form.trial_end}-${wanted.amount}`,
    },
    tools,
  );
  return read(subscriptionSchema, json, "a subscription");
}

/** What has to be changed there; empty where nothing has. */
async function toChange(
  setup: StripeSetup,
  { wanted, present }: { readonly wanted: WantedSubscription; readonly present: StripeSubscription },
  tools: ProviderTools,
): Promise<Record<string, string>> {
  const [item] = present.items.data;
  if (item === undefined) return {};
  const change: Record<string, string> = {};
  const { chargeAt, isEnding, amount, currency } = wanted;
  const planned = (item.current_period_end ?? present.trial_end ?? 0) * 1_000;
  const isAhead = chargeAt > tools.now() + LEAST_AHEAD_MS;
  if (isAhead && Math.abs(planned - chargeAt) > SAME_TIME_MS)
    change["trial_end"] = String(Math.floor(chargeAt / 1_000));
  if (present.cancel_at_period_end !== isEnding) change["cancel_at_period_end"] = String(isEnding);
  const isSame =
    item.price.currency === currency.toLowerCase() &&
    item.price.unit_amount === toStripeAmount(amount, currency);
  if (!isSame && isAhead && !isEnding) {
    change["items[0][id]"] = item.id;
    Object.assign(change, toPrice(wanted, await ensureProduct(setup, wanted, tools)));
  }
  return Object.keys(change).length === 0 ? change : { ...change, proration_behavior: "none" };
}

/** The payment of an invoice, and what of it went back. */
async function readPayment(
  setup: StripeSetup,
  { id, amount_paid: paid, currency, payments, status_transitions: times }: StripeInvoice,
  tools: ProviderTools,
): Promise<ProviderNotice[]> {
  const money = fromStripeAmount(paid, currency);
  const settled = payments?.data.find(({ status, payment }) => status === "paid" && payment?.payment_intent);
  const intent = settled?.payment?.payment_intent ?? undefined;
  const paidAt = times?.paid_at ? times.paid_at * 1_000 : undefined;
  const payment: ProviderNotice = {
    eventId: `invoice:${id}`,
    // Without an intent it was paid from a balance, or marked as paid there.
    reference: intent ?? id,
    orderId: "",
    type: "payment",
    ...money,
    paidAt,
    state: intent === undefined ? { invoice: id } : { invoice: id, paymentIntent: intent },
  };
  if (intent === undefined) return [payment];
  const expand = new URLSearchParams({ "expand[]": "latest_charge.refunds" }).toString();
  const path = `/v1/payment_intents/${encodeURIComponent(intent)}?${expand}`;
  const { latest_charge: charge } = read(
    intentSchema,
    (await callStripe(setup, { path }, tools)).json,
    "a PaymentIntent",
  );
  const refunds = (charge?.refunds?.data ?? []).flatMap((refund) => {
    const notice = toRefundNotice(refund, { eventId: `refund:${refund.id}`, orderId: "" });
    return notice?.type === "refund" ? [notice] : [];
  });
  return [payment, ...refunds];
}

/** Invoices whose payments the shop has booked, the newest last: they are not read again. */
function listBooked(state: Readonly<Record<string, string>>): string[] {
  return (state["booked"] ?? "").split(" ").filter((id) => id !== "");
}

/** The newest periods that were charged and are not booked, the oldest first. */
async function listPeriods(
  setup: StripeSetup,
  { subscription, booked }: { readonly subscription: string; readonly booked: readonly string[] },
  tools: ProviderTools,
): Promise<ChargedPeriod[]> {
  const query = new URLSearchParams({ subscription, limit: "5", "expand[]": "data.payments" }).toString();
  const { json } = await callStripe(setup, { path: `/v1/invoices?${query}` }, tools);
  const { data } = read(z.object({ data: z.array(invoiceSchema) }), json, "a list of invoices");
  const periods: ChargedPeriod[] = [];
  for (const invoice of data.toReversed()) {
    const { id, status, amount_paid: paid, attempted, hosted_invoice_url: url, period_end: end } = invoice;
    const isPaid = status === "paid" && paid > 0;
    const hasFailed = status === "open" && attempted;
    if ((!isPaid && !hasFailed) || booked.includes(id)) continue;
    periods.push({
      reference: id,
      from: (invoice.lines?.data[0]?.period.start ?? end) * 1_000,
      notices: isPaid ? await readPayment(setup, invoice, tools) : [],
      hasFailed,
      payUrl: hasFailed && typeof url === "string" ? url : undefined,
    });
  }
  return periods;
}

/** Invoices that are open there are of no use: the period was paid in another way, or nothing is due any longer. */
async function voidOpen(
  setup: StripeSetup,
  periods: readonly ChargedPeriod[],
  tools: ProviderTools,
): Promise<void> {
  for (const { reference: id, hasFailed } of periods) {
    if (!hasFailed) continue;
    try {
      await callStripe(setup, { path: `/v1/invoices/${encodeURIComponent(id)}/void`, form: {} }, tools);
    } catch (error) {
      // Paid or voided in between, which the next look says.
      if (!(error instanceof StripeFault && error.status === 400)) throw error;
    }
  }
}

async function end(setup: StripeSetup, id: string, tools: ProviderTools): Promise<void> {
  try {
    await callStripe(setup, { path: toPath(id), method: "DELETE" }, tools);
  } catch (error) {
    if (!(error instanceof StripeFault && (error.status === 404 || error.status === 400))) throw error;
  }
}

/** Makes the subscription as it is wanted, and reads what became of it. @throws ProviderFault */
export async function syncStripeSubscription(
  setup: StripeSetup,
  wanted: WantedSubscription,
  tools: ProviderTools,
): Promise<SyncedSubscription> {
  const { reference: known, state, isOver, isEnding } = wanted;
  if (known === "" && (isOver || isEnding)) return { reference: "", state, isOver: true, periods: [] };
  const present =
    known === ""
      ? await create(setup, wanted, tools)
      : read(
          subscriptionSchema,
          (await callStripe(setup, { path: toPath(known) }, tools)).json,
          "a subscription",
        );
  const { id, customer } = present;
  const isGone = ended.has(present.status);
  const booked = listBooked(state);
  const periods = known === "" ? [] : await listPeriods(setup, { subscription: id, booked }, tools);
  if (!isGone && isOver) await end(setup, id, tools);
  else if (!isGone) {
    const form = await toChange(setup, { wanted, present }, tools);
    if (Object.keys(form).length > 0) await callStripe(setup, { path: toPath(id), form }, tools);
  }
  const isPaidElsewhere = wanted.chargeAt > tools.now() + LEAST_AHEAD_MS;
  if (isOver || isPaidElsewhere) await voidOpen(setup, periods, tools);
  const paid = periods.filter(({ notices }) => notices.length > 0).map(({ reference: one }) => one);
  const next = { ...state, booked: [...booked, ...paid].slice(-MAX_BOOKED).join(" ") };
  const kept = typeof customer === "string" ? { ...next, customer } : next;
  return { reference: id, state: kept, isOver: isGone || isOver, periods };
}

/** A session of the billing portal (https://docs.stripe.com/api/customer_portal/sessions/create). @throws ProviderFault */
export async function manageStripeCard(
  setup: StripeSetup,
  { state, returnUrl }: { readonly state: Readonly<Record<string, string>>; readonly returnUrl: string },
  tools: ProviderTools,
): Promise<string> {
  const form = { customer: state["customer"] ?? "", return_url: returnUrl };
  const { json } = await callStripe(setup, { path: "/v1/billing_portal/sessions", form }, tools);
  return read(z.object({ url: z.string().max(5_000) }), json, "a session of the billing portal").url;
}
