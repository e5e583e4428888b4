/** An adapter with the stand-in of its service behind it: what the tests of adapters begin with. */
import { z } from "zod";
import type {
  NoticeReading,
  PaymentRequest,
  PaymentStart,
  ProviderKind,
  ProviderNotice,
  ProviderSetup,
  ProviderTools,
  ServiceRequest,
} from "../../../../src/shop/payments/providers/provider.ts";
import type { Gateway, GatewayNotice, GatewayOptions, GatewayPayment } from "../gateways/gateway.ts";

export const NOW = Date.UTC(2026, 10, 21, 9, 0, 0);
export const ORDER_ID = "ord_01jd5v6m0c8f3k2n7q4x9y1z5a";
/** How the order above is called at a service. */
export const TRADE_NUMBER = "01jd5v6m0c8f3k2n7q4x9y1z5a_1";
const ORIGIN = "https://gateway.test";
const NOTIFY = "https://shop.test/api/webhooks/pay1-pay";

/** What a test may change of the usual. */
export interface TrialOptions {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly credentials?: Readonly<Record<string, string>>;
  /** Answers in place of the stand-in; undefined: the stand-in's. */
  readonly answer?: (request: Request) => Response | undefined;
}

export interface AdapterTrial<S extends z.ZodRawShape> {
  readonly gateway: Gateway;
  readonly setup: ProviderSetup<S>;
  readonly tools: ProviderTools;
  /** Requests to the service, oldest first. */
  readonly sent: ServiceRequest[];
  /** Milliseconds by which the shop's clock is set wrong. */
  setClock(offMs: number): void;
  request(change?: Partial<PaymentRequest>): PaymentRequest;
  begin(change?: Partial<PaymentRequest>): Promise<PaymentStart>;
  /** Begins a payment at the service. */
  place(change?: Partial<PaymentRequest>): Promise<GatewayPayment>;
  read(notice: GatewayNotice): Promise<NoticeReading>;
  ask(start: Pick<PaymentStart, "reference" | "state">): Promise<unknown>;
}

/** A method that the kind has; the test fails for one that it lacks. */
export function need<T>(method: T | undefined): T {
  if (method === undefined) throw new Error("The kind lacks a method");
  return method;
}

export function tryAdapter<S extends z.ZodRawShape>(
  kind: ProviderKind<S>,
  createGateway: (options: GatewayOptions) => Gateway,
  change: TrialOptions = {},
): AdapterTrial<S> {
  let offMs = 0;
  const gateway = createGateway({ origin: ORIGIN, now: () => NOW });
  const options = z.strictObject(kind.options).parse({ ...gateway.options, ...change.options });
  const credentials = { ...gateway.credentials, ...change.credentials };
  for (const [name, { schema }] of Object.entries(kind.credentials)) schema.parse(credentials[name]);
  const setup: ProviderSetup<S> = { word: "pay1", options, credentials };
  const sent: ServiceRequest[] = [];
  const tools: ProviderTools = {
    now: () => NOW + offMs,
    send: async (request) => {
      sent.push(request);
      const { method, url, contentType, headers = {}, body } = request;
      const all = new Headers(
        contentType === undefined ? headers : { ...headers, "content-type": contentType },
      );
      const made = new Request(url, { method, headers: all, ...(body === undefined ? {} : { body }) });
      const answer = change.answer?.(made) ?? (await gateway.answer(made));
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
  };
  const request = (over: Partial<PaymentRequest> = {}): PaymentRequest => ({
    orderId: ORDER_ID,
    number: "261121-7KQ4MP",
    attempt: 1,
    amount: 2_880,
    currency: gateway.currency,
    description: "Order 261121-7KQ4MP at Ada’s shop",
    email: "ada@example.com",
    language: "en",
    returnUrl: "https://shop.test/orders/ord_01?token=t",
    notifyUrl: NOTIFY,
    expiresAt: NOW + 900_000,
    ...over,
  });
  const begin = async (over?: Partial<PaymentRequest>): Promise<PaymentStart> =>
    need(kind.begin)(setup, request(over), tools);
  return {
    gateway,
    setup,
    tools,
    sent,
    request,
    begin,
    setClock: (ms) => {
      offMs = ms;
    },
    place: async (over) => {
      await begin(over);
      const payment = gateway.payments.at(-1);
      if (payment === undefined) throw new Error("The service knows of no payment");
      return payment;
    },
    read: async ({ method, query, headers, body }) =>
      need(kind.read)(setup, { method, url: NOTIFY + query, headers: new Headers(headers), body }, tools),
    ask: async ({ reference, state = {} }) =>
      need(kind.ask)(
        setup,
        {
          orderId: ORDER_ID,
          number: "261121-7KQ4MP",
          attempt: 1,
          amount: 2_880,
          currency: gateway.currency,
          reference,
          state,
        },
        tools,
      ),
  };
}

/** The only notice of a reading. */
export function onlyNotice({ notices }: Pick<NoticeReading, "notices">): ProviderNotice {
  const [notice, ...others] = notices;
  if (notice === undefined || others.length > 0) throw new Error(`There are ${notices.length} notices`);
  return notice;
}
