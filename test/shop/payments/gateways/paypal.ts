/**
 * A stand-in of PayPal, written from https://developer.paypal.com/docs/api/orders/v2/, …/payments/v2/,
 * https://developer.paypal.com/api/rest/authentication/ and …/webhooks/rest/; it was never compared with the real service.
 */
import { parseDecimal, toDecimal } from "../../../../src/shop/base/money.ts";
import type {
  Gateway,
  GatewayNotice,
  GatewayOptions,
  GatewayPayment,
  GatewayRefund,
  NoticeChange,
} from "./gateway.ts";
import { type Json, isObject, pick, pickText } from "./json.ts";
import { certificate, signPaypal } from "./paypal-certificate.ts";

const HOUR_MS = 3_600_000;
const CLIENT_ID = "AStandInOfTheTestSuite";
const CLIENT_SECRET = "EStandInOfTheTestSuite";
const WEBHOOK_ID = "8PT597110X687430LKGECATA";
const CERTIFICATE_PATH = "/v1/notifications/certs/CERT-360caa42-fca2a594-ab66f33d";
const NO_DECIMALS = new Set(["HUF", "JPY", "TWD"]);

interface Kept {
  readonly payment: GatewayPayment;
  readonly unit: Json;
  readonly createdAt: number;
  status: "PAYER_ACTION_REQUIRED" | "APPROVED" | "COMPLETED";
  capture: string | undefined;
  readonly refunds: Json[];
}

interface Answer {
  readonly status: number;
  readonly body: Json;
}

export interface PaypalGateway extends Gateway {
  /** The buyer approves, and nothing is captured yet. */
  approve(payment: GatewayPayment): GatewayNotice;
  /** Any event about a resource, signed as PayPal signs. */
  event(
    type: string,
    resource: Json,
    options?: { readonly id?: string; readonly atMs?: number },
  ): GatewayNotice;
  /** The capture of a payment as the API shows it. */
  capture(payment: GatewayPayment): Json;
  /** What was given back, the oldest first. */
  refunds(payment: GatewayPayment): readonly GatewayRefund[];
  /** What the next capture is refused with, such as INSTRUMENT_DECLINED, or its status instead of COMPLETED. */
  nextCapture: { issue?: string; status?: string };
  /** Ends every access token that was handed out. */
  endTokens(): void;
}

function fail(status: number, name: string, issue = ""): Answer {
  const details = issue === "" ? [] : [{ issue, description: `${issue} happened` }];
  return { status, body: { name, message: `${name} happened`, debug_id: "d0", details } };
}

