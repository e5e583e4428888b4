/** A shop with tax and invoices whose orders are edited. */
import assert from "node:assert/strict";
import type { InvoiceRecord } from "../../../src/shop/invoices/schema.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import {
  invoiceSettingsSchema,
  sellerSchema,
  taxSettingsSchema,
} from "../../../src/shop/site/selling-schema.ts";
import { type TestShop, type TestShopOptions, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, sendNotice, setProvider, toNotice } from "../goods.ts";

export const place = { name: "Ann", line1: "Rue 1", city: "Lyon", postalCode: "69001", country: "FR" };

export interface Sold {
  readonly price: number;
  readonly quantity: number;
  readonly taxClass?: string;
  readonly isSent?: boolean;
  readonly onHand?: number;
  /** What kind of price it has; "plain" by default. */
  readonly pricing?: "plain" | "tiers" | "chosen" | "bundle";
}

export interface Placed {
  readonly order: {
    readonly id: string;
    readonly number: string;
    readonly total: number;
    readonly currency: string;
  };
  readonly accessToken: string;
}

export async function openShop(tax: object = {}, options: TestShopOptions = {}): Promise<TestShop> {
  const app = await createTestShop(options);
  await setProvider(app);
  await liftLimits(app);
  await app.setSite({
    languages: ["en", "de"],
    seller: sellerSchema.parse({ name: "Librairie", line1: "Rue 2", city: "Paris", country: "FR" }),
    tax: taxSettingsSchema.parse({ enabled: true, ...tax }),
    invoices: invoiceSettingsSchema.parse({ enabled: true }),
    shippingFee: 590,
  });
  return app;
}

/** Adds a product, and resolves with the item that orders it. */
export async function addSold(
  app: TestShop,
  { price, quantity, taxClass = "standard", isSent = true, onHand = 999, pricing = "plain" }: Sold,
  title: string,
): Promise<{ productId: string; quantity: number; unitPrice?: number }> {
  const deliveryType = isSent ? "shipping" : "manual";
  const goods = { title, price, taxClass, deliveryType, onHand } as const;
  if (pricing === "bundle") {
    const other = taxClass === "standard" ? "reduced" : "standard";
    const first = await addProduct(app, { ...goods, price: price + 7 });
    const second = await addProduct(app, { ...goods, taxClass: other, price: Math.ceil(price / 3) });
    const parts = [
      { productId: first.id, quantity: 1 },
      { productId: second.id, quantity: 2 },
    ];
    const set = await addProduct(app, { ...goods, stockMode: "unlimited", parts });
    return { productId: set.id, quantity };
  }
  const tierPrices = [{ from: 3, price: Math.floor(price * 0.9) }];
  const product = await addProduct(app, {
    ...goods,
    tierPrices: pricing === "tiers" ? tierPrices : undefined,
    payWhatYouWant: pricing === "chosen" ? { minimum: 0 } : undefined,
  });
  const chosen = pricing === "chosen" ? { unitPrice: Math.ceil(price / 2) } : {};
  return { productId: product.id, quantity, ...chosen };
}

/** An order of a guest. */
export async function placeOrder(app: TestShop, sold: readonly Sold[], fields: object = {}): Promise<Placed> {
  const items: object[] = [];
  for (const [index, one] of sold.entries()) items.push(await addSold(app, one, `P${index}`));
  const body = { items, contact: { email: "ann@example.org" }, shippingAddress: place, ...fields };
  return read(await app.send("POST", "/api/checkout", { body }), 201);
}

export async function pay(app: TestShop, { order }: Placed, fields: object = {}): Promise<void> {
  assert.equal((await sendNotice(app, toNotice(order, { ...fields }))).status, 200);
}

export async function load(app: TestShop, { order }: Placed): Promise<OrderRecord> {
  return (await app.store.read((tx) => tx.get(orders, order.id))) ?? assert.fail();
}

/** Sends an edit of the order as it is now. */
export async function edit(app: TestShop, placed: Placed, body: object): Promise<Response> {
  app.clock.advance(1_000);
  const { version } = await load(app, placed);
  return app.admin("POST", `/api/admin/orders/${placed.order.id}/edit`, { version, ...body });
}

/** Documents, the oldest first. */
export async function papers(app: TestShop, { order }: Placed): Promise<InvoiceRecord[]> {
  const page = await read<{ items: InvoiceRecord[] }>(
    await app.admin("GET", `/api/admin/invoices?orderId=${order.id}`),
  );
  return page.items.toReversed();
}

/** Invoices minus credit notes: the total, and gross and tax by rate. */
export function sumPapers(all: readonly InvoiceRecord[]): Record<string, number> {
  const sums: Record<string, number> = { total: 0 };
  for (const { kind, total, tax } of all) {
    const sign = kind === "invoice" ? 1 : -1;
    sums["total"] = (sums["total"] ?? 0) + sign * total;
    for (const row of tax?.rates ?? []) {
      const key = `${row.kind} ${row.country} ${row.rate}`;
      sums[`${key} gross`] = (sums[`${key} gross`] ?? 0) + sign * row.gross;
      sums[`${key} tax`] = (sums[`${key} tax`] ?? 0) + sign * row.tax;
    }
  }
  return sums;
}
