import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type LedgerFault, checkLedger } from "../../../src/shop/payments/ledger-check.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { notices } from "../../../src/shop/payments/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { addProduct, order, noOrderLimits } from "../goods.ts";
import { type PlainShop, actor, createPlainShop } from "../plain-shop.ts";

let app: PlainShop;
let paid: OrderRecord;

async function placeAndPay(amount?: number): Promise<OrderRecord> {
  const { id } = await addProduct(app);
  const placed = (await order(app, [{ productId: id }])).order;
  const move = { id: placed.id, actor, note: "", ...(amount === undefined ? {} : { amount }) };
  return app.shop.orderAdmin.markPaid(move);
}

beforeEach(async () => {
  app = await createPlainShop({
    maxPending: { user: 1_000_000, address: 1_000_000, email: 1_000_000 },
    orderLimits: noOrderLimits,
  });
  paid = await placeAndPay();
});

/** Writes something into the store that no logic would. */
function tamper(fields: Partial<OrderRecord>): Promise<OrderRecord> {
  return app.store.transact(async (tx) => {
    const before = (await tx.get(orders, paid.id)) ?? assert.fail("the order is gone");
    return tx.put(orders, { ...before, ...fields });
  });
}

async function faults(): Promise<Omit<LedgerFault, "orderId" | "name">[]> {
  const report = await checkLedger(app.store);
  assert.ok(report.faults.every(({ orderId, name }) => orderId === paid.id && name === paid.number));
  return report.faults.map(({ field, recorded, expected }) => ({ field, recorded, expected }));
}

describe("checkBooks", () => {
  it("adds up the ledger and what orders say, by currency", async () => {
    await placeAndPay(300);
    await app.shop.orderAdmin.refund({ id: paid.id, actor, note: "", amount: 250 });
    const { id } = await addProduct(app);
    await order(app, [{ productId: id }]);
    const report = await checkLedger(app.store);
    assert.deepEqual([report.orders, report.applied, report.faults], [3, 3, []]);
    assert.deepEqual([...report.sums], [["EUR", { received: 1_300, refunded: 250, amountPaid: 1_050 }]]);
  });

  it("finds an order whose sums are not those of the ledger", async () => {
    await tamper({ amountPaid: 999 });
    assert.deepEqual(await faults(), [{ field: "amountPaid", recorded: 999, expected: 1_000 }]);
    await tamper({ amountPaid: 1_000, amountRefunded: 1 });
    assert.deepEqual(await faults(), [{ field: "amountRefunded", recorded: 1, expected: 0 }]);
    await tamper({ amountRefunded: 0, paymentStatus: "overpaid" });
    assert.deepEqual(await faults(), [{ field: "paymentStatus", recorded: "overpaid", expected: "paid" }]);
    await tamper({ paymentStatus: "paid" });
    assert.deepEqual(await faults(), []);
  });

  it("finds an order that is paid by its state alone", async () => {
    await tamper({ total: 2_000, paymentStatus: "partial" });
    assert.deepEqual(await faults(), [{ field: "status", recorded: "paid", expected: "not paid" }]);
  });

  it("finds an applied entry in another currency", async () => {
    await app.store.transact(async (tx) => {
      const { items } = await tx.list(notices, "byOrder", { prefix: [paid.id], limit: 1 });
      const entry = items[0] ?? assert.fail("the ledger is empty");
      await tx.put(notices, { ...entry, currency: "USD" });
    });
    assert.deepEqual(await faults(), [{ field: "currency", recorded: "USD", expected: "EUR" }]);
  });

  it("finds applied entries of no order", async () => {
    const [first, second] = await app.store.transact(async (tx) => {
      const { items } = await tx.list(notices, "byOrder", { prefix: [paid.id], limit: 1 });
      const {
        version: _version,
        orderId: _order,
        refKey: _ref,
        eventKey: _event,
        ...entry
      } = items[0] ?? assert.fail("the ledger is empty");
      await tx.insert(notices, { ...entry, id: "pay_1" });
      await tx.insert(notices, { ...entry, id: "pay_2", orderId: "ord_gone" });
      // One that waits for a person belongs to no order yet.
      await tx.insert(notices, { ...entry, id: "pay_3", state: "unmatched" });
      return ["pay_1", "pay_2"];
    });
    const { faults: found } = await checkLedger(app.store);
    assert.deepEqual(found, [
      { name: first, field: "orderId", recorded: "", expected: "an order" },
      { name: second, field: "orderId", recorded: "ord_gone", expected: "an order" },
    ]);
  });

  it("goes through all pages", async () => {
    await app.store.transact(async (tx) => {
      const before = (await tx.get(orders, paid.id)) ?? assert.fail("the order is gone");
      const { version: _version, ...copy } = before;
      for (let n = 0; n < 250; n += 1)
        await tx.insert(orders, { ...copy, id: `ord_${String(n).padStart(3, "0")}`, number: `N-${n}` });
    });
    const report = await checkLedger(app.store);
    assert.equal(report.orders, 251);
    // The copies say that they are paid, and have no ledger.
    assert.equal(new Set(report.faults.map(({ orderId }) => orderId)).size, 250);
  });
});
