/**
 * A stand-in of Stripe, written from https://docs.stripe.com/api (checkout/sessions, payment_intents, refunds, events,
 * errors, idempotent_requests) and https://docs.stripe.com/webhooks; it was never compared with the real service.
 */
import { createHmac } from "node:crypto";
import { fromStripeAmount, toStripeAmount } from "../../../../src/shop/payments/providers/stripe-api.ts";
import { type FormTree, readForm } from "./form.ts";
import type { Gateway, GatewayNotice, GatewayOptions, GatewayPayment, NoticeChange } from "./gateway.ts";

const HOUR = 3_600;
const SECRET_KEY = "sk_test_51StandInOfTheTestSuite";
const WEBHOOK_SECRET = "whsec_StandInOfTheTestSuite0123456789";

interface Kept {
  readonly payment: GatewayPayment;
  readonly intent: string;
  readonly charge: string;
  readonly metadata: Record<string, string>;
  readonly refunds: Record<string, unknown>[];
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** What an answer is, with its status. */
interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface StripeGateway extends Gateway {
  /** Any event about an object, signed as Stripe signs. */
  event(
    type: string,
    object: Record<string, unknown>,
    options?: { readonly id?: string; readonly atMs?: number; readonly before?: Record<string, unknown> },
  ): GatewayNotice;
  /** The session of a payment as the API shows it. */
  session(payment: GatewayPayment): Record<string, unknown>;
  /** The last refund's object. */
  lastRefund(payment: GatewayPayment): Record<string, unknown>;
  /** All of them, the oldest first. */
  refunds(payment: GatewayPayment): readonly Record<string, unknown>[];
  /** The charge as an event shows it: without its refunds. */
  charge(payment: GatewayPayment): Record<string, unknown>;
}

function fail(status: number, error: Record<string, string>): Answer {
  return { status, body: { error: { type: "invalid_request_error", ...error } } };
}

/** A member of a form that is a text; "" for any other. */
function pick(tree: FormTree | undefined, ...path: string[]): string {
  let value: FormTree[string] | undefined = tree;
  for (const part of path)
    value = Array.isArray(value) ? value[Number(part)] : typeof value === "object" ? value[part] : undefined;
  return typeof value === "string" ? value : "";
}

function pickMap(tree: FormTree, name: string): Record<string, string> {
  const value = tree[name];
  if (typeof value !== "object" || Array.isArray(value)) return {};
  return Object.fromEntries(Object.keys(value).map((key) => [key, pick(value, key)]));
}

class StripeStandIn {
  readonly payments: GatewayPayment[] = [];
  readonly kept = new Map<string, Kept>();
  readonly #options: GatewayOptions;
  /** Answers by idempotency key, with the form they belong to. */
  readonly #answers = new Map<string, { readonly body: string; readonly answer: Answer }>();
  #number = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  id(prefix: string): string {
    this.#number += 1;
    return `${prefix}_${String(this.#number).padStart(8, "0")}`;
  }

