/** Edits of the items of an order: amounts, units, what becomes due, and the documents that follow. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { stock } from "../../../src/shop/products/records.ts";
import { checkLedger } from "../../../src/shop/payments/ledger-check.ts";
import { withdrawals } from "../../../src/shop/withdrawals/records.ts";
import { checkStock } from "../../../src/shop/operation/records-check.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { type TestShop, code, read } from "../app-fixture.ts";
import { addProduct, sendNotice, toNotice } from "../goods.ts";
import { type Placed, edit, load, openShop, papers, pay, placeOrder, sumPapers } from "./edit-room.ts";

interface Preview {
  readonly total: number;
  readonly difference: number;
  readonly amountDue: number;
  readonly overpaid: number;
  readonly isCouponLost: boolean;
  readonly lines: { title: string; quantity: number; total: number; isNew: boolean }[];
}

let app: TestShop;
beforeEach(async () => {
  app = await openShop();
});

function preview(placed: Placed, body: object): Promise<Response> {
  return app.admin("POST", `/api/admin/orders/${placed.order.id}/edit-preview`, body);
}

/** Previews an edit, and does it. */
async function change(placed: Placed, body: object): Promise<OrderRecord> {
  const { total: expectedTotal } = await read<Preview>(await preview(placed, body));
  await read(await edit(app, placed, { ...body, expectedTotal }));
  return load(app, placed);
}

async function lineOf(placed: Placed, title: string): Promise<string> {
  return (await load(app, placed)).lines.find((line) => line.title === title)?.id ?? assert.fail(title);
}

const unitsOf = (id: string): Promise<unknown> =>
  app.store.read(async (tx) => {
    const { onHand, reserved, sold } = (await tx.get(stock, id)) ?? assert.fail();
    return [onHand, reserved, sold];
  });

async function assertBooks(): Promise<void> {
  assert.deepEqual((await checkLedger(app.store)).faults, []);
  assert.deepEqual(await checkStock(app.store), []);
}

const addCup = (): Promise<{ id: string }> =>
  addProduct(app, { title: "Cup", price: 1_500, deliveryType: "shipping", onHand: 5, taxClass: "reduced" });

describe("an edit of an order that waits for payment", () => {
  it("shows the amounts first, and stores them only with the total that was shown", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 2 }]);
    const body = { lines: [{ lineId: await lineOf(placed, "P0"), quantity: 3 }] };
    const shown = await read<Preview>(await preview(placed, body));
    assert.deepEqual([shown.total, shown.difference, shown.amountDue], [4_190, 1_200, 4_190]);
    assert.equal((await load(app, placed)).total, 2_990);
    assert.deepEqual(await code(await edit(app, placed, body)), [409, "price_changed"]);
    assert.equal((await change(placed, body)).total, 4_190);
  });

  it("reserves the difference, gives more time, and leads to a payment of the new amount", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 2, onHand: 5 }]);
    const cup = await addCup();
    const before = await load(app, placed);
    const { stockId = "" } = before.lines[0] ?? {};
    const lines = [{ lineId: await lineOf(placed, "P0"), quantity: 1 }];
    const after = await change(placed, { lines, items: [{ productId: cup.id, quantity: 2 }] });
    assert.deepEqual(
      [await unitsOf(stockId), await unitsOf(cup.id)],
      [
        [5, 1, 0],
        [5, 2, 0],
      ],
    );
    assert.ok(after.expiresAt > before.expiresAt && after.pendingUntil === after.expiresAt);
    assert.equal(after.total, 1_200 + 3_000 + 590);
    const { payment } = await read<{ payment: { amount: number; url: string } }>(
      await app.send("GET", `/api/orders/${after.id}`, { headers: { "x-order-token": placed.accessToken } }),
    );
    assert.equal(payment.amount, after.total);
    assert.match(payment.url, new RegExp(`amount=${after.total / 100}`, "u"));
    await pay(app, { ...placed, order: { ...placed.order, total: after.total } });
    assert.equal((await load(app, placed)).status, "paid");
    assert.deepEqual(await unitsOf(cup.id), [3, 0, 2]);
    await assertBooks();
  });

  it("books a payment of the former amount as too little or too much, and is paid by an edit down to it", async () => {
    const more = await placeOrder(app, [{ price: 1_200, quantity: 2 }]);
    await change(more, { lines: [{ lineId: await lineOf(more, "P0"), quantity: 3 }] });
    await pay(app, more);
    const short = await load(app, more);
    assert.deepEqual(
      [short.status, short.amountPaid, short.attention],
      ["pending_payment", 2_990, ["underpaid"]],
    );
    const paid = await change(more, { lines: [{ lineId: await lineOf(more, "P0"), quantity: 2 }] });
    assert.deepEqual([paid.status, paid.paymentStatus, paid.attention], ["paid", "paid", []]);
    const less = await placeOrder(app, [{ price: 1_200, quantity: 2 }]);
    await change(less, { lines: [{ lineId: await lineOf(less, "P0"), quantity: 1 }] });
    await pay(app, less);
    assert.deepEqual((await load(app, less)).attention, ["overpaid"]);
    await assertBooks();
  });

  it("computes the coupon again, and says when it no longer applies", async () => {
    const coupon = { code: "TEN", kind: "percent", value: 1_000, minimum: 2_000, maxUses: 1 };
    await read(await app.admin("POST", "/api/admin/coupons", coupon), 201);
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 2 }], { couponCode: "TEN" });
    const lineId = await lineOf(placed, "P0");
    const more = await change(placed, { lines: [{ lineId, quantity: 3 }] });
    assert.deepEqual([more.discount, more.total], [360, 3_600 - 360 + 590]);
    const body = { lines: [{ lineId, quantity: 1 }] };
    assert.equal((await read<Preview>(await preview(placed, body))).isCouponLost, true);
    const less = await change(placed, body);
    assert.deepEqual([less.discount, less.couponCode], [0, undefined]);
    await placeOrder(app, [{ price: 1_200, quantity: 2 }], { couponCode: "TEN" });
  });
});

