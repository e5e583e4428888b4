/** Credit notes say what the invoice said that they correct, also where the order says something else by now. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orders } from "../../../src/shop/orders/records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import type { InvoiceRecord } from "../../../src/shop/invoices/schema.ts";
import { type TestShop, read } from "../app-fixture.ts";
import { sendNotice, toNotice } from "../goods.ts";
import { type Placed, edit, load, openShop, papers, pay, place, placeOrder } from "./edit-room.ts";
import { assertPapers } from "./paper-checks.ts";

const VAT_ID = "DE136695976";
const berlin = { name: "Ben", line1: "Weg 1", city: "Berlin", postalCode: "10115", country: "DE" };
const vienna = { name: "Ann", line1: "Gasse 1", city: "Wien", postalCode: "1010", country: "AT" };

async function change(app: TestShop, placed: Placed, body: object): Promise<OrderRecord> {
  const path = `/api/admin/orders/${placed.order.id}/edit-preview`;
  const { total } = await read<{ total: number }>(await app.admin("POST", path, body));
  await read(await edit(app, placed, { ...body, expectedTotal: total, mail: false }));
  return load(app, placed);
}

async function notes(app: TestShop, placed: Placed): Promise<InvoiceRecord[]> {
  const all = await papers(app, placed);
  assertPapers(await load(app, placed), all);
  return all.filter(({ kind }) => kind === "credit_note");
}

function refund(app: TestShop, { order }: Placed, body: object): Promise<Response> {
  app.clock.advance(1_000);
  return app.admin("POST", `/api/admin/orders/${order.id}/refund`, body);
}

describe("the credit note of a replaced invoice", () => {
  it("names the former shipping costs, in a shop without tax", async () => {
    const app = await openShop({ enabled: false });
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 2 }]);
    await pay(app, placed);
    const order = await change(app, placed, { shipping: { fee: 250 } });
    assert.deepEqual([order.shipping, order.tax], [250, undefined]);
    const [note] = await notes(app, placed);
    assert.deepEqual(
      [note?.isSpread, note?.lines.map(({ lineId, total }) => [lineId === "shipping", total])],
      [
        undefined,
        [
          [false, 2_400],
          [true, 590],
        ],
      ],
    );
  });

  it("has the former VAT ID", async () => {
    const app = await openShop({ vatIds: "checked" });
    const placed = await placeOrder(app, [{ price: 1_190, quantity: 1, isSent: false }], {
      shippingAddress: undefined,
      billingAddress: { ...berlin, company: "Weg GmbH" },
    });
    await pay(app, placed);
    await change(app, placed, { vatId: VAT_ID });
    await change(app, placed, { vatId: "" });
    const all = await papers(app, placed);
    assert.deepEqual(
      all.map(({ kind, vatId }) => [kind, vatId]),
      [
        ["invoice", undefined],
        ["credit_note", undefined],
        ["invoice", VAT_ID],
        ["credit_note", VAT_ID],
        ["invoice", undefined],
      ],
    );
  });

  it("names each line in the row of its country, where two countries have one rate", async () => {
    const app = await openShop({ destination: "buyer" });
    // Austria and France both have 20 %.
    const placed = await placeOrder(
      app,
      [
        { price: 1_200, quantity: 1 },
        { price: 600, quantity: 1, isSent: false },
      ],
      { shippingAddress: place, billingAddress: vienna },
    );
    await pay(app, placed);
    const { tax } = await load(app, placed);
    assert.deepEqual(tax?.rates.map(({ country, rate, gross }) => [country, rate, gross]).toSorted(), [
      ["AT", 2_000, 600],
      ["FR", 2_000, 1_790],
    ]);
    await change(app, placed, { buyersNote: "", billingAddress: { ...vienna, line1: "Gasse 2" } });
    const [note] = await notes(app, placed);
    assert.deepEqual(
      [note?.isSpread, note?.lines.map(({ total, taxCountry }) => [total, taxCountry])],
      [
        undefined,
        [
          [1_200, "FR"],
          [600, "AT"],
          [590, "FR"],
        ],
      ],
    );
  });

  it("credits no item twice while a balance is due: refunds name the lines of the former invoice", async () => {
    const app = await openShop();
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1 }]);
    await pay(app, placed);
    const { lines } = await load(app, placed);
    const due = await change(app, placed, { lines: [{ lineId: lines[0]?.id, quantity: 3 }] });
    assert.equal(due.balanceDue, 2_400);
    await read(await refund(app, placed, { lines: [{ lineId: lines[0]?.id, amount: 700 }] }));
    await read(await refund(app, placed, { amount: 900 }));
    const all = await notes(app, placed);
    assert.deepEqual(
      all.map(({ total, isSpread }) => [total, isSpread ?? false]),
      [
        [700, false],
        [900, true],
      ],
    );
  });
});

describe("credit notes of one invoice", () => {
  it("never exceed it: money that came back after a refund is refunded without a second credit", async () => {
    const app = await openShop();
    const placed = await placeOrder(app, [{ price: 1_410, quantity: 1 }]);
    await pay(app, placed);
    const back = { id: "back", amount: 1_500 };
    app.clock.advance(1_000);
    await read(await sendNotice(app, toNotice(placed.order, { ...back, status: "refunded" })));
    assert.equal((await load(app, placed)).credited, 1_500);
    await pay(app, placed, back);
    assert.equal((await load(app, placed)).amountPaid, 2_000);
    await read(await refund(app, placed, { amount: 1_900 }));
    const all = (await papers(app, placed)).filter(({ kind }) => kind === "credit_note");
    assert.deepEqual(
      all.map(({ total }) => total),
      [1_500, 500],
    );
    assert.equal((await load(app, placed)).credited, 2_000);
  });

  it("follow to the new invoice, also of an order whose refund names no items (earlier releases)", async () => {
    const app = await openShop();
    const placed = await placeOrder(app, [{ price: 1_410, quantity: 1 }]);
    await pay(app, placed);
    await read(await refund(app, placed, { amount: 500 }));
    await app.store.transact(async (tx) => {
      const order = (await tx.get(orders, placed.order.id)) ?? assert.fail();
      await tx.put(orders, { ...order, refundParts: undefined });
    });
    await read(await edit(app, placed, { billingAddress: { ...place, line1: "Rue 9" }, mail: false }));
    const all = await papers(app, placed);
    const [first, second] = all.filter(({ kind }) => kind === "invoice");
    const credited = (invoice?: InvoiceRecord): number[] =>
      all.filter(({ corrects }) => corrects?.id === invoice?.id).map(({ total }) => total);
    assert.deepEqual([credited(first), credited(second)], [[500, 1_500], [500]]);
    assert.equal((await load(app, placed)).credited, 500);
  });
});
