/**
 * A stand-in of Stripe Billing beside that of Checkout, in simulated time, written from
 * https://docs.stripe.com/billing/subscriptions/overview (trials, invoices that stay drafts for an hour, retries),
 * https://docs.stripe.com/billing/subscriptions/webhooks and the reference of the API. Every request is held against
 * Stripe's OpenAPI file, and the objects of events are of the types of Stripe's package. It was never compared with the
 * real service.
 */
import assert from "node:assert/strict";
import type Stripe from "stripe";
import { addPeriods } from "../../../src/shop/subscriptions/periods.ts";
import { type FormTree, readForm } from "../payments/gateways/form.ts";
import type { GatewayNotice, GatewayOptions } from "../payments/gateways/gateway.ts";
import { createStripeGateway } from "../payments/gateways/stripe.ts";
import { checkStripeRequest } from "../payments/providers/stripe-openapi.ts";

const HOUR = 3_600;

type Status = "trialing" | "active" | "past_due" | "canceled";

export interface StoodSubscription {
  readonly id: string;
  readonly customer: string;
  readonly metadata: Record<string, string>;
  status: Status;
  amount: number;
  currency: string;
  every: "month" | "year";
  count: number;
  anchor: number;
  cycles: number;
  /** Epoch seconds. */
  end: number;
  isEnding: boolean;
}

export interface StoodInvoice {
  readonly id: string;
  readonly subscription: StoodSubscription;
  readonly from: number;
  readonly until: number;
  readonly amount: number;
  readonly createdAt: number;
  status: "draft" | "open" | "paid" | "void";
  attempts: number;
  nextAttemptAt: number;
  intent: string | undefined;
  paidAt: number | undefined;
  refunds: Record<string, unknown>[];
}

/** A member of a form; "" for any other. */
function pick(tree: FormTree | FormTree[string] | undefined, ...path: string[]): string {
  let value: FormTree | FormTree[string] | undefined = tree;
  for (const part of path)
    value = Array.isArray(value) ? value[Number(part)] : typeof value === "object" ? value[part] : undefined;
  return typeof value === "string" ? value : "";
}

