/** What buyers do in a day: order, pay, think otherwise. All follows from an order's number in the row. */
import assert from "node:assert/strict";
import { type TestShop, read } from "../app-fixture.ts";
import type { Gateway, GatewayPayment } from "../payments/gateways/gateway.ts";
import { DAYS, type DayProduct, type DayShop } from "./day-shop.ts";

export const ORDERS = 500;
const languages = ["en", "de", "zh"] as const;
const countries = ["DE", "FR", "US"] as const;
const providers = ["stripe", "paypal", "bank"] as const;

/** What becomes of an order. */
export type Fate = "paid" | "unpaid" | "called_off";

export interface OrderAnswer {
  readonly id: string;
  readonly number: string;
  readonly total: number;
  readonly status: string;
  readonly paymentStatus: string;
  readonly language: string;
  readonly amountRefunded: number;
  readonly amountPaid: number;
}

export interface Placed {
  readonly order: OrderAnswer;
  readonly token: string;
  readonly provider: (typeof providers)[number];
  readonly language: (typeof languages)[number];
  readonly email: string;
  readonly fate: Fate;
  readonly items: readonly DayProduct[];
}

/** The member of a list that belongs to a number. */
function pick<T>(list: readonly T[], n: number): T {
  return list[n % list.length] ?? assert.fail("the list is empty");
}

function toFate(n: number): Fate {
  return n % 20 === 7 ? "unpaid" : n % 25 === 3 ? "called_off" : "paid";
}

async function placeOne({ app, products }: DayShop, n: number): Promise<Placed> {
  const items = [...new Set([pick(products, n * 7), pick(products, n * 11 + 3)])];
  const language = pick(languages, n);
  const country = pick(countries, Math.floor(n / 3));
  const provider = pick(providers, Math.floor(n / 5));
  const email = `buyer${n % 150}@example.org`;
  const isSent = items.some(({ goods }) => goods === "shipping");
  const address = { name: `Buyer ${n}`, line1: "Street 1", city: "Town", postalCode: "12345", country };
  const body = {
    items: items.map(({ id }) => ({ productId: id, quantity: 1 + (n % 2) })),
    ...(isSent ? { shippingAddress: address } : { billingAddress: address }),
    ...(n % 5 === 0 ? { couponCode: "spring" } : {}),
    language,
    consents: { digitalContent: true },
  };
  const from = `198.51.${n % 100}.${1 + (n % 200)}`;
  const preview = await read<{ total: number }>(
    await app.send("POST", "/api/checkout/preview", { body, from }),
  );
  const answer = await read<{ order: OrderAnswer; accessToken: string }>(
    await app.send("POST", "/api/checkout", {
      body: { ...body, contact: { email }, paymentMethod: provider, expectedTotal: preview.total },
      from,
      headers: { "idempotency-key": `order-${n}` },
    }),
    201,
  );
  return {
    order: answer.order,
    token: answer.accessToken,
    provider,
    language,
    email,
    fate: toFate(n),
    items,
  };
}

/** Orders of buyers, eight at once. */
export async function placeOrders(shop: DayShop): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (let n = 0; n < ORDERS; n += 8) {
    const numbers = Array.from({ length: Math.min(8, ORDERS - n) }, (_, index) => n + index);
    placed.push(...(await Promise.all(numbers.map((number) => placeOne(shop, number)))));
  }
  return placed;
}

function findPayment(gateway: Gateway, { order }: Placed): GatewayPayment {
  const found = gateway.payments.findLast(({ orderId }) => orderId.startsWith(order.id));
  return found ?? assert.fail(`the service knows nothing of order ${order.number}`);
}

async function payOne(shop: DayShop, placed: Placed): Promise<void> {
  const { provider, order } = placed;
  if (provider === "bank") {
    const path = `/api/admin/orders/${order.id}/mark-paid`;
    await read(await shop.app.admin("POST", path, { reference: `bank ${order.number}` }));
    return;
  }
  const gateway = shop.gateways[provider];
  const notice = await gateway.pay(findPayment(gateway, placed));
  const response = await shop.notify(provider, notice);
  assert.ok(response.ok, await response.text());
}

