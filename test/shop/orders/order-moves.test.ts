/** The table of moves: every pair of a state and an event, and what each move leaves. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AppError } from "../../../src/kit/errors.ts";
import { type OrderEvent, allowedFrom, findMove, orderEvents } from "../../../src/shop/orders/moves.ts";
import { moveOrder, withHistory } from "../../../src/shop/orders/order.ts";
import { toPaymentStatus } from "../../../src/shop/orders/payment-status.ts";
import { type OrderRecord, type OrderStatus, orderStatusSchema } from "../../../src/shop/orders/schema.ts";

/** Written down apart from the code: what may follow what, by which event. */
const expected: Readonly<Record<OrderStatus, Partial<Record<OrderEvent, OrderStatus>>>> = {
  pending_payment: { pay: "paid", expire: "expired", cancel: "canceled" },
  paid: { start_fulfilling: "fulfilling", cancel_refunded: "canceled" },
  fulfilling: { deliver: "delivered", cancel_refunded: "canceled" },
  delivered: { complete: "completed" },
  completed: {},
  canceled: {},
  expired: { pay_late: "paid" },
};

function orderIn(status: OrderStatus): OrderRecord {
  return {
    id: "ord_1",
    version: 1,
    number: "1",
    email: "a@example.org",
    emailLower: "a@example.org",
    language: "en",
    status,
    paymentStatus: "unpaid",
    attention: [],
    currency: "EUR",
    subtotal: 1,
    discount: 0,
    shipping: 0,
    total: 1,
    amountPaid: 0,
    amountRefunded: 0,
    lines: [],
    history: [],
    note: "",
    paymentMethod: "test",
    openUser: "u",
    openEmail: "e",
    openAddress: "a",
    pendingUntil: 5,
    expiresAt: 5,
    createdAt: 0,
    updatedAt: 0,
    autoCompleteAt: 9,
  };
}

describe("the table of moves", () => {
  for (const from of orderStatusSchema.options) {
    for (const event of orderEvents) {
      const to = expected[from][event];
      it(`${from} + ${event} → ${to ?? "refused"}`, () => {
        assert.equal(findMove(from, event), to);
        const order = orderIn(from);
        if (to === undefined) {
          assert.throws(
            () => moveOrder(order, event, { by: "test", atMs: 7 }),
            (error) =>
              error instanceof AppError &&
              error.code === "illegal_transition" &&
              error.details["from"] === from &&
              Array.isArray(error.details["allowed"]),
          );
          return;
        }
        const moved = moveOrder(order, event, { by: "test", atMs: 7, note: "why" });
        assert.equal(moved.status, to);
        assert.deepEqual(moved.history, [{ at: 7, by: "test", event, from, to, note: "why" }]);
        // What is kept only while an order waits is gone, or limits would count it for ever.
        assert.deepEqual(
          [moved.openUser, moved.openEmail, moved.openAddress, moved.pendingUntil, moved.autoCompleteAt],
          [undefined, undefined, undefined, undefined, undefined],
        );
      });
    }
    it(`${from} allows ${Object.values(expected[from]).join(", ") || "nothing"}`, () => {
      assert.deepEqual(allowedFrom(from).toSorted(), [...new Set(Object.values(expected[from]))].toSorted());
    });
  }
});

describe("the history", () => {
  it("stops growing by what a provider repeats, and keeps every move all the same", () => {
    let order = orderIn("pending_payment");
    for (let at = 0; at < 1_000; at += 1)
      order = withHistory(order, { at, by: "provider test", event: "payment_pending" });
    assert.equal(order.history.length, 200);
    const paid = moveOrder(order, "pay", { by: "provider test", atMs: 1_000 });
    assert.deepEqual([paid.history.length, paid.history.at(-1)?.to], [201, "paid"]);
  });
});

describe("the payment status", () => {
  const cases: readonly [number, number, number, string][] = [
    [100, 0, 0, "unpaid"],
    [100, 99, 0, "partial"],
    [100, 100, 0, "paid"],
    [100, 101, 0, "overpaid"],
    [100, 100, 40, "partially_refunded"],
    [100, 100, 100, "refunded"],
    [0, 0, 0, "paid"],
  ];
  for (const [total, received, refunded, status] of cases) {
    it(`of ${total} with ${received} received and ${refunded} given back is ${status}`, () => {
      assert.equal(toPaymentStatus({ total, received, refunded }), status);
    });
  }
});