describe("an edit of a paid order", () => {
  it("makes a balance due, which is paid before the delivery and before the new invoice", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 2 }]);
    await pay(app, placed);
    const cup = await addCup();
    const due = await change(placed, { items: [{ productId: cup.id, quantity: 1 }] });
    assert.deepEqual(
      [due.status, due.paymentStatus, due.balanceDue, due.attention],
      ["paid", "partial", 1_500, ["balance_due"]],
    );
    assert.deepEqual(await unitsOf(cup.id), [4, 0, 1]);
    assert.equal((await papers(app, placed)).length, 1);
    const deliver = (): Promise<Response> => app.admin("POST", `/api/admin/orders/${due.id}/deliver`, {});
    const refused = await deliver();
    assert.equal(refused.status, 409);
    assert.match(((await refused.json()) as { detail: string }).detail, /balance due of 15\.00 EUR/u);
    await assertBooks();
    await pay(app, placed, { id: "ref-rest", amount: 500 });
    assert.equal((await load(app, placed)).balanceDue, 1_000);
    await pay(app, placed, { id: "ref-rest-2", amount: 1_000 });
    const paid = await load(app, placed);
    assert.deepEqual([paid.balanceDue, paid.paymentStatus, paid.attention], [undefined, "paid", []]);
    const all = await papers(app, placed);
    assert.deepEqual(
      all.map(({ id }) => id),
      [`inv_${due.id}`, `crn_${due.id}_1`, `inv_${due.id}_2`],
    );
    assert.equal(sumPapers(all)["total"], paid.total);
    for (const { kind, country, rate, gross, tax } of paid.tax?.rates ?? []) {
      assert.equal(sumPapers(all)[`${kind} ${country} ${rate} gross`], gross);
      assert.equal(sumPapers(all)[`${kind} ${country} ${rate} tax`], tax);
    }
    await read(await deliver());
    await assertBooks();
  });

  it("is overpaid when it becomes cheaper: units go back, and the invoice follows at once", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 2, onHand: 5 }]);
    await pay(app, placed);
    const { stockId = "" } = (await load(app, placed)).lines[0] ?? {};
    assert.deepEqual(await unitsOf(stockId), [3, 0, 2]);
    const after = await change(placed, { lines: [{ lineId: await lineOf(placed, "P0"), quantity: 1 }] });
    assert.deepEqual([after.total, after.paymentStatus, after.attention], [1_790, "overpaid", ["overpaid"]]);
    assert.deepEqual(await unitsOf(stockId), [4, 0, 1]);
    const sums = sumPapers(await papers(app, placed));
    assert.deepEqual([sums["total"], sums["taxed FR 2000 tax"]], [1_790, after.tax?.amount]);
    await read(await app.admin("POST", `/api/admin/orders/${after.id}/refund`, { amount: 1_200 }));
    assert.equal(sumPapers(await papers(app, placed))["total"], 1_790);
    await assertBooks();
  });

  it("delivers new keys once they are paid, and leaves delivered lines as they are", async () => {
    const key = await addProduct(app, { title: "Key", price: 1_000, keys: ["AAAA", "BBBB"] });
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1 }]);
    await pay(app, placed);
    await change(placed, { items: [{ productId: key.id, quantity: 1 }] });
    assert.equal((await load(app, placed)).lines.at(-1)?.deliveredAt, undefined);
    await read(
      await app.admin("POST", `/api/admin/orders/${placed.order.id}/mark-paid`, { reference: "bank" }),
    );
    const after = await load(app, placed);
    assert.deepEqual([after.status, after.lines.at(-1)?.secretIds.length], ["fulfilling", 1]);
    const lines = [{ lineId: await lineOf(placed, "Key"), quantity: 0 }];
    assert.deepEqual(await code(await preview(placed, { lines })), [422, "invalid"]);
    await change(placed, { lines: [{ lineId: await lineOf(placed, "P0"), quantity: 0 }] });
    assert.equal((await load(app, placed)).status, "delivered");
    await assertBooks();
  });

  it("takes another price with its reason, and another fee", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 2 }]);
    await pay(app, placed);
    const lineId = await lineOf(placed, "P0");
    assert.deepEqual(await code(await preview(placed, { lines: [{ lineId, unitPrice: 1_000 }] })), [
      422,
      "invalid",
    ]);
    const after = await change(placed, {
      lines: [{ lineId, unitPrice: 1_000, reason: "scratched" }],
      shipping: { fee: 0 },
    });
    assert.deepEqual([after.subtotal, after.shipping, after.total], [2_000, 0, 2_000]);
    const entry = after.history.find(({ event }) => event === "edited");
    assert.equal(entry?.note, "scratched");
    assert.deepEqual(
      entry?.changes?.map(({ field, from, to }) => `${field}: ${from} → ${to}`),
      [
        "items: 2 × P0 (12.00 EUR) → 2 × P0 (10.00 EUR)",
        "shipping: 5.90 EUR → 0.00 EUR",
        "total: 29.90 EUR → 20.00 EUR",
      ],
    );
  });

  it("adds products with their right of withdrawal: none where the seller says so", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1 }]);
    const cup = await addCup();
    const made = { title: "Engraved cup", price: 900, deliveryType: "shipping", onHand: 5 } as const;
    const own = await addProduct(app, { ...made, excludedFromWithdrawal: true });
    const items = [cup, own].map(({ id: productId }) => ({ productId, quantity: 1 }));
    const { lines } = await change(placed, { items });
    assert.deepEqual(
      lines.map(({ withdrawal }) => withdrawal),
      ["open", "open", "excluded"],
    );
  });

  it("gives the discount of a coupon once: delivered lines keep their share of it", async () => {
    await read(
      await app.admin("POST", "/api/admin/coupons", { code: "SIX", kind: "fixed", value: 600 }),
      201,
    );
    const goods = [1_200, 1_200].map((price) => ({ price, quantity: 1, isSent: false }));
    const placed = await placeOrder(app, goods, { couponCode: "SIX", shippingAddress: undefined });
    await pay(app, placed);
    const delivered = { lines: [{ lineId: await lineOf(placed, "P0") }] };
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/deliver`, delivered));
    const after = await change(placed, { lines: [{ lineId: await lineOf(placed, "P1"), quantity: 3 }] });
    assert.deepEqual(
      [after.discount, after.lines.map(({ discount }) => discount), after.total],
      [600, [300, 300], 4_800 - 600],
    );
  });

  it("says why it does not: refunds, disputes, withdrawals, too few units, nothing left, free, delivered", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 2, onHand: 3 }]);
    const lineId = await lineOf(placed, "P0");
    const more = (quantity: number): object => ({ lines: [{ lineId, quantity }] });
    const refused = async (body: object): Promise<[number, string]> => code(await preview(placed, body));
    assert.deepEqual(await refused(more(4)), [409, "out_of_stock"]);
    assert.deepEqual(await refused(more(0)), [409, "conflict"]);
    assert.deepEqual(await refused({ lines: [{ lineId: "lin_none", quantity: 1 }] }), [422, "invalid"]);
    await pay(app, placed);
    const free = { lines: [{ lineId, unitPrice: 0, reason: "gift" }], shipping: { fee: 0 } };
    assert.deepEqual(await refused(free), [409, "conflict"]);
    // More than was paid: the order is flagged, and nothing is booked yet.
    await sendNotice(app, toNotice(placed.order, { id: "back", status: "chargeback", amount: 99_999 }));
    const disputed = await preview(placed, more(1));
    assert.equal(disputed.status, 409);
    assert.match(((await disputed.json()) as { detail: string }).detail, /open dispute/u);
    const withdrawal = await app.store.transact((tx) =>
      tx.insert(withdrawals, {
        id: "wdr_1",
        name: "Ann",
        email: "ann@example.org",
        orderNumber: placed.order.number,
        what: "",
        lines: [],
        language: "en",
        orderId: placed.order.id,
        state: "received",
        marks: [],
        receivedAt: 1,
        refundBy: 2,
        history: [],
      }),
    );
    const solved = { flags: ["chargeback"] };
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/resolve`, solved));
    const withdrawn = await preview(placed, more(1));
    assert.match(((await withdrawn.json()) as { detail: string }).detail, /withdrew from this order/u);
    await app.store.transact((tx) => tx.put(withdrawals, { ...withdrawal, state: "declined" }));
    await read(await preview(placed, more(1)));
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/refund`, { amount: 100 }));
    const answer = await preview(placed, more(1));
    assert.equal(answer.status, 409);
    assert.match(((await answer.json()) as { detail: string }).detail, /has a refund/u);
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/deliver`, {}));
    assert.deepEqual(await refused(more(1)), [409, "illegal_transition"]);
  });

  it("credits what is refunded while a balance is due, and forgets the balance of an order that is refunded", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 2 }]);
    await pay(app, placed);
    const cup = await addCup();
    await change(placed, { items: [{ productId: cup.id, quantity: 1 }] });
    app.clock.advance(1_000);
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/refund`, { amount: 700 }));
    assert.equal(sumPapers(await papers(app, placed))["total"], 2_990 - 700);
    await pay(app, placed, { id: "ref-rest", amount: 1_500 });
    app.clock.advance(1_000);
    const after = await load(app, placed);
    assert.deepEqual([after.balanceDue, after.amountPaid], [undefined, 2_990 + 1_500 - 700]);
    assert.equal(sumPapers(await papers(app, placed))["total"], after.amountPaid);
    await read(
      await app.admin("POST", `/api/admin/orders/${placed.order.id}/refund`, { amount: after.amountPaid }),
    );
    const sums = sumPapers(await papers(app, placed));
    assert.ok(
      Object.values(sums).every((sum) => sum === 0),
      JSON.stringify(sums),
    );
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/cancel`, {}));
    await assertBooks();
  });
});

