/** Fills the data folder of a shop with products and orders, as the program itself would have written them. */
import { withAuditKey } from "../../../src/records/audit-key.ts";
import { systemClock as clock } from "../../../src/kit/time/clock.ts";
import { newCodeText, newId } from "../../../src/kit/secrets/id.ts";
import { silentLog as log } from "../../../src/kit/observe/log.ts";
import { createSecretBox } from "../../../src/kit/secrets/secret-box.ts";
import { PROVIDER_PURPOSE } from "../../../src/shop/payments/notice-proof.ts";
import { toBlank } from "../../../src/shop/categories/shown-records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import type { NoticeRecord } from "../../../src/shop/payments/schema.ts";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import { categories } from "../../../src/shop/categories/records.ts";
import { notices } from "../../../src/shop/payments/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { settings } from "../../../src/shop/site/records.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { stock } from "../../../src/shop/products/records.ts";
import { readSite, replaceSettings } from "../../../src/shop/site/settings.ts";
import { reserve } from "../../../src/shop/stock/stock.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import type { Store, Tx } from "../../../src/store/store.ts";
import { CATEGORIES, createRandom, seedCatalogue, toProduct } from "./catalogue-seed.ts";

const BATCH = 500;
const DAY_MS = 86_400_000;
/** Orders of the past are spread over so many days. */
const PAST_DAYS = 90;

/** The secret that seals what the seeded shop keeps. */
export const SHOP_SECRET = "a secret of the benchmarks, long enough";
/** The payment provider of the seeded orders, and what it signs its notices with. */
export const PROVIDER = "bench";
export const PROVIDER_SECRET = "whsec_YSBzZWNyZXQgb2YgdGhlIGJlbmNobWFya3M=";

/** How much to write; of the orders, `pending` wait for payment and the others are completed. */
export interface ShopSize {
  readonly products: number;
  readonly orders: number;
  readonly pending: number;
}

/** An order that waits for payment. */
export interface PendingOrder {
  readonly id: string;
  readonly total: number;
}

const options = { name: "shop", collections: shopCollections, clock, log };

type New<R> = Omit<R, "version">;

/** An address as buyers of shipped goods give it. */
export const address = {
  name: "Ann Example",
  line1: "1 Example Street",
  city: "Berlin",
  postalCode: "10115",
  country: "DE",
} as const;

