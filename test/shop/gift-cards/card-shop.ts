/** A shop with gift cards, for the suites about them. */
import assert from "node:assert/strict";
import type { CheckoutResult } from "../../../src/shop/checkout/checkout.ts";
import { listCardsOf } from "../../../src/shop/gift-cards/book.ts";
import { openCode } from "../../../src/shop/gift-cards/issue.ts";
import { giftCards } from "../../../src/shop/gift-cards/records.ts";
import { checkCards, sumCards } from "../../../src/shop/gift-cards/report.ts";
import type { GiftCardRecord } from "../../../src/shop/gift-cards/schema.ts";
import { checkLedger } from "../../../src/shop/payments/ledger-check.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import type { SiteSettings } from "../../../src/shop/site/schema.ts";
import { addProduct, noOrderLimits } from "../goods.ts";
import { type PlainShop, actor, createPlainShop } from "../plain-shop.ts";

const many = 1_000_000;

export function createCardShop(site: Partial<SiteSettings> = {}): Promise<PlainShop> {
  return createPlainShop({
    maxPending: { user: many, address: many, email: many },
    orderLimits: noOrderLimits,
    ...site,
  });
}

/** A gift card of 50.00 as a product. */
export function addCardProduct(app: PlainShop, fields: Partial<ProductRecord> = {}): Promise<ProductRecord> {
  return addProduct(app, {
    title: "Gift card",
    deliveryType: "gift_card",
    stockMode: "unlimited",
    price: 5_000,
    ...fields,
  });
}

export interface Ordered {
  readonly items: readonly { productId: string; quantity?: number; inputs?: Record<string, string> }[];
  readonly cards?: readonly string[];
  readonly email?: string;
  readonly address?: string;
}

const guest = { userAgent: "test", requestId: "test" };

export function buy(
  app: PlainShop,
  { items, cards, email = "ann@example.org", address = "192.0.2.1" }: Ordered,
) {
  return app.shop.checkout.order(
    {
      items: items.map((item) => ({ quantity: 1, ...item })),
      contact: { email },
      consents: { digitalContent: true },
      ...(cards === undefined ? {} : { giftCardCodes: [...cards] }),
    },
    { ...guest, clientAddress: address },
  );
}

export function preview(app: PlainShop, { items, cards }: Ordered) {
  return app.shop.checkout.preview(
    {
      items: items.map((item) => ({ quantity: 1, ...item })),
      ...(cards === undefined ? {} : { giftCardCodes: [...cards] }),
    },
    { ...guest, clientAddress: "192.0.2.1" },
  );
}

export function pay(app: PlainShop, { order }: Pick<CheckoutResult, "order">): Promise<OrderRecord> {
  return app.shop.orderAdmin.markPaid({ id: order.id, actor, note: "" });
}

export function refund(app: PlainShop, id: string, amount?: number): Promise<unknown> {
  return app.shop.refunds.refund({ id, actor, note: "", amount, through: "record" });
}

export async function readOrder(app: PlainShop, id: string): Promise<OrderRecord> {
  return (await app.store.read((tx) => tx.get(orders, id))) ?? assert.fail("the order is gone");
}

export async function readCard(app: PlainShop, id: string): Promise<GiftCardRecord> {
  return (await app.store.read((tx) => tx.get(giftCards, id))) ?? assert.fail("the card is gone");
}

/** The cards that an order sold, with their codes. */
export async function readSold(app: PlainShop, orderId: string) {
  const cards = await app.store.read((tx) => listCardsOf(tx, orderId));
  return cards.map((card) => ({ card, code: openCode(app.shop.deps.box, card) ?? "" }));
}

/** A card of staff, with its code. */
export async function giveCard(app: PlainShop, amount: number): Promise<{ id: string; code: string }> {
  const { card } = await app.shop.giftCardsAdmin.create({ amount, note: "test" }, actor);
  return { id: card.id, code: await app.shop.giftCardsAdmin.reveal(card.id, actor) };
}

/** The books of orders and cards agree, and what is owed is the sum of all balances. */
export async function assertBooks(app: PlainShop): Promise<void> {
  assert.deepEqual((await checkLedger(app.store)).faults, []);
  assert.deepEqual((await checkCards(app.store)).faults, []);
  const cards = await app.store.read((tx) => tx.list(giftCards, "id", { limit: 1_000 }));
  const balances = cards.items.reduce((sum, { balance }) => sum + balance, 0);
  for (const { closing, opening, issued, redeemed, released, refunded, voided, adjusted } of await sumCards(
    app.store,
  )) {
    assert.equal(closing, balances);
    assert.equal(opening + issued + redeemed + released + refunded + voided + adjusted, closing);
  }
  assert.ok(cards.items.every(({ balance }) => balance >= 0));
}