describe("edits and payments at the same time", () => {
  it("lose no money and no unit, in whatever order they are stored", async () => {
    for (const quantity of [1, 3]) {
      const placed = await placeOrder(app, [{ price: 1_200, quantity: 2 }]);
      const body = { lines: [{ lineId: await lineOf(placed, "P0"), quantity }] };
      const { total } = await read<Preview>(await preview(placed, body));
      const answers = await Promise.all([
        edit(app, placed, { ...body, expectedTotal: total }),
        pay(app, placed),
        edit(app, placed, { ...body, expectedTotal: total }),
        pay(app, placed),
      ]);
      const statuses = [answers[0].status, answers[2].status];
      assert.ok(
        statuses.every((status) => status === 200 || status === 409),
        statuses.join(),
      );
      const { amountPaid } = await load(app, placed);
      assert.equal(amountPaid, 2_990);
      await assertBooks();
    }
  });

  it("credits what was refunded of a part of the balance once the balance is paid", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1 }]);
    await pay(app, placed);
    const cup = await addCup();
    const { balanceDue = 0 } = await change(placed, { items: [{ productId: cup.id, quantity: 1 }] });
    await pay(app, placed, { id: "part", amount: 500 });
    app.clock.advance(1_000);
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/refund`, { amount: 100 }));
    await pay(app, placed, { id: "rest", amount: balanceDue - 500 });
    const { amountPaid, total } = await load(app, placed);
    assert.equal(amountPaid, total - 100);
    assert.equal(sumPapers(await papers(app, placed))["total"], amountPaid);
    await assertBooks();
  });

  it("credits no more of an item than its invoice has while a balance is due", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1 }]);
    await pay(app, placed);
    const lineId = await lineOf(placed, "P0");
    await change(placed, { lines: [{ lineId, unitPrice: 1_500, reason: "larger" }] });
    app.clock.advance(1_000);
    const lines = [{ lineId, amount: 1_250 }];
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/refund`, { lines }));
    const [, note] = await papers(app, placed);
    assert.deepEqual([note?.total, note?.lines, note?.isSpread], [1_250, [], true]);
  });
});
