/** What comes after the day: gift cards that are sold, spent and given back, and licenses that renew. */
import assert from "node:assert/strict";
import { read } from "../app-fixture.ts";
import type { DayShop } from "./day-shop.ts";

const DAY_MS = 86_400_000;
const address = { name: "Ann", line1: "Street 1", city: "Town", postalCode: "12345", country: "DE" };

interface Line {
  readonly id: string;
  readonly delivered?: readonly string[];
  readonly giftCards?: readonly { readonly code?: string }[];
}

interface Order {
  readonly id: string;
  readonly status: string;
  readonly total: number;
  readonly amountPaid: number;
  readonly amountRefunded: number;
  readonly lines: readonly Line[];
}

const load = async ({ app }: DayShop, id: string): Promise<Order> =>
  read(await app.admin("GET", `/api/admin/orders/${id}`));

async function addProduct({ app }: DayShop, fields: object): Promise<string> {
  const body = { status: "published", stockMode: "unlimited", ...fields };
  return (await read<{ id: string }>(await app.admin("POST", "/api/admin/products", body), 201)).id;
}

async function place(
  { app }: DayShop,
  items: object[],
  more: { giftCardCodes?: string[]; email: string },
): Promise<Order> {
  const { email, ...fields } = more;
  const body = { items, shippingAddress: address, consents: { digitalContent: true }, ...fields };
  const placed = await read<{ order: Order }>(
    await app.send("POST", "/api/checkout", {
      body: { ...body, contact: { email }, paymentMethod: "bank" },
      headers: { "idempotency-key": crypto.randomUUID() },
    }),
    201,
  );
  return placed.order;
}

/** Takes the rest of an order that waits for a bank transfer. */
async function payByBank(shop: DayShop, { id }: Pick<Order, "id">): Promise<Order> {
  const { status } = await load(shop, id);
  if (status === "pending_payment")
    await read(
      await shop.app.admin("POST", `/api/admin/orders/${id}/mark-paid`, { reference: `bank ${id}` }),
    );
  return load(shop, id);
}

async function refund({ app }: DayShop, id: string, body: object): Promise<void> {
  await read(
    await app.admin("POST", `/api/admin/orders/${id}/refund`, { reference: `later ${id}`, ...body }),
  );
}

/**
 * Sells six cards of 50.00. Four pay for parcels, the rest of which comes by bank; of those orders one is refunded as a
 * whole, one by line, and one is never paid. One of the other cards is given back.
 */
export async function tradeGiftCards(shop: DayShop): Promise<{ sold: number; liability: number }> {
  const { app, products } = shop;
  const productId = await addProduct(shop, { title: "Gift card", deliveryType: "gift_card", price: 5_000 });
  const parcels = products.filter(({ goods }) => goods === "shipping").slice(20, 24);
  const sold = await payByBank(
    shop,
    await place(shop, [{ productId, quantity: 6 }], { email: "giver@example.org" }),
  );
  const cards = await read<{ items: { id: string }[] }>(
    await app.admin("GET", `/api/admin/gift-cards?orderId=${sold.id}&limit=20`),
  );
  const codes: string[] = [];
  for (const { id } of cards.items)
    codes.push(
      (await read<{ code: string }>(await app.admin("GET", `/api/admin/gift-cards/${id}/code`))).code,
    );
  assert.equal(codes.length, 6);
  const orders: Order[] = [];
  for (const [at, parcel] of parcels.entries())
    orders.push(
      await place(shop, [{ productId: parcel.id, quantity: 3 }], {
        email: `holder${at}@example.org`,
        giftCardCodes: [codes[at] ?? ""],
      }),
    );
  const [whole, byLine, unpaid, kept] = orders;
  assert.ok(whole && byLine && unpaid && kept);
  for (const order of [whole, byLine, kept]) assert.equal((await payByBank(shop, order)).status, "paid");
  await refund(shop, whole.id, { amount: whole.total });
  const [line] = (await load(shop, byLine.id)).lines;
  await refund(shop, byLine.id, { lines: [{ lineId: line?.id, quantity: 1 }] });
  await read(await app.admin("POST", `/api/admin/orders/${unpaid.id}/cancel`, {}));
  // What is left of the sold cards can be given back, and no more.
  const [cardLine] = (await load(shop, sold.id)).lines;
  await refund(shop, sold.id, { lines: [{ lineId: cardLine?.id, quantity: 1 }] });
  const { items } = await read<{ items: { currency: string; closing: number }[] }>(
    await app.admin("GET", "/api/admin/gift-cards/liability"),
  );
  return { sold: codes.length, liability: items[0]?.closing ?? 0 };
}

/** Sells monthly licenses to five buyers; three pay each of two periods, one cancels, and one does not pay. */
export async function renewLicenses(shop: DayShop): Promise<{ periods: number; ended: number }> {
  const { app, clock } = shop;
  const license = {
    keys: "generated",
    pattern: "DAY-{random:6}-{random:6}",
    renewal: { every: "month", count: 1, price: 900, graceDays: 5 },
  };
  const program = { title: "Desk", deliveryType: "auto_secret", price: 2_900, license };
  const productId = await addProduct(shop, program);
  for (let buyer = 0; buyer < 5; buyer += 1)
    await payByBank(
      shop,
      await place(shop, [{ productId, quantity: 1 }], { email: `renewer${buyer}@example.org` }),
    );
  const runAll = async (): Promise<void> => {
    await app.shop.orderJobs.expire();
    await app.shop.renewalJobs.run();
  };
  await runAll();
  interface Subscription {
    readonly id: string;
    readonly email: string;
    readonly state: string;
    readonly renewals: readonly { readonly orderId: string; readonly state: string }[];
  }
  const list = async (): Promise<readonly Subscription[]> =>
    (await read<{ items: Subscription[] }>(await app.admin("GET", "/api/admin/subscriptions?limit=50")))
      .items;
  for (let day = 0; day < 70; day += 1) {
    clock.advance(DAY_MS);
    await runAll();
    for (const { id, email, state, renewals } of await list()) {
      const open = renewals.find((one) => one.state === "open");
      if (open === undefined || email === "renewer4@example.org") continue;
      if (email === "renewer3@example.org") {
        if (state === "active")
          await read(await app.admin("POST", `/api/admin/subscriptions/${id}/cancel`, {}));
        continue;
      }
      await payByBank(shop, { id: open.orderId });
    }
  }
  const all = await list();
  const periods = all.flatMap(({ renewals }) => renewals.filter(({ state }) => state === "paid"));
  return { periods: periods.length, ended: all.filter(({ state }) => state === "ended").length };
}