export function createStripeBilling(options: GatewayOptions) {
  const gateway = createStripeGateway(options);
  const subscriptions: StoodSubscription[] = [];
  const invoices: StoodInvoice[] = [];
  const events: GatewayNotice[] = [];
  const answers = new Map<string, { body: string; answer: Response }>();
  const customers = new Map<string, string>();
  let count = 0;
  /** Whether the bank takes the next charge. */
  let takes = true;
  const seconds = (): number => Math.floor(options.now() / 1_000);
  const newId = (prefix: string): string => {
    count += 1;
    return `${prefix}_b${String(count).padStart(6, "0")}`;
  };
  const json = (body: unknown, status = 200): Response => Response.json(body, { status });

  function toSubscription(
    one: StoodSubscription,
  ): Pick<
    Stripe.Subscription,
    "id" | "object" | "cancel_at_period_end" | "metadata" | "status" | "customer" | "trial_end"
  > & { items: unknown } {
    return {
      id: one.id,
      object: "subscription",
      status: one.status,
      customer: one.customer,
      cancel_at_period_end: one.isEnding,
      trial_end: one.cycles === 0 ? one.end : null,
      metadata: one.metadata,
      items: {
        object: "list",
        data: [
          {
            id: `si_${one.id}`,
            current_period_end: one.end,
            price: { unit_amount: one.amount, currency: one.currency },
          },
        ],
      },
    };
  }

  function toInvoice(
    one: StoodInvoice,
  ): Pick<
    Stripe.Invoice,
    | ("id" | "object" | "amount_paid" | "attempted" | "billing_reason" | "currency" | "period_end")
    | ("hosted_invoice_url" | "status" | "attempt_count")
  > & { parent: unknown; lines: unknown; payments: unknown; status_transitions: unknown } {
    const isPaid = one.status === "paid";
    return {
      id: one.id,
      object: "invoice",
      status: one.status,
      billing_reason: "subscription_cycle",
      currency: one.subscription.currency,
      amount_paid: isPaid ? one.amount : 0,
      attempted: one.attempts > 0,
      attempt_count: one.attempts,
      period_end: one.from,
      hosted_invoice_url: one.status === "draft" ? null : `https://invoice.stripe.test/i/${one.id}`,
      status_transitions: { paid_at: one.paidAt ?? null },
      parent: {
        type: "subscription_details",
        subscription_details: { subscription: one.subscription.id, metadata: one.subscription.metadata },
      },
      lines: { object: "list", data: [{ period: { start: one.from, end: one.until } }] },
      payments: {
        object: "list",
        data:
          one.intent === undefined
            ? []
            : [
                {
                  status: isPaid ? "paid" : "open",
                  payment: { type: "payment_intent", payment_intent: one.intent },
                },
              ],
      },
    };
  }

  const tell = (type: string, object: object): void => {
    events.push(gateway.event(type, { ...object }));
  };

  function charge(invoice: StoodInvoice): void {
    const { subscription } = invoice;
    invoice.attempts += 1;
    invoice.intent ??= newId("pi");
    if (takes) {
      invoice.status = "paid";
      invoice.paidAt = seconds();
      tell("invoice.paid", toInvoice(invoice));
      subscription.status = "active";
    } else {
      invoice.nextAttemptAt = seconds() + 3 * 24 * HOUR;
      tell("invoice.payment_failed", toInvoice(invoice));
      subscription.status = "past_due";
    }
    tell("customer.subscription.updated", toSubscription(subscription));
  }

  /** Everything that is due by now: cycles, drafts that are an hour old, retries. */
  function advance(): void {
    for (const one of subscriptions) {
      while (one.status !== "canceled" && one.end <= seconds()) {
        if (one.isEnding) {
          one.status = "canceled";
          tell("customer.subscription.deleted", toSubscription(one));
          break;
        }
        const from = one.end;
        if (one.cycles === 0) one.anchor = from;
        one.cycles += 1;
        one.end = addPeriods(one.anchor * 1_000, one, { periods: one.cycles, timeZone: "UTC" }) / 1_000;
        invoices.push({
          id: newId("in"),
          subscription: one,
          from,
          until: one.end,
          amount: one.amount,
          createdAt: seconds(),
          status: "draft",
          attempts: 0,
          nextAttemptAt: seconds() + HOUR,
          intent: undefined,
          paidAt: undefined,
          refunds: [],
        });
        if (one.status === "trialing") one.status = "active";
        tell("customer.subscription.updated", toSubscription(one));
      }
    }
    for (const invoice of invoices) {
      const isDue = invoice.nextAttemptAt <= seconds() && invoice.subscription.status !== "canceled";
      if (invoice.status === "draft" && isDue) invoice.status = "open";
      if (invoice.status === "open" && isDue && invoice.attempts < 4) charge(invoice);
    }
  }

  function create(form: FormTree): Response {
    const price = (name: string): string => pick(form, "items", "0", "price_data", name);
    const trialEnd = Number(pick(form, "trial_end"));
    assert.ok(trialEnd > seconds(), "a trial ends in the future");
    const one: StoodSubscription = {
      id: newId("sub"),
      customer: pick(form, "customer"),
      metadata: Object.fromEntries(
        ["subscription_id", "subscription_number", "order_id"].map((name) => [
          name,
          pick(form, "metadata", name),
        ]),
      ),
      status: "trialing",
      amount: Number(price("unit_amount")),
      currency: price("currency"),
      every: pick(form, "items", "0", "price_data", "recurring", "interval") === "month" ? "month" : "year",
      count: Number(pick(form, "items", "0", "price_data", "recurring", "interval_count")),
      anchor: trialEnd,
      cycles: 0,
      end: trialEnd,
      isEnding: false,
    };
    subscriptions.push(one);
    return json(toSubscription(one));
  }

  function change(one: StoodSubscription, form: FormTree): Response {
    const [trialEnd, ending] = [pick(form, "trial_end"), pick(form, "cancel_at_period_end")];
    const amount = pick(form, "items", "0", "price_data", "unit_amount");
    if (trialEnd !== "") Object.assign(one, { end: Number(trialEnd), anchor: Number(trialEnd), cycles: 0 });
    if (trialEnd !== "" && one.status !== "canceled") one.status = "trialing";
    if (ending !== "") one.isEnding = ending === "true";
    if (amount !== "") one.amount = Number(amount);
    tell("customer.subscription.updated", toSubscription(one));
    return json(toSubscription(one));
  }

  function intentOf(id: string): Response | undefined {
    const invoice = invoices.find(({ intent }) => intent === id);
    // Of another program on the same account.
    if (id === "pi_foreign") return json({ id, object: "payment_intent", metadata: {} });
    if (invoice === undefined) return undefined;
    const latest_charge = { id: `ch_${id}`, payment_intent: id, refunds: { data: invoice.refunds } };
    return json({ id, object: "payment_intent", metadata: {}, latest_charge });
  }

  function route(method: string, url: URL, form: FormTree): Response | undefined {
    const [, , place = "", id = "", action] = url.pathname.split("/");
    const found = subscriptions.find((one) => one.id === id);
    if (place === "products") return json({ id: pick(form, "id") });
    if (place === "billing_portal")
      return json({ url: `https://billing.stripe.test/${pick(form, "customer")}` });
    if (place === "payment_intents") return intentOf(id);
    if (place === "invoices" && action === "void") {
      const invoice = invoices.find((one) => one.id === id);
      if (invoice?.status !== "open") return json({ error: { message: "This invoice is not open" } }, 400);
      invoice.status = "void";
      return json(toInvoice(invoice));
    }
    if (place === "invoices") {
      const own = invoices.filter(
        ({ subscription }) => subscription.id === url.searchParams.get("subscription"),
      );
      return json({ object: "list", data: own.toReversed().slice(0, 5).map(toInvoice) });
    }
    if (place === "refunds" && method === "POST") {
      const invoice = invoices.find(({ intent }) => intent === pick(form, "payment_intent"));
      return invoice && json(giveBack(invoice, Number(pick(form, "amount"))));
    }
    if (place !== "subscriptions") return undefined;
    if (id === "" && method === "GET") {
      const own = subscriptions.filter(({ customer }) => customer === url.searchParams.get("customer"));
      return json({ object: "list", data: own.map(toSubscription) });
    }
    if (id === "") return create(form);
    if (found === undefined) return json({ error: { message: "No such subscription" } }, 404);
    if (method === "GET") return json(toSubscription(found));
    if (method === "POST") return change(found, form);
    found.status = "canceled";
    tell("customer.subscription.deleted", toSubscription(found));
    return json(toSubscription(found));
  }

  function giveBack(invoice: StoodInvoice, amount: number): Record<string, unknown> {
    const refund = {
      id: newId("re"),
      object: "refund",
      amount,
      currency: invoice.subscription.currency,
      status: "succeeded",
      charge: `ch_${invoice.intent ?? ""}`,
      payment_intent: invoice.intent,
      metadata: {},
    };
    invoice.refunds.push(refund);
    return refund;
  }

  async function answer(request: Request): Promise<Response> {
    const body = await request.clone().text();
    const { errors } = checkStripeRequest({ method: request.method as "GET", url: request.url, body });
    assert.deepEqual(errors, [], `${request.method} ${request.url} ${body}`);
    const key = request.headers.get("idempotency-key");
    const url = new URL(request.url);
    const known = key === null ? undefined : answers.get(key);
    if (known !== undefined) {
      assert.equal(known.body, body, "a key is for one request");
      return known.answer.clone();
    }
    const form = readForm(body);
    const own = route(request.method, url, form);
    if (own !== undefined) {
      if (key !== null && own.ok) answers.set(key, { body, answer: own.clone() });
      return own;
    }
    const given = await gateway.answer(request);
    // Who pays is kept where the session asks for it.
    if (url.pathname.startsWith("/v1/checkout/sessions") && pick(form, "customer_creation") === "always")
      customers.set(pick(form, "client_reference_id"), newId("cus"));
    if (!url.pathname.startsWith("/v1/payment_intents/") || !given.ok) return given;
    const intent: { metadata: { order_id?: string } } = await given.json();
    const customer = customers.get(intent.metadata.order_id ?? "") ?? null;
    return json({ ...intent, customer, payment_method: customer === null ? null : "pm_card" });
  }

  return {
    ...gateway,
    answer,
    subscriptions,
    invoices,
    /** Events that were not sent yet, the oldest first. */
    events,
    advance,
    setTakes: (next: boolean): void => {
      takes = next;
    },
    /** The buyer pays an open invoice on its page with another card. */
    payHosted: (invoice: StoodInvoice): void => {
      const before = takes;
      takes = true;
      charge(invoice);
      takes = before;
    },
    refundInvoice: (invoice: StoodInvoice, amount = invoice.amount): void =>
      tell("refund.created", giveBack(invoice, amount)),
    dispute: (invoice: StoodInvoice): void =>
      tell("charge.dispute.created", {
        id: newId("dp"),
        object: "dispute",
        amount: invoice.amount,
        currency: invoice.subscription.currency,
        status: "needs_response",
        charge: `ch_${invoice.intent ?? ""}`,
        payment_intent: invoice.intent,
        metadata: {},
      }),
  };
}

export type StripeBilling = ReturnType<typeof createStripeBilling>;
