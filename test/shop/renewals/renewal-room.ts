/** A shop that sells licenses which renew, in simulated time, and what must be true of its books whenever. */
import assert from "node:assert/strict";
import { renewals, subscriptions } from "../../../src/shop/subscriptions/records.ts";
import type { RenewalRecord, SubscriptionRecord } from "../../../src/shop/subscriptions/schema.ts";
import { invoices } from "../../../src/shop/invoices/collections.ts";
import { licenses } from "../../../src/shop/licence-keys/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { checkLedger } from "../../../src/shop/payments/ledger-check.ts";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import type { ProductLicense } from "../../../src/shop/products/license-schema.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { addProduct, liftLimits, order, sendNotice, setProvider, toNotice } from "../goods.ts";
import { listAll } from "../race-checks.ts";
import { assertPeriods } from "./renewal-periods.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const seller = {
  name: "Ada's Software GmbH",
  line1: "Hauptstraße 1",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
} as const;

export const GENERATED: ProductLicense = {
  keys: "generated",
  pattern: "DESK-{random:5}-{random:5}-{random:5}",
  maxDevices: 2,
  offlineDays: 30,
};

export type Renewal = NonNullable<ProductLicense["renewal"]>;

export const MONTHLY: Renewal = { every: "month", count: 1, graceDays: 7, price: 900 };
export const YEARLY: Renewal = { every: "year", count: 1, graceDays: 7, price: 2_900 };

/** A shop with invoices and German VAT, at a time. */
export async function openRenewalShop(
  options: Parameters<typeof createTestShop>[0] & { readonly at?: string } = {},
): Promise<TestShop> {
  const { at = "2026-01-31T09:00:00Z", ...rest } = options;
  const clock = rest.clock ?? createFixedClock(Date.parse(at));
  const app = await createTestShop({ ...rest, clock });
  if (options.store === undefined) await setUp(app);
  return app;
}

export async function setUp(app: TestShop): Promise<void> {
  await setProvider(app);
  await liftLimits(app);
  await app.setSite({
    seller: { ...app.shop.catalogue.site().seller, ...seller },
    timeZone: "Europe/Berlin",
    tax: { ...app.shop.catalogue.site().tax, enabled: true, pricesIncludeTax: true },
    invoices: {
      ...app.shop.catalogue.site().invoices,
      enabled: true,
      restart: "never",
      format: "R{number:5}",
    },
  });
}

export function addRenewing(app: TestShop, renewal: Renewal, id = "prd_desk"): Promise<ProductRecord> {
  const license = { ...GENERATED, renewal };
  const goods = { deliveryType: "auto_secret", stockMode: "unlimited", license, price: 4_900 } as const;
  return addProduct(app, { id, title: "Photo Desk", ...goods });
}

/** Orders and pays; resolves with the paid order. */
export async function buyRenewing(
  app: TestShop,
  productId = "prd_desk",
  more: { quantity?: number; email?: string } = {},
): Promise<OrderRecord> {
  const { quantity = 1, email } = more;
  const placed = (await order(app, [{ productId, quantity }], { ...(email !== undefined && { email }) }))
    .order;
  await pay(app, placed);
  return findOrder(app, placed.id);
}

export async function findOrder(app: TestShop, id: string): Promise<OrderRecord> {
  return (await app.store.read((tx) => tx.get(orders, id))) ?? assert.fail(`no order ${id}`);
}

/** Pays what is due of an order, by the service's notice. */
export async function pay(
  app: TestShop,
  placed: Pick<OrderRecord, "id" | "total" | "currency">,
): Promise<void> {
  await sendNotice(app, toNotice(placed));
}

export async function runJobs(app: TestShop): Promise<void> {
  await app.shop.orderJobs.expire();
  await app.shop.renewalJobs.run();
  await app.shop.remoteJobs.run();
}

export function listSubscriptions(app: TestShop): Promise<SubscriptionRecord[]> {
  return app.store.read((tx) => listAll(tx, subscriptions));
}

export async function onlySubscription(app: TestShop): Promise<SubscriptionRecord> {
  const all = await listSubscriptions(app);
  assert.equal(all.length, 1);
  return all[0] ?? assert.fail();
}

export async function listRenewals(app: TestShop): Promise<RenewalRecord[]> {
  const all = await app.store.read((tx) => listAll(tx, renewals));
  return all.toSorted((a, b) => a.from - b.from || a.number - b.number);
}

/** The order of the renewal that waits for its payment. */
export async function openRenewal(app: TestShop): Promise<OrderRecord | undefined> {
  const open = (await listRenewals(app)).find(({ state }) => state === "open");
  return open && findOrder(app, open.orderId);
}

export async function expiryOf(app: TestShop): Promise<string> {
  const [license] = await app.store.read((tx) => listAll(tx, licenses));
  return new Date(license?.expiresAt ?? 0).toISOString();
}

export async function kindsOfMails(app: TestShop): Promise<string[]> {
  return (await app.mails()).map(({ kind }) => kind).toReversed();
}

/** Throws AssertionError unless periods, licenses, orders, invoices and the ledger agree with each other. */
export async function assertRenewalBooks({ store }: Pick<TestShop, "store">): Promise<void> {
  assert.deepEqual((await checkLedger(store)).faults, []);
  await assertPeriods(store);
  const { papers, all } = await store.read(async (tx) => ({
    papers: await listAll(tx, invoices),
    all: await listAll(tx, orders),
  }));
  const series = new Map<string, number[]>();
  for (const { series: name, sequence } of papers) series.set(name, [...(series.get(name) ?? []), sequence]);
  for (const [name, numbers] of series) {
    const sorted = numbers.toSorted((a, b) => a - b);
    assert.deepEqual(
      sorted,
      sorted.map((_, index) => index + 1),
      `${name} has a gap`,
    );
  }
  for (const one of all) {
    const own = papers.filter(({ orderId }) => orderId === one.id);
    const sum = own.reduce((kept, { kind, total }) => kept + (kind === "invoice" ? total : -total), 0);
    const isBilled = one.status === "pending_payment" && one.dueAt !== undefined;
    assert.equal(sum, isBilled ? one.total : one.amountPaid, `documents of ${one.number} (${one.status})`);
  }
}
