/** Orders, stock and notices of a shop and of its model in one form, to be compared. */
import assert from "node:assert/strict";
import { notices } from "../../../src/shop/payments/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { secrets, stock } from "../../../src/shop/products/records.ts";
import type { Store } from "../../../src/store/store.ts";
import type { ShopModel } from "./notices-model.ts";
import { type Facts, isOpen, keyOf, paymentStatusOf } from "./notices-model-records.ts";

/** More than a history makes of anything. */
const ALL = 1_000;

/** What a stored notice says. */
export function toFacts(item: {
  provider: string;
  providerRef: string;
  type: string;
  claimedOrderId: string;
  amount: number;
  currency: string;
}): Facts {
  return { ...item, ref: item.providerRef, claimed: item.claimedOrderId };
}

/** All that the model knows of, in one form. */
export interface Picture {
  readonly orders: Record<string, unknown>;
  readonly stock: Record<string, unknown>;
  readonly notices: Record<string, unknown>;
}

/** The shop as its store has it. */
export function readShop(store: Store): Promise<Picture> {
  return store.read(async (tx) => {
    const picture: Picture = { orders: {}, stock: {}, notices: {} };
    for (const one of (await tx.list(orders, "byCreated", { limit: ALL })).items)
      picture.orders[one.id] = [
        one.status,
        one.paymentStatus,
        one.attention.toSorted().join(" "),
        one.needsAttention ?? "no",
        one.amountPaid,
        one.amountRefunded,
        [one.total, one.balanceDue ?? 0],
        one.lines.map(({ quantity, unitPrice, deliveredAt }) => [
          quantity,
          unitPrice,
          deliveredAt !== undefined,
        ]),
      ];
    for (const { id, onHand, reserved, sold } of (await tx.list(stock, "id", { limit: ALL })).items) {
      const free = await tx.count(secrets, "byState", { prefix: [id, "free"] });
      picture.stock[id] = { onHand, reserved, sold, free };
    }
    const { items } = await tx.list(notices, "byReceived", { limit: ALL });
    for (const one of items)
      picture.notices[keyOf(toFacts(one))] = [one.state, one.orderId, one.repeats, one.open ?? "no"];
    assert.equal(Object.keys(picture.notices).length, items.length, "a notice is kept twice");
    return picture;
  });
}

/** The model in the same form. */
export function describeModel({ state }: ShopModel): Picture {
  const picture: Picture = { orders: {}, stock: {}, notices: {} };
  for (const one of state.orders)
    picture.orders[one.id] = [
      one.status,
      paymentStatusOf(one),
      [...one.attention].toSorted().join(" "),
      one.attention.size > 0 ? "yes" : "no",
      one.received - one.refunded,
      one.refunded,
      [one.total, one.balance],
      one.lines.map(({ quantity, unitPrice, delivered }) => [quantity, unitPrice, delivered]),
    ];
  for (const [id, { onHand, reserved, sold, freeKeys: free }] of state.stock)
    picture.stock[id] = { onHand, reserved, sold, free };
  for (const [key, one] of state.notices) {
    picture.notices[key] = [one.state, one.orderId, one.repeats, isOpen(one) ? "yes" : "no"];
  }
  return picture;
}