class PaypalStandIn {
  readonly payments: GatewayPayment[] = [];
  readonly kept = new Map<string, Kept>();
  nextCapture: { issue?: string; status?: string } = {};
  readonly #options: GatewayOptions;
  readonly #answers = new Map<string, Answer>();
  #tokens = new Set<string>();
  #number = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  endTokens(): void {
    this.#tokens = new Set();
  }

  id(prefix: string): string {
    this.#number += 1;
    return `${prefix}${String(this.#number).padStart(12, "0")}`;
  }

  #at(ms = this.#options.now()): string {
    return `${new Date(ms).toISOString().slice(0, 19)}Z`;
  }

  async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === CERTIFICATE_PATH) return new Response(certificate);
    const text = await request.text();
    if (pathname === "/v1/oauth2/token") return this.#respond(this.#login(request, text));
    const token = (request.headers.get("authorization") ?? "").replace("Bearer ", "");
    if (!this.#tokens.has(token))
      return this.#respond({
        status: 401,
        body: { error: "invalid_token", error_description: "Token expired" },
      });
    const key = request.headers.get("paypal-request-id");
    const known = key === null ? undefined : this.#answers.get(key);
    const answer = known ?? this.#route(request.method, pathname, text === "" ? {} : JSON.parse(text));
    if (key !== null && answer.status < 500) this.#answers.set(key, answer);
    return this.#respond(answer);
  }

  #respond({ status, body }: Answer): Response {
    return Response.json(body, { status, headers: { date: new Date(this.#options.now()).toUTCString() } });
  }

  #login(request: Request, text: string): Answer {
    const isKnown = request.headers.get("authorization") === `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`;
    if (!isKnown || text !== "grant_type=client_credentials")
      return {
        status: 401,
        body: { error: "invalid_client", error_description: "Client Authentication failed" },
      };
    const token = this.id("A21AA");
    this.#tokens.add(token);
    return { status: 200, body: { access_token: token, token_type: "Bearer", expires_in: 32_400 } };
  }

  #route(method: string, path: string, body: unknown): Answer {
    const [, , area, kind, id = "", action] = path.split("/");
    const place = `${method} ${area}/${kind}${action === undefined ? "" : `/${action}`}`;
    if (place === "POST checkout/orders") return this.#create(body);
    const all = [...this.kept.values()];
    const kept = all.find(({ payment, capture }) => payment.reference === id || capture === id);
    if (kept === undefined) return fail(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
    switch (place) {
      case "GET checkout/orders":
        return this.#options.now() > kept.createdAt + 6 * HOUR_MS && kept.status !== "COMPLETED"
          ? fail(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID")
          : { status: 200, body: this.order(kept) };
      case "POST checkout/orders/capture":
        return this.#capture(kept);
      case "GET payments/captures":
        return { status: 200, body: this.capture(kept) };
      case "POST payments/captures/refund":
        return this.#refund(kept, body);
      default:
        return fail(404, "NOT_FOUND");
    }
  }

  #create(body: unknown): Answer {
    const unit = pick(body, "purchase_units", 0);
    const value = pickText(unit, "amount", "value");
    const currency = pickText(unit, "amount", "currency_code");
    const amount = parseDecimal(value, currency);
    if (!isObject(unit) || amount === undefined || amount === 0)
      return fail(422, "UNPROCESSABLE_ENTITY", "CANNOT_BE_ZERO_OR_NEGATIVE");
    if (NO_DECIMALS.has(currency) && value.includes("."))
      return fail(422, "UNPROCESSABLE_ENTITY", "DECIMALS_NOT_SUPPORTED");
    const payment: GatewayPayment = {
      reference: this.id("5O"),
      orderId: pickText(unit, "custom_id"),
      amount,
      currency,
      isPaid: false,
      isCanceled: false,
      refunded: 0,
    };
    const kept: Kept = {
      payment,
      unit,
      createdAt: this.#options.now(),
      status: "PAYER_ACTION_REQUIRED",
      capture: undefined,
      refunds: [],
    };
    this.payments.push(payment);
    this.kept.set(payment.reference, kept);
    return { status: 200, body: this.order(kept) };
  }

  #capture(kept: Kept): Answer {
    if (kept.status === "COMPLETED") return fail(422, "UNPROCESSABLE_ENTITY", "ORDER_ALREADY_CAPTURED");
    if (kept.status !== "APPROVED") return fail(422, "UNPROCESSABLE_ENTITY", "ORDER_NOT_APPROVED");
    const { issue } = this.nextCapture;
    if (issue !== undefined) {
      this.nextCapture = {};
      kept.status = "PAYER_ACTION_REQUIRED";
      return fail(422, "UNPROCESSABLE_ENTITY", issue);
    }
    kept.status = "COMPLETED";
    kept.capture = this.id("3C");
    kept.payment.isPaid = this.nextCapture.status === undefined;
    return { status: 201, body: this.order(kept) };
  }

  #refund(kept: Kept, body: unknown): Answer {
    const { payment } = kept;
    const amount = parseDecimal(pickText(body, "amount", "value"), payment.currency) ?? 0;
    if (payment.refunded + amount > payment.amount)
      return fail(422, "UNPROCESSABLE_ENTITY", "REFUND_AMOUNT_EXCEEDED");
    return { status: 201, body: this.giveBack(kept, amount, pickText(body, "custom_id")) };
  }

  giveBack(kept: Kept, amount: number, orderId = ""): Json {
    kept.payment.refunded += amount;
    const refund = {
      id: this.id("1R"),
      status: "COMPLETED",
      amount: this.#money(amount, kept.payment.currency),
      ...(orderId !== "" && { custom_id: orderId }),
      create_time: this.#at(),
      links: [
        { rel: "self", href: `${this.#options.origin}/v2/payments/refunds/1R`, method: "GET" },
        { rel: "up", href: `${this.#options.origin}/v2/payments/captures/${kept.capture}`, method: "GET" },
      ],
    };
    kept.refunds.push(refund);
    return refund;
  }

  refunds(payment: GatewayPayment): GatewayRefund[] {
    return this.find(payment).refunds.map((refund) => ({
      reference: pickText(refund, "id"),
      amount: parseDecimal(pickText(refund, "amount", "value"), payment.currency) ?? 0,
    }));
  }

  #money(amount: number, currency: string): Json {
    return { currency_code: currency, value: toDecimal(amount, currency) };
  }

  capture({ payment, capture, refunds }: Kept): Json {
    const { amount, currency, orderId, refunded } = payment;
    const returned = refunded === amount ? "REFUNDED" : "PARTIALLY_REFUNDED";
    return {
      id: capture,
      status: this.nextCapture.status ?? (refunds.length === 0 ? "COMPLETED" : returned),
      amount: this.#money(amount, currency),
      final_capture: true,
      custom_id: orderId,
      create_time: this.#at(),
      update_time: this.#at(),
    };
  }

  order(kept: Kept): Json {
    const { payment, unit, status, createdAt, capture, refunds } = kept;
    const captures = capture === undefined ? [] : [this.capture(kept)];
    const payments = captures.length === 0 ? {} : { payments: { captures, refunds } };
    const page = `https://www.sandbox.paypal.com/checkoutnow?token=${payment.reference}`;
    return {
      id: payment.reference,
      intent: "CAPTURE",
      status,
      create_time: this.#at(createdAt),
      update_time: this.#at(),
      purchase_units: [{ ...unit, ...payments }],
      links: [
        {
          rel: "self",
          href: `${this.#options.origin}/v2/checkout/orders/${payment.reference}`,
          method: "GET",
        },
        { rel: "payer-action", href: page, method: "GET" },
      ],
    };
  }

  event(type: string, resource: Json, options: { id?: string; atMs?: number } = {}): GatewayNotice {
    const time = this.#at(options.atMs);
    const body = JSON.stringify({
      id: options.id ?? this.id("WH-"),
      event_version: "1.0",
      create_time: time,
      resource_type: "capture",
      event_type: type,
      resource,
    });
    const signing = { id: this.id("a9941940-3b3a-"), time, webhookId: WEBHOOK_ID };
    const certificateUrl = `${this.#options.origin}${CERTIFICATE_PATH}`;
    return { method: "POST", query: "", headers: signPaypal(body, { ...signing, certificateUrl }), body };
  }

  find({ reference }: GatewayPayment): Kept {
    const kept = this.kept.get(reference);
    if (kept === undefined) throw new Error(`The stand-in knows no order ${reference}`);
    return kept;
  }

  approve(payment: GatewayPayment): GatewayNotice {
    const kept = this.find(payment);
    kept.status = "APPROVED";
    return this.event("CHECKOUT.ORDER.APPROVED", this.order(kept));
  }

  pay(payment: GatewayPayment, change: NoticeChange = {}): GatewayNotice {
    const kept = this.find(payment);
    if (kept.status !== "COMPLETED") {
      kept.status = "APPROVED";
      this.#capture(kept);
    }
    const { amount = payment.amount, currency = payment.currency, orderId = payment.orderId, atMs } = change;
    const capture = { ...this.capture(kept), amount: this.#money(amount, currency), custom_id: orderId };
    return this.event("PAYMENT.CAPTURE.COMPLETED", capture, { atMs });
  }
}