/** Pays what is to be paid; every tenth notice comes twice. */
export async function payOrders(shop: DayShop, placed: readonly Placed[]): Promise<void> {
  for (const [n, one] of placed.entries()) {
    if (one.fate !== "paid") continue;
    await payOne(shop, one);
    if (n % 10 !== 0 || one.provider === "bank") continue;
    const gateway = shop.gateways[one.provider];
    const again = await shop.notify(one.provider, await gateway.pay(findPayment(gateway, one)));
    assert.ok(again.ok, await again.text());
  }
}

/** Buyers who think otherwise before they pay. */
export async function callOff({ app }: DayShop, placed: readonly Placed[]): Promise<void> {
  for (const { order, fate } of placed)
    if (fate === "called_off")
      await read(await app.admin("POST", `/api/admin/orders/${order.id}/cancel`, {}));
}

/** Lets unpaid orders expire. */
export async function expireUnpaid({ app, clock }: DayShop): Promise<void> {
  clock.advance(DAYS * 86_400_000);
  while ((await app.shop.orderJobs.expire()) > 0);
}

/** All orders as the administrator sees them, the oldest first. */
export async function readOrders({ app }: { readonly app: TestShop }): Promise<OrderAnswer[]> {
  const found: OrderAnswer[] = [];
  for (let cursor = ""; ;) {
    const query = `?limit=100${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await read<{ items: OrderAnswer[]; nextCursor?: string }>(
      await app.admin("GET", `/api/admin/orders${query}`),
    );
    found.push(...page.items);
    if (page.nextCursor === undefined) return found.reverse();
    cursor = page.nextCursor;
  }
}

/** The bytes of every file that an order gives its buyer. */
export async function downloadFiles({ app }: DayShop, { order, token }: Placed): Promise<Uint8Array[]> {
  const headers = { "x-order-token": token };
  const seen = await read<{ lines: { files?: { url?: string }[] }[] }>(
    await app.send("GET", `/api/orders/${order.id}`, { headers }),
  );
  const files: Uint8Array[] = [];
  for (const { url = "" } of seen.lines.flatMap((line) => line.files ?? [])) {
    const response = await app.fetch(url);
    assert.equal(response.status, 200, url);
    files.push(new Uint8Array(await response.arrayBuffer()));
  }
  return files;
}

/** What became of a refund. */
export interface Refunded {
  readonly placed: Placed;
  readonly amount: number;
  readonly status: string;
}

/** Every fifteenth buyer gets money back: the one all, the next a third, and so on. */
export async function refundSome({ app }: DayShop, placed: readonly Placed[]): Promise<Refunded[]> {
  const refunded: Refunded[] = [];
  const paid = placed.filter(({ fate }) => fate === "paid");
  for (let n = 0; n < paid.length; n += 15) {
    const one = paid[n] ?? assert.fail("no order");
    const { id, total } = one.order;
    const amount = n % 2 === 0 ? total : Math.floor(total / 3);
    const answer = await read<{ refund: { status: string } }>(
      await app.admin("POST", `/api/admin/orders/${id}/refund`, { amount, note: "came broken" }),
    );
    refunded.push({ placed: one, amount, status: answer.refund.status });
  }
  return refunded;
}

/** What the service of an order has given back of it. */
export function readRefunded(shop: DayShop, placed: Placed): number {
  const { provider } = placed;
  return provider === "bank" ? 0 : findPayment(shop.gateways[provider], placed).refunded;
}

/** Every fortieth buyer withdraws from a parcel, in two steps and without a sign-in. Resolves with how many. */
export async function withdrawSome({ app }: DayShop, placed: readonly Placed[]): Promise<number> {
  const parcels = placed.filter(
    ({ fate, items }) => fate === "paid" && items.every(({ goods }) => goods === "shipping"),
  );
  let count = 0;
  for (let n = 0; n < parcels.length; n += 40) {
    const { order, email, language } = parcels[n] ?? assert.fail("no order");
    const from = `203.0.113.${n % 250}`;
    const body = { name: "A buyer", orderNumber: order.number, email, language };
    const { confirmation } = await read<{ confirmation: string }>(
      await app.send("POST", "/api/withdrawals", { body, from }),
    );
    await read(await app.send("POST", "/api/withdrawals/confirm", { body: { confirmation }, from }));
    count += 1;
  }
  return count;
}