/** Order number `n`: one unit of one variant, waiting for payment for a day. */
export function toPendingOrder(n: number, product: New<ProductRecord>): New<OrderRecord> {
  const nowMs = clock.now();
  const variant = product.variants[n % product.variants.length];
  const total = variant?.price ?? product.price;
  const email = `buyer-${n}@example.org`;
  return {
    id: newId("ord", nowMs),
    number: `261121-${newCodeText(8).toUpperCase()}`,
    email,
    emailLower: email,
    language: "en",
    status: "pending_payment",
    paymentStatus: "unpaid",
    attention: [],
    currency: product.currency,
    subtotal: total,
    discount: 0,
    shipping: 0,
    total,
    amountPaid: 0,
    amountRefunded: 0,
    lines: [
      {
        id: newId("lin", nowMs),
        productId: product.id,
        ...(variant === undefined ? {} : { variantId: variant.id }),
        stockId: variant?.id ?? product.id,
        stockMode: product.stockMode,
        title: product.title,
        sku: variant?.sku ?? product.sku,
        options: { ...variant?.options },
        quantity: 1,
        unitPrice: total,
        subtotal: total,
        discount: 0,
        total,
        deliveryType: product.deliveryType,
        inputs: {},
        instructions: "",
        secretIds: [],
      },
    ],
    history: [{ at: nowMs, by: "buyer", event: "placed", to: "pending_payment" }],
    note: "",
    shippingAddress: address,
    paymentMethod: PROVIDER,
    openEmail: newCodeText(40),
    openAddress: newCodeText(40),
    pendingUntil: nowMs + DAY_MS,
    expiresAt: nowMs + DAY_MS,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
}

/** The order as it is when everything went well. */
function toCompleted(order: New<OrderRecord>, createdAt: number): New<OrderRecord> {
  const { openEmail: _email, openAddress: _address, pendingUntil: _until, ...rest } = order;
  const by = "system";
  return {
    ...rest,
    id: newId("ord", createdAt),
    status: "completed",
    paymentStatus: "paid",
    amountPaid: order.total,
    history: [
      { at: createdAt, by: "buyer", event: "placed", to: "pending_payment" },
      { at: createdAt, by: `provider ${PROVIDER}`, event: "pay", from: "pending_payment", to: "paid" },
      { at: createdAt, by: "admin", event: "start_fulfilling", from: "paid", to: "fulfilling" },
      { at: createdAt, by: "admin", event: "deliver", from: "fulfilling", to: "delivered" },
      { at: createdAt, by, event: "complete", from: "delivered", to: "completed" },
    ],
    expiresAt: createdAt + DAY_MS,
    createdAt,
    updatedAt: createdAt,
    paidAt: createdAt,
    deliveredAt: createdAt,
    completedAt: createdAt,
  };
}

/** A notice's body as the provider sends it. */
export function toNoticeBody(reference: string, order: PendingOrder): string {
  return JSON.stringify({
    type: "payment.arrived",
    data: { id: reference, orderId: order.id, amount: order.total, currency: "EUR", status: "succeeded" },
  });
}

/** The notice that paid an order. */
export function toNotice(order: New<OrderRecord>): New<NoticeRecord> {
  const { id, total: amount, currency, createdAt: receivedAt } = order;
  const providerRef = newId("pi", receivedAt);
  return {
    id: newId("pay", receivedAt),
    provider: PROVIDER,
    eventId: `payment:${providerRef}`,
    providerRef,
    refKey: providerRef,
    claimedOrderId: id,
    orderId: id,
    type: "payment",
    amount,
    currency,
    verified: "signature",
    state: "applied",
    reason: "",
    receivedAt,
    repeats: 0,
    raw: toNoticeBody(providerRef, order),
  };
}

/** The categories that the products name. */
async function addCategories(store: Store, nowMs: number): Promise<void> {
  await store.transact(async (tx) => {
    for (let n = 0; n < CATEGORIES; n += 1)
      await tx.insert(categories, { id: `category-${n}`, ...toBlank(`Category ${n}`, nowMs) });
  });
}

async function addProvider(store: Store): Promise<void> {
  const box = createSecretBox(SHOP_SECRET);
  const secret = box.seal(PROVIDER_SECRET, PROVIDER_PURPOSE);
  const provider = {
    word: PROVIDER,
    title: "Benchmark",
    enabled: true,
    secret,
    requireWebhookSecret: true,
    payUrlTemplate: "https://pay.example.org/{orderId}",
    instructions: "",
  };
  await withAuditKey(store, box).transact(async (tx) => {
    const fields = { ...(await readSite(tx)), paymentProviders: [provider] };
    const actor = { name: "bench", clientId: "bench", requestId: "bench" };
    await replaceSettings(tx, { group: "site", fields, actor, clock });
  });
}

async function insertOrder(tx: Tx, order: New<OrderRecord>, createdAt: number | undefined): Promise<void> {
  if (createdAt === undefined) {
    await tx.insert(orders, order);
    await reserve(tx, order.lines);
    return;
  }
  const completed = toCompleted(order, createdAt);
  await tx.insert(orders, completed);
  await tx.insert(notices, toNotice(completed));
  for (const { stockId } of order.lines) await tx.adjust(stock, stockId, { field: "sold", by: 1 });
}

/** Leaves one snapshot and an empty journal: what a start has to read must not depend on how it was written. */
async function compact(folder: string): Promise<void> {
  const store = await openJournalStore({ folder, ...options, compactAtBytes: 1 });
  await store.transact((tx) => tx.insert(settings, { id: "bench", fields: {} }));
  await store.idle();
  await store.close();
}

/** Writes it all below `dataDir`; resolves with the orders that wait for payment. */
export async function seedShop(dataDir: string, size: ShopSize): Promise<PendingOrder[]> {
  const folder = `${dataDir}/shop`;
  await seedCatalogue(folder, size.products);
  const random = createRandom();
  const all = Array.from({ length: size.products }, (_, n) => toProduct(n, random));
  const store = await openJournalStore({ folder, ...options, compactAtBytes: Number.MAX_SAFE_INTEGER });
  await addProvider(store);
  await addCategories(store, clock.now());
  const pending: PendingOrder[] = [];
  const startMs = clock.now() - PAST_DAYS * DAY_MS;
  const past = size.orders - size.pending;
  for (let start = 0; start < size.orders; start += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, size.orders - start) }, (_, index) => {
      const n = start + index;
      const product = all[(n * 7_919) % all.length];
      if (product === undefined) throw new Error("A shop without products");
      const order = toPendingOrder(n, product);
      const createdAt = n < past ? startMs + Math.floor((n / past) * PAST_DAYS * DAY_MS) : undefined;
      if (createdAt === undefined) pending.push({ id: order.id, total: order.total });
      return { order, createdAt };
    });
    await store.transact(async (tx) => {
      for (const { order, createdAt } of some) await insertOrder(tx, order, createdAt);
    });
  }
  await store.close();
  await compact(folder);
  return pending;
}
