/** A shop whose only payment provider is a stand-in of a service, which can be away, or lose its answers. */
import assert from "node:assert/strict";
import type { OutboundOutcome, OutboundRequest } from "../../../../src/kit/outbound/outbound.ts";
import { checkLedger } from "../../../../src/shop/payments/ledger-check.ts";
import type { NoticeRecord } from "../../../../src/shop/payments/schema.ts";
import type { OrderRecord } from "../../../../src/shop/orders/schema.ts";
import { notices } from "../../../../src/shop/payments/records.ts";
import { orders } from "../../../../src/shop/orders/records.ts";
import { type TestShop, type TestShopOptions, createTestShop, read } from "../../app-fixture.ts";
import { addProduct, liftLimits } from "../../goods.ts";
import { createFixedClock } from "../../../support/fixed-clock.ts";
import { ORIGIN, askGateway } from "./ask-gateway.ts";
import type { Gateway, GatewayNotice, GatewayOptions, GatewayPayment } from "./gateway.ts";

/** The word of the provider in the shop's settings. */
export const WORD = "paid";
const PRICE = 1_999;

/**
 * The state of a provider: "lost" does what is requested and its response never arrives; "hangs" as well, without an
 * error; "garbled" rejects everything with text that contains U+0000 and lone surrogates; "moved" redirects, as a
 * proxy may.
 */
export type Outage = "none" | "away" | "lost" | "hangs" | "garbled" | "moved";

const BAD = String.raw`no \u0000 such \ud83d card \udc00`;
const garbled = {
  kind: "answered",
  status: 400,
  text: `{"error":{"type":"${BAD}","code":"${BAD}","message":"${BAD}"},"name":"${BAD}","message":"${BAD}","code":"${BAD}","msg":"${BAD}","return_code":-1}`,
} as const;

export interface Checkout {
  readonly order: { readonly id: string; readonly number: string; readonly total: number };
  readonly accessToken: string;
  readonly payment: {
    readonly state: string;
    readonly message?: string;
    readonly url?: string;
    readonly qr?: string;
    readonly form?: { readonly url: string; readonly fields: Record<string, string> };
  };
}

type CreateGateway = (options: GatewayOptions) => Gateway;

export type GatewayShop = Awaited<ReturnType<typeof createGatewayShop>>;

/** Creates the shop; with `gateway` the provider of another one, so that two nodes share store and provider. */
export async function createGatewayShop(
  create: CreateGateway,
  options: TestShopOptions & { readonly gateway?: Gateway } = {},
) {
  const clock = options.clock ?? createFixedClock();
  const gateway = options.gateway ?? create({ origin: ORIGIN, now: () => clock.now() });
  let outage: Outage = "none";
  const requested: string[] = [];
  const send = async (request: OutboundRequest): Promise<OutboundOutcome> => {
    const { method, url, body } = request;
    requested.push(`${method} ${url} ${body ?? ""}`);
    const away = outage;
    if (away === "away") return { kind: "failed", reason: "The connection was refused" };
    if (away === "garbled") return garbled;
    if (away === "moved")
      return { kind: "answered", status: 302, text: "", redirectsTo: "https://login.example.net" };
    const answered = await askGateway(gateway, request);
    if (away === "hangs") return new Promise(() => undefined);
    return away === "lost" ? { kind: "failed", reason: "No response", wasSent: true } : answered;
  };
  const app: TestShop = await createTestShop({ ...options, clock, paymentOutbound: { send } });
  const isFirst = options.gateway === undefined;
  if (isFirst) {
    await app.setSite({ currency: gateway.currency, paymentProviders: [] });
    await liftLimits(app);
    const { kind, credentials } = gateway;
    await read(
      await app.admin("PUT", `/api/admin/site/providers/${WORD}`, {
        title: "The service",
        kind,
        credentials,
        options: gateway.options,
        expiryMinutes: 60,
      }),
    );
    await addProduct(app, { id: "prd_paid", onHand: 100, price: PRICE, deliveryType: "manual" });
  }

  const path = `/api/webhooks/${WORD}-pay`;
  const find = async (id: string): Promise<OrderRecord> =>
    (await app.store.read((tx) => tx.get(orders, id))) ?? assert.fail("the order is gone");
  const listNotices = async (): Promise<readonly NoticeRecord[]> =>
    (await app.store.read((tx) => tx.list(notices, "byReceived", { limit: 100 }))).items;
  /** The payment at the service that was begun last; forms of the buyer's browser are posted first. */
  const findPayment = async ({ payment: { form } }: Checkout): Promise<GatewayPayment> => {
    if (form !== undefined)
      await gateway.answer(new Request(form.url, { method: "POST", body: new URLSearchParams(form.fields) }));
    return gateway.payments.at(-1) ?? assert.fail("the service knows of no payment");
  };
  return {
    app,
    clock,
    gateway,
    order: find,
    ledger: listNotices,
    payment: findPayment,
    /** The buyer pays; nothing is sent to the shop yet. */
    pay: async (placed: Checkout): Promise<GatewayNotice> => gateway.pay(await findPayment(placed)),
    stateOf: async ({ order: { id } }: Checkout): Promise<string> => {
      const { status, paymentStatus, attention } = await find(id);
      return [status, paymentStatus, ...attention].join(" ");
    },
    /** Why notices wait for a person. */
    openReasons: async (): Promise<string[]> =>
      (await listNotices()).flatMap(({ open, reason }) => (open === "yes" ? [reason] : [])),
    /** The service must hear what it wants to. */
    assertHeard: async (response: Response): Promise<void> => {
      const body = await response.text();
      assert.ok(response.ok, `${response.status} ${body}`);
      if (gateway.expects !== undefined) assert.equal(body, gateway.expects);
    },
    runJobs: async (): Promise<void> => {
      await app.shop.orderJobs.expire();
      await app.shop.paymentJobs.run();
    },
    setOutage: (next: Outage): void => {
      outage = next;
    },
    /** The requests to the provider, oldest first. */
    requested,
    /** Orders one unit over HTTP. */
    checkOut: async (): Promise<Checkout> =>
      read<Checkout>(
        await app.send("POST", "/api/checkout", {
          body: { items: [{ productId: "prd_paid", quantity: 1 }], contact: { email: "ann@example.org" } },
        }),
        201,
      ),
    notify: ({ method, query, headers, body }: GatewayNotice): Promise<Response> =>
      app.fetch(`${path}${query}`, { method, headers, ...(method === "GET" ? {} : { body }) }),
    assertBooks: async (): Promise<void> => {
      assert.deepEqual((await checkLedger(app.store)).faults, []);
    },
  };
}
