/** A shop whose renewals Stripe charges, both in simulated time. */
import assert from "node:assert/strict";
import type { OutboundOutcome, OutboundRequest } from "../../../src/kit/outbound/outbound.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { liftLimits, order } from "../goods.ts";
import { ORIGIN, askGateway } from "../payments/gateways/ask-gateway.ts";
import type { GatewayNotice } from "../payments/gateways/gateway.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import type { Store } from "../../../src/store/store.ts";
import { HOUR, type Renewal, addRenewing, seller } from "./renewal-room.ts";
import { type StripeBilling, createStripeBilling } from "./stripe-billing.ts";

export const WORD = "card";

export interface BillingRoom {
  readonly app: TestShop;
  readonly billing: StripeBilling;
  /** Shops on the same store, the first one is `app`. */
  readonly nodes: readonly TestShop[];
  setAway(isAway: boolean): void;
  /** Every so many answers of Stripe never arrive; 0: none. */
  loseEvery(count: number): void;
  notify(notice: GatewayNotice, node?: TestShop): Promise<void>;
  /** Sends what Stripe has to say, in its order or another. */
  deliver(arrange?: (events: GatewayNotice[]) => GatewayNotice[]): Promise<void>;
  /** Time passes in steps, with all jobs of all nodes; Stripe tells each step what it did. */
  pass(ms: number, stepMs?: number): Promise<void>;
  runJobs(): Promise<void>;
  buy(quantity?: number): Promise<OrderRecord>;
}

async function setUpBilling(
  app: TestShop,
  { billing, renewal }: { readonly billing: StripeBilling; readonly renewal: Renewal },
): Promise<void> {
  await app.setSite({
    currency: "EUR",
    paymentProviders: [],
    seller: { ...app.shop.catalogue.site().seller, ...seller },
    timeZone: "UTC",
    tax: { ...app.shop.catalogue.site().tax, enabled: true, pricesIncludeTax: true },
    invoices: {
      ...app.shop.catalogue.site().invoices,
      enabled: true,
      restart: "never",
      format: "R{number:5}",
    },
  });
  await liftLimits(app);
  const { kind, credentials, options: typed } = billing;
  const provider = { title: "Card", kind, credentials, options: typed, expiryMinutes: 60 };
  await read(await app.admin("PUT", `/api/admin/site/providers/${WORD}`, provider));
  await addRenewing(app, renewal);
}

export async function openBillingRoom(
  renewal: Renewal,
  options: {
    readonly at?: string;
    readonly store?: Store;
    readonly nodes?: number;
    readonly clock?: FixedClock;
    /** The same shop before a restart: its store and its Stripe go on. */
    readonly after?: BillingRoom;
  } = {},
): Promise<BillingRoom> {
  const { after } = options;
  const clock =
    after?.app.clock ?? options.clock ?? createFixedClock(Date.parse(options.at ?? "2026-01-31T09:00:00Z"));
  const billing = after?.billing ?? createStripeBilling({ origin: ORIGIN, now: () => clock.now() });
  let isAway = false;
  let lost = 0;
  let sent = 0;
  const send = async (request: OutboundRequest): Promise<OutboundOutcome> => {
    if (isAway) return { kind: "failed", reason: "The connection was refused" };
    const answered = await askGateway(billing, request);
    sent += 1;
    return lost > 0 && sent % lost === 0
      ? { kind: "failed", reason: "No response", wasSent: true }
      : answered;
  };
  const shared = { clock, paymentOutbound: { send }, ...(options.store && { store: options.store }) };
  const app = await createTestShop(shared);
  const nodes = [app];
  while (nodes.length < (options.nodes ?? 1))
    nodes.push(await createTestShop({ ...shared, store: options.store ?? app.store, isShared: true }));
  if (after === undefined) await setUpBilling(app, { billing, renewal });

  const notify: BillingRoom["notify"] = async (notice, node = app) => {
    // Signed when it is sent, also when it is sent again.
    const { method, query, headers, body } = billing.sendAgain?.(notice) ?? notice;
    const response = await node.fetch(`/api/webhooks/${WORD}-pay${query}`, { method, headers, body });
    assert.ok(response.ok, `${response.status} ${await response.text()}`);
  };
  const runJobs = async (): Promise<void> => {
    for (const node of nodes) {
      await node.shop.orderJobs.expire();
      await node.shop.paymentJobs.run();
      await node.shop.renewalJobs.run();
      await node.shop.remoteJobs.run();
    }
  };
  const deliver: BillingRoom["deliver"] = async (arrange = (events) => events) => {
    const events = arrange(billing.events.splice(0));
    for (const event of events) await notify(event);
  };
  return {
    app,
    billing,
    nodes,
    notify,
    runJobs,
    deliver,
    setAway: (next) => {
      isAway = next;
    },
    loseEvery: (next) => {
      lost = next;
    },
    pass: async (ms, stepMs = 6 * HOUR) => {
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.advance(Math.min(stepMs, ms - passed));
        billing.advance();
        await deliver();
        await runJobs();
      }
    },
    buy: async (quantity = 1) => {
      const placed = (await order(app, [{ productId: "prd_desk", quantity }])).order;
      const payment = billing.payments.at(-1) ?? assert.fail("nothing was begun");
      await notify(await billing.pay(payment));
      await runJobs();
      return (await app.store.read((tx) => tx.get(orders, placed.id))) ?? assert.fail();
    },
  };
}