  async answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const body = await request.text();
    if (request.headers.get("authorization") !== `Bearer ${SECRET_KEY}`)
      return this.#respond(fail(401, { message: "Invalid API Key provided: sk_test_****nope" }));
    const key = request.headers.get("idempotency-key");
    const known = key === null ? undefined : this.#answers.get(key);
    if (known !== undefined && known.body !== `${pathname}\n${body}`)
      return this.#respond(
        fail(400, {
          type: "idempotency_error",
          message: "Keys for idempotent requests can only be used with the same parameters",
        }),
      );
    const answer =
      known?.answer ?? this.#route({ method: request.method, pathname, searchParams }, readForm(body));
    if (key !== null && answer.status !== 400)
      this.#answers.set(key, { body: `${pathname}\n${body}`, answer });
    return this.#respond(answer);
  }

  #respond({ status, body }: Answer): Response {
    return Response.json(body, { status, headers: { date: new Date(this.#options.now()).toUTCString() } });
  }

  #route(call: { method: string; pathname: string; searchParams: URLSearchParams }, form: FormTree): Answer {
    const [, , , ...rest] = call.pathname.split("/");
    const place = `${call.method} ${call.pathname.split("/")[2] ?? ""}`;
    if (place === "POST checkout")
      return rest.length === 1 ? this.#create(form) : this.#expire(rest[1] ?? "");
    if (place === "GET checkout") return this.#find(rest[1] ?? "", call.searchParams);
    if (place === "POST refunds") return this.#refund(form);
    const all = [...this.kept.values()];
    if (place === "GET refunds") {
      const kept = all.find(({ charge }) => charge === call.searchParams.get("charge"));
      return {
        status: 200,
        body: { object: "list", has_more: false, data: kept?.refunds.toReversed() ?? [] },
      };
    }
    const kept = all.find(({ intent }) => intent === rest[0]);
    if (place !== "GET payment_intents" || kept === undefined) return fail(404, { code: "resource_missing" });
    return { status: 200, body: { id: kept.intent, object: "payment_intent", metadata: kept.metadata } };
  }

  #create(form: FormTree): Answer {
    const price = (name: string): string => pick(form, "line_items", "0", "price_data", name);
    const nowSeconds = this.#options.now() / 1_000;
    const expiresAt = Number(pick(form, "expires_at") || Math.floor(nowSeconds) + 24 * HOUR);
    if (expiresAt < nowSeconds + HOUR / 2 || expiresAt > nowSeconds + 24 * HOUR)
      return fail(400, {
        param: "expires_at",
        message: "The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from now",
      });
    if (Number(price("unit_amount")) < 50)
      return fail(400, { code: "amount_too_small", message: "The amount must be at least €0.50 eur" });
    const money = fromStripeAmount(Number(price("unit_amount")), price("currency"));
    const payment: GatewayPayment = {
      reference: this.id("cs_test"),
      orderId: pick(form, "client_reference_id"),
      ...money,
      isPaid: false,
      isCanceled: false,
      refunded: 0,
    };
    const data = form["payment_intent_data"];
    const metadata = typeof data === "object" && !Array.isArray(data) ? pickMap(data, "metadata") : {};
    this.payments.push(payment);
    this.kept.set(payment.reference, {
      payment,
      metadata,
      intent: this.id("pi"),
      charge: this.id("ch"),
      refunds: [],
      expiresAt,
    });
    return { status: 200, body: this.session(payment) };
  }

  #find(id: string, query: URLSearchParams): Answer {
    const kept = this.kept.get(id);
    if (kept === undefined)
      return fail(404, { code: "resource_missing", param: "session", message: "No such session" });
    const session = this.session(kept.payment);
    if (!query.has("expand[]") || !kept.payment.isPaid) return { status: 200, body: session };
    const refunds = { object: "list", data: kept.refunds };
    const latest_charge = { ...this.charge(kept), refunds };
    return {
      status: 200,
      body: { ...session, payment_intent: { id: kept.intent, status: "succeeded", latest_charge } },
    };
  }

  #expire(id: string): Answer {
    const kept = this.kept.get(id);
    if (kept === undefined) return fail(404, { code: "resource_missing", message: "No such session" });
    if (this.session(kept.payment)["status"] !== "open")
      return fail(400, { message: 'Only Checkout Sessions with a status in ["open"] can be expired' });
    kept.payment.isCanceled = true;
    return { status: 200, body: this.session(kept.payment) };
  }

  #refund(form: FormTree): Answer {
    const kept = [...this.kept.values()].find(({ intent }) => intent === pick(form, "payment_intent"));
    if (kept === undefined) return fail(404, { code: "resource_missing", param: "payment_intent" });
    const { payment } = kept;
    const { amount } = fromStripeAmount(Number(pick(form, "amount")), payment.currency);
    if (payment.refunded + amount > payment.amount)
      return fail(400, {
        param: "amount",
        message: "Refund amount is greater than unrefunded amount on charge",
      });
    return { status: 200, body: this.giveBack(kept, amount, pickMap(form, "metadata")) };
  }

  giveBack(kept: Kept, amount: number, metadata: Record<string, string> = {}): Record<string, unknown> {
    kept.payment.refunded += amount;
    const { currency } = kept.payment;
    const refund = {
      id: this.id("re"),
      object: "refund",
      amount: toStripeAmount(amount, currency),
      currency: currency.toLowerCase(),
      status: "succeeded",
      charge: kept.charge,
      payment_intent: kept.intent,
      metadata,
    };
    kept.refunds.push(refund);
    return refund;
  }

  charge({ payment, charge, intent, metadata }: Kept): Record<string, unknown> {
    const { currency } = payment;
    return {
      id: charge,
      object: "charge",
      amount: toStripeAmount(payment.amount, currency),
      amount_refunded: toStripeAmount(payment.refunded, currency),
      currency: currency.toLowerCase(),
      created: Math.floor(this.#options.now() / 1_000),
      payment_intent: intent,
      metadata,
    };
  }

  session(payment: GatewayPayment): Record<string, unknown> {
    const kept = this.kept.get(payment.reference);
    const { isPaid, isCanceled, orderId, currency } = payment;
    const isOver = isCanceled || (kept?.expiresAt ?? 0) * 1_000 <= this.#options.now();
    const status = isPaid ? "complete" : isOver ? "expired" : "open";
    return {
      id: payment.reference,
      object: "checkout.session",
      livemode: false,
      mode: "payment",
      amount_total: toStripeAmount(payment.amount, currency),
      currency: currency.toLowerCase(),
      client_reference_id: orderId,
      expires_at: kept?.expiresAt,
      metadata: kept?.metadata,
      payment_intent: isPaid ? kept?.intent : null,
      payment_status: isPaid ? "paid" : "unpaid",
      status,
      url: status === "open" ? `${this.#options.origin}/c/pay/${payment.reference}` : null,
    };
  }

  event(
    type: string,
    object: Record<string, unknown>,
    options: { id?: string; atMs?: number; before?: Record<string, unknown> } = {},
  ): GatewayNotice {
    const seconds = Math.floor((options.atMs ?? this.#options.now()) / 1_000);
    const data = { object, ...(options.before !== undefined && { previous_attributes: options.before }) };
    const body = JSON.stringify({
      id: options.id ?? this.id("evt"),
      object: "event",
      api_version: "2025-09-30.clover",
      created: seconds,
      livemode: false,
      type,
      data,
    });
    return this.sign(body, seconds);
  }

  /** A notice with this body, sent now or at another second. */
  sign(body: string, seconds: number = Math.floor(this.#options.now() / 1_000)): GatewayNotice {
    const signature = createHmac("sha256", WEBHOOK_SECRET).update(`${seconds}.${body}`).digest("hex");
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": `t=${seconds},v1=${signature}`,
    };
    return { method: "POST", query: "", headers, body };
  }

  find({ reference }: GatewayPayment): Kept {
    const kept = this.kept.get(reference);
    if (kept === undefined) throw new Error(`The stand-in knows no session ${reference}`);
    return kept;
  }

  pay(payment: GatewayPayment, change: NoticeChange = {}): GatewayNotice {
    payment.isPaid = true;
    const { amount = payment.amount, currency = payment.currency, orderId = payment.orderId, atMs } = change;
    const session = {
      ...this.session(payment),
      amount_total: toStripeAmount(amount, currency),
      currency: currency.toLowerCase(),
      client_reference_id: orderId,
      metadata: { ...this.find(payment).metadata, order_id: orderId },
    };
    return this.event("checkout.session.completed", session, { atMs });
  }
}

/** Another signature of the same length. */
function forge(notice: GatewayNotice): GatewayNotice {
  const signature = notice.headers["stripe-signature"] ?? "";
  const last = signature.endsWith("0") ? "1" : "0";
  return { ...notice, headers: { ...notice.headers, "stripe-signature": signature.slice(0, -1) + last } };
}

export function createStripeGateway(options: GatewayOptions): StripeGateway {
  const service = new StripeStandIn(options);
  return {
    kind: "stripe",
    options: { apiUrl: options.origin },
    credentials: { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET },
    currency: "EUR",
    payments: service.payments,
    answer: (request) => service.answer(request),
    pay: (payment, change) => Promise.resolve(service.pay(payment, change)),
    sendAgain: ({ body }) => service.sign(body),
    refund: (payment, amount) => {
      const kept = service.find(payment);
      const refund = service.giveBack(kept, amount);
      return Promise.resolve(service.event("refund.created", refund));
    },
    tellRefund: (payment) => service.event("refund.updated", service.find(payment).refunds.at(-1) ?? {}),
    newestRefund: (payment) => {
      const { id, amount } = service.find(payment).refunds.at(-1) ?? {};
      if (typeof id !== "string" || typeof amount !== "number") return undefined;
      return { reference: id, amount: fromStripeAmount(amount, payment.currency).amount };
    },
    forge,
    event: (type, object, how) => service.event(type, object, how),
    session: (payment) => service.session(payment),
    lastRefund: (payment) => service.find(payment).refunds.at(-1) ?? {},
    refunds: (payment) => service.find(payment).refunds,
    charge: (payment) => service.charge(service.find(payment)),
  };
}
