/** One adapter with the stand-in of its service and a clock, without a shop around it. */
import assert from "node:assert/strict";
import { z } from "zod";
import {
  type PaymentRequest,
  type ProviderKind,
  type ProviderSetup,
  type ProviderTools,
  type ServiceAnswer,
  type ServiceRequest,
  type ValuesOf,
  ProviderFault,
} from "../../../../src/shop/payments/providers/provider.ts";
import { type FixedClock, createFixedClock } from "../../../support/fixed-clock.ts";
import type { Gateway, GatewayNotice, GatewayOptions } from "../gateways/gateway.ts";

export interface Adapter<S extends z.ZodRawShape, G extends Gateway> {
  readonly clock: FixedClock;
  readonly gateway: G;
  readonly setup: ProviderSetup<S>;
  readonly tools: ProviderTools;
  /** What was sent, oldest first. */
  readonly sent: ServiceRequest[];
  /** Answers the next request instead of the stand-in. */
  answerOnce(answer: ServiceAnswer | ProviderFault): void;
  /** A notice as the edge hands it on. */
  toRequest(notice: GatewayNotice): { method: string; url: string; headers: Headers; body: string };
}

export const ORIGIN = "https://pay.example.net";

/** An order of 15 minutes over 19.99 of a currency. */
export function toPayment(clock: FixedClock, change: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    orderId: "ord_01JZ4T5V6W7X8Y9Z",
    number: "260131-7KQ4MP",
    attempt: 1,
    amount: 1999,
    currency: "EUR",
    description: "Order 260131-7KQ4MP at Ada's shop",
    email: "ada@example.org",
    language: "de-AT",
    returnUrl: "https://shop.example.org/orders/ord_1?token=a%20b&x=ä",
    notifyUrl: "https://shop.example.org/api/webhooks/card-pay",
    expiresAt: clock.now() + 15 * 60_000,
    ...change,
  };
}

/** Sets an adapter up. */
export function createAdapter<S extends z.ZodRawShape, G extends Gateway>(
  kind: ProviderKind<S>,
  createGateway: (options: GatewayOptions) => G,
): Adapter<S, G> {
  const clock = createFixedClock();
  const gateway = createGateway({ origin: ORIGIN, now: () => clock.now() });
  // The same type: TypeScript does not see it through the copy that z.object makes of the shape.
  const options = z.object(kind.options).parse(gateway.options) as ValuesOf<S>;
  const setup = { word: "card", options, credentials: gateway.credentials };
  for (const [name, { schema }] of Object.entries(kind.credentials))
    assert.equal(schema.safeParse(gateway.credentials[name]).success, true, name);
  const sent: ServiceRequest[] = [];
  const waiting: (ServiceAnswer | ProviderFault)[] = [];
  const send = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    sent.push(request);
    const instead = waiting.shift();
    if (instead instanceof ProviderFault) throw instead;
    if (instead !== undefined) return instead;
    const { method, url, headers, contentType, body } = request;
    const all = { ...headers, ...(contentType !== undefined && { "content-type": contentType }) };
    const response = await gateway.answer(new Request(url, { method, headers: all, body: body ?? null }));
    const text = await response.text();
    assert.ok(text.length <= 65_536);
    return { status: response.status, text, headers: response.headers };
  };
  return {
    clock,
    gateway,
    setup,
    sent,
    tools: { now: () => clock.now(), send },
    answerOnce: (answer) => void waiting.push(answer),
    toRequest: ({ method, query, headers, body }) => ({
      method,
      url: `https://shop.example.org/api/webhooks/card-pay${query}`,
      headers: new Headers(headers),
      body,
    }),
  };
}

/** What an adapter of a service with an API can do. */
export function callsOf<S extends z.ZodRawShape>(kind: ProviderKind<S>) {
  const { begin, read, ask, refund, test } = kind;
  assert.ok(begin && read && ask && refund && test);
  return { begin, read, ask, refund, test };
}