/** Another signature of the same length. */
function forge(notice: GatewayNotice): GatewayNotice {
  const signature = notice.headers["paypal-transmission-sig"] ?? "";
  const first = signature.startsWith("A") ? "B" : "A";
  return { ...notice, headers: { ...notice.headers, "paypal-transmission-sig": first + signature.slice(1) } };
}

export function createPaypalGateway(options: GatewayOptions): PaypalGateway {
  const service = new PaypalStandIn(options);
  return {
    kind: "paypal",
    options: { apiUrl: options.origin, clientId: CLIENT_ID, webhookId: WEBHOOK_ID },
    credentials: { clientSecret: CLIENT_SECRET },
    currency: "EUR",
    payments: service.payments,
    answer: (request) => service.answer(request),
    pay: (payment, change) => Promise.resolve(service.pay(payment, change)),
    refund: (payment, amount) => {
      const refund = service.giveBack(service.find(payment), amount);
      return Promise.resolve(service.event("PAYMENT.CAPTURE.REFUNDED", refund));
    },
    tellRefund: (payment) =>
      service.event("PAYMENT.CAPTURE.REFUNDED", service.find(payment).refunds.at(-1) ?? {}),
    newestRefund: (payment) => service.refunds(payment).at(-1),
    refunds: (payment) => service.refunds(payment),
    forge,
    approve: (payment) => service.approve(payment),
    event: (type, resource, how) => service.event(type, resource, how),
    capture: (payment) => service.capture(service.find(payment)),
    get nextCapture() {
      return service.nextCapture;
    },
    set nextCapture(next) {
      service.nextCapture = next;
    },
    endTokens: () => service.endTokens(),
  };
}
