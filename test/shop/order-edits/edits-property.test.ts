/** Random orders with edits, payments, and refunds: invoices minus credit notes are always what the shop keeps, by rate. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkStock } from "../../../src/shop/operation/records-check.ts";
import { checkLedger } from "../../../src/shop/payments/ledger-check.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { type TestShop, read } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";
import { type Placed, edit, load, openShop, papers, pay, placeOrder, sumPapers } from "./edit-room.ts";

const classes = ["standard", "reduced", "zero"] as const;
const sold = fc.record({
  price: fc.integer({ min: 1, max: 5_000 }),
  quantity: fc.integer({ min: 1, max: 4 }),
  taxClass: fc.constantFrom(...classes),
  isSent: fc.boolean(),
});
const step = fc.oneof(
  fc.record({
    kind: fc.constant("quantity" as const),
    line: fc.nat(3),
    quantity: fc.integer({ min: 0, max: 5 }),
  }),
  fc.record({
    kind: fc.constant("price" as const),
    line: fc.nat(3),
    unitPrice: fc.integer({ min: 0, max: 6_000 }),
  }),
  fc.record({ kind: fc.constant("add" as const), item: sold }),
  fc.record({ kind: fc.constant("fee" as const), fee: fc.integer({ min: 0, max: 1_000 }) }),
  fc.record({ kind: fc.constant("address" as const), number: fc.nat(99) }),
  fc.record({ kind: fc.constant("pay" as const), part: fc.double({ min: 0.1, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant("refund" as const), part: fc.double({ min: 0.01, max: 1, noNaN: true }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function toBody(app: TestShop, order: OrderRecord, wanted: Step): Promise<object | undefined> {
  const line = "line" in wanted ? order.lines[wanted.line % order.lines.length] : undefined;
  switch (wanted.kind) {
    case "quantity":
      return { lines: [{ lineId: line?.id, quantity: wanted.quantity }] };
    case "price":
      return { lines: [{ lineId: line?.id, unitPrice: wanted.unitPrice, reason: "agreed" }] };
    case "add": {
      const { price, quantity, taxClass, isSent } = wanted.item;
      const deliveryType = isSent ? "shipping" : "manual";
      const { id: productId } = await addProduct(app, {
        title: "New",
        price,
        taxClass,
        deliveryType,
        onHand: 99,
      });
      return { items: [{ productId, quantity }] };
    }
    case "fee":
      return { shipping: { fee: wanted.fee } };
    case "address":
      return { billingAddress: { ...order.shippingAddress, line1: `Rue ${wanted.number}` } };
    case "pay":
    case "refund":
      return undefined;
  }
}

/** Does a step; edits that the rules refuse change nothing. */
async function take(app: TestShop, placed: Placed, wanted: Step, number: number): Promise<void> {
  const order = await load(app, placed);
  app.clock.advance(1_000);
  const path = `/api/admin/orders/${order.id}`;
  if (wanted.kind === "pay") {
    const due = order.balanceDue ?? (order.status === "pending_payment" ? order.total - order.amountPaid : 0);
    const amount = Math.max(1, Math.round(due * wanted.part));
    if (due > 0) await pay(app, placed, { id: `ref-${number}`, amount });
    return;
  }
  if (wanted.kind === "refund") {
    const amount = Math.round(order.amountPaid * wanted.part);
    if (order.paidAt !== undefined && amount > 0)
      await read(await app.admin("POST", `${path}/refund`, { amount }));
    return;
  }
  const body = (await toBody(app, order, wanted)) ?? {};
  const shown = await app.admin("POST", `${path}/edit-preview`, body);
  assert.ok([200, 409, 422].includes(shown.status), await shown.clone().text());
  if (shown.status !== 200) return;
  const { total: expectedTotal } = await read<{ total: number }>(shown);
  const answer = await edit(app, placed, { ...body, expectedTotal });
  assert.ok([200, 409].includes(answer.status), await answer.clone().text());
}

async function assertPapers(app: TestShop, placed: Placed): Promise<void> {
  const order = await load(app, placed);
  const all = await papers(app, placed);
  const sums = sumPapers(all);
  const newest = all.findLast(({ kind }) => kind === "invoice");
  const hasPaid = order.paidAt !== undefined && order.amountPaid + order.amountRefunded > 0;
  assert.equal(newest !== undefined, hasPaid);
  // An overpayment is no part of the invoice; a balance follows once it is paid.
  const kept = newest === undefined ? 0 : Math.min(newest.total, order.amountPaid);
  const invoiced = sums["total"] ?? 0;
  // Payments of a part of a balance have no document yet.
  if (order.balanceDue === undefined) assert.equal(invoiced, kept);
  else assert.ok(invoiced <= kept && invoiced >= (newest?.total ?? 0) - order.amountRefunded);
  assert.ok(
    Object.values(sums).every((sum) => sum >= 0),
    JSON.stringify(sums),
  );
  if (order.amountRefunded > 0 || order.balanceDue !== undefined || newest === undefined) return;
  for (const { kind, country, rate, gross, tax } of order.tax?.rates ?? []) {
    assert.equal(sums[`${kind} ${country} ${rate} gross`] ?? 0, gross);
    assert.equal(sums[`${kind} ${country} ${rate} tax`] ?? 0, tax);
  }
}

describe("edits of orders", () => {
  it("keep invoices − credit notes = money kept, by rate, with the ledger and the stock balanced", async () => {
    const world = fc.tuple(
      fc.array(sold, { minLength: 1, maxLength: 3 }),
      fc.array(step, { minLength: 1, maxLength: 7 }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(world, async ([items, steps, pricesIncludeTax]) => {
        const app = await openShop({ pricesIncludeTax });
        const placed = await placeOrder(app, items);
        if (steps.length % 2 === 0) await pay(app, placed);
        for (const [number, wanted] of steps.entries()) {
          await take(app, placed, wanted, number);
          await assertPapers(app, placed);
        }
        assert.deepEqual((await checkLedger(app.store)).faults, []);
        assert.deepEqual(await checkStock(app.store), []);
      }),
      { numRuns: 40 },
    );
  });
});
