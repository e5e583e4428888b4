/** Refunds of lines: each carries its own rate, several add up to the unit, and what is left is known. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { InvoiceRecord } from "../../../src/shop/invoices/schema.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import {
  invoiceSettingsSchema,
  sellerSchema,
  taxSettingsSchema,
} from "../../../src/shop/site/selling-schema.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct, sendNotice, setProvider, toNotice } from "../goods.ts";

const place = { name: "Ann", line1: "Rue 1", city: "Lyon", postalCode: "69001", country: "FR" };

interface Sold {
  readonly price: number;
  readonly quantity: number;
  readonly taxClass: string;
  readonly isSent?: boolean;
}
interface Refused {
  readonly detail: string;
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}
type Note = Pick<InvoiceRecord, "kind" | "total" | "tax" | "lines" | "isSpread" | "id">;

async function openShop(tax: object = {}, invoices: object = {}): Promise<TestShop> {
  const app = await createTestShop();
  await setProvider(app);
  await app.setSite({
    seller: sellerSchema.parse({ name: "Librairie", line1: "Rue 2", city: "Paris", country: "FR" }),
    tax: taxSettingsSchema.parse({ enabled: true, ...tax }),
    invoices: invoiceSettingsSchema.parse({ enabled: true, ...invoices }),
    shippingFee: 590,
  });
  return app;
}

async function sell(app: TestShop, sold: readonly Sold[], fields: object = {}): Promise<OrderRecord> {
  const items: object[] = [];
  for (const [index, { price, quantity, taxClass, isSent = false }] of sold.entries()) {
    const deliveryType = isSent ? "shipping" : "manual";
    const product = await addProduct(app, { title: `P${index}`, price, taxClass, deliveryType, onHand: 999 });
    items.push({ productId: product.id, quantity });
  }
  const { order } = await read<{ order: { id: string; total: number; currency: string } }>(
    await app.send("POST", "/api/checkout", {
      body: {
        items,
        contact: { email: "ann@example.org" },
        shippingAddress: place,
        consents: { digitalContent: true },
        ...fields,
      },
    }),
    201,
  );
  assert.equal((await sendNotice(app, toNotice(order))).status, 200);
  return (await app.store.read((tx) => tx.get(orders, order.id))) ?? assert.fail();
}

function refund(app: TestShop, { id }: { id: string }, body: object): Promise<Response> {
  app.clock.advance(1_000);
  return app.admin("POST", `/api/admin/orders/${id}/refund`, body);
}

async function notes(app: TestShop, { id }: { id: string }): Promise<Note[]> {
  const { items } = await read<{ items: Note[] }>(
    await app.admin("GET", `/api/admin/invoices?orderId=${id}`),
  );
  return items.toReversed();
}

const rows = ({ tax }: Note) =>
  (tax?.rates ?? [])
    .filter(({ gross }) => gross > 0)
    .map(({ rate, tax: part, gross }) => [rate, part, gross]);
const shown = ({ lines }: Note) =>
  lines.map(({ title, quantity, total, taxRate, tax }) => [title, quantity, total, taxRate, tax]);

const book = { price: 1_055, quantity: 1, taxClass: "reduced" };
const mug = { price: 1_200, quantity: 1, taxClass: "standard" };

describe("the refund of a line", () => {
  it("carries that line's rate, names it, and says so", async () => {
    const app = await openShop();
    const order = await sell(app, [book, mug]);
    const [first = assert.fail()] = order.lines;
    const done = await read<{ refund: unknown }>(
      await refund(app, order, { lines: [{ lineId: first.id, quantity: 1 }], note: "torn" }),
    );
    const parts = [{ lineId: first.id, amount: 1_055, quantity: 1 }];
    assert.deepEqual(
      { ...(done.refund as object), reference: "" },
      {
        status: "recorded",
        provider: "manual",
        amount: 1_055,
        currency: "EUR",
        reference: "",
        said: "No money was moved; the refund was only recorded",
        isSpread: false,
        parts,
      },
    );
    const [, note = assert.fail()] = await notes(app, order);
    assert.deepEqual(rows(note), [[550, 55, 1_055]]);
    assert.deepEqual(shown(note), [["P0", 1, 1_055, 550, 55]]);
    const page = await app.admin("GET", `/api/admin/invoices/${note.id}/html`);
    const text = await page.text();
    assert.match(text, /P0.*5\.5 %.*10\.55 EUR/su);
    assert.match(text, /Corrects invoice/u);
    assert.doesNotMatch(text, /20 %|spread/u);
  });

  it("of some units, then of the others, adds up to the unit", async () => {
    const app = await openShop();
    const order = await sell(app, [{ ...mug, price: 333, quantity: 3 }, book]);
    const [first = assert.fail()] = order.lines;
    for (const _unit of [1, 2, 3])
      await read(await refund(app, order, { lines: [{ lineId: first.id, quantity: 1 }] }));
    const credits = (await notes(app, order)).slice(1);
    assert.equal(
      credits.reduce((sum, { total }) => sum + total, 0),
      first.total,
    );
    assert.equal(
      credits.reduce((sum, { tax }) => sum + (tax?.amount ?? 0), 0),
      first.tax,
    );
    const more = await refund(app, order, { lines: [{ lineId: first.id, quantity: 1 }] });
    const problem = await read<Refused>(more, 422);
    assert.equal(problem.errors[0]?.pointer, "/lines/0/quantity");
  });

  it("is refused beyond the line's rest, with the reason and nothing else changed", async () => {
    const app = await openShop();
    const order = await sell(app, [book, mug]);
    const [first = assert.fail(), second = assert.fail()] = order.lines;
    await read(await refund(app, order, { lines: [{ lineId: first.id, amount: 1_000 }] }));
    const cases: readonly [object, RegExp][] = [
      [{ lines: [{ lineId: first.id, amount: 56 }] }, /"P0" has 0\.55 EUR left/u],
      [{ lines: [{ lineId: "lin_other", amount: 1 }] }, /not a line of this order/u],
      [{ lines: [{ lineId: second.id }] }, /requires a quantity or an amount/u],
      [
        {
          lines: [
            { lineId: second.id, amount: 5 },
            { lineId: second.id, amount: 5 },
          ],
        },
        /must not be repeated/u,
      ],
      [{ lines: [{ lineId: second.id, amount: 500 }], amount: 400 }, /must be 500 \(the sum/u],
      [{ shipping: 1 }, /"Shipping" has 0\.00 EUR left/u],
      [{ lines: [{ lineId: "shipping", amount: 1 }] }, /not a line of this order/u],
    ];
    for (const [body, words] of cases)
      assert.match((await read<Refused>(await refund(app, order, body), 422)).detail, words);
    await read(await refund(app, order, { lines: [{ lineId: first.id, amount: 55 }] }));
    assert.equal((await notes(app, order)).length, 3);
  });

  it("of the shipping carries the rates that the shipping had", async () => {
    const app = await openShop();
    const order = await sell(app, [
      { ...book, isSent: true },
      { ...mug, isSent: true },
    ]);
    await read(await refund(app, order, { shipping: 590 }));
    const [, note = assert.fail()] = await notes(app, order);
    assert.deepEqual(
      [note.total, note.tax?.amount, note.lines.map(({ lineId }) => lineId)],
      [590, order.tax?.shipping, ["shipping", "shipping"]],
    );
  });

  it("of an amount alone is spread over all that is left, and says so", async () => {
    const app = await openShop();
    const order = await sell(app, [book, mug]);
    const done = await read<{ refund: { isSpread: boolean; parts: unknown[] } }>(
      await refund(app, order, { amount: 1_055 }),
    );
    assert.deepEqual([done.refund.isSpread, done.refund.parts], [true, []]);
    const [, note = assert.fail()] = await notes(app, order);
    assert.deepEqual([note.isSpread, note.lines.length], [true, 2]);
    assert.match(
      await (await app.admin("GET", `/api/admin/invoices/${note.id}/html`)).text(),
      /distributed across all items in proportion to their value/u,
    );
  });

  it("works without invoices, and of one paid too much that goes back first", async () => {
    const app = await openShop({ enabled: false }, { enabled: false });
    const order = await sell(app, [book, mug]);
    const [first = assert.fail()] = order.lines;
    await read(await refund(app, order, { lines: [{ lineId: first.id, quantity: 1 }] }));
    const after = await app.store.read((tx) => tx.get(orders, order.id));
    assert.deepEqual(after?.refundParts, [{ lineId: first.id, amount: 1_055, quantity: 1 }]);
    await read(await refund(app, order, { amount: 1_200 }));
    assert.equal((await refund(app, order, { amount: 1 })).status, 422);
  });

  it("before the invoice is credited when the invoice is written", async () => {
    const app = await openShop({}, { issueOn: "delivery" });
    const order = await sell(app, [book, mug]);
    const [first = assert.fail()] = order.lines;
    await read(await refund(app, order, { lines: [{ lineId: first.id, quantity: 1 }] }));
    assert.equal((await notes(app, order)).length, 0);
    await read(await app.admin("POST", `/api/admin/orders/${order.id}/deliver`, {}));
    const credit = (await notes(app, order)).filter(({ kind }) => kind === "credit_note");
    assert.deepEqual(credit.map(rows), [[[550, 55, 1_055]]]);
  });
});

describe("the refunds of an order", () => {
  const item = fc.record({
    price: fc.oneof(fc.constantFrom(1, 3, 99, 333, 1_055), fc.integer({ min: 1, max: 99_999 })),
    quantity: fc.integer({ min: 1, max: 4 }),
    taxClass: fc.constantFrom("standard", "reduced", "super_reduced", "zero"),
    isSent: fc.boolean(),
  });
  const step = fc.record({
    line: fc.nat(5),
    part: fc.double({ min: 0.01, max: 1, noNaN: true }),
    kind: fc.constantFrom("units", "amount", "shipping", "spread"),
  });

  /** What the law wants, worked out without the program: the rates of a document add up to its total. */
  function addUp(all: readonly Note[]): Map<number, [gross: number, tax: number]> {
    const sums = new Map<number, [number, number]>();
    for (const { kind, tax } of all)
      for (const { rate, gross, tax: part } of tax?.rates ?? []) {
        const sign = kind === "invoice" ? 1 : -1;
        const [before, taxBefore] = sums.get(rate) ?? [0, 0];
        sums.set(rate, [before + sign * gross, taxBefore + sign * part]);
      }
    return sums;
  }

  it("take every unit of every rate once, in whatever order and parts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { minLength: 1, maxLength: 4 }),
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (sold, steps, pricesIncludeTax) => {
          const app = await openShop({ pricesIncludeTax });
          const order = await sell(app, sold);
          for (const { line, part, kind } of steps) {
            const { lines, amountPaid, shipping } =
              (await app.store.read((tx) => tx.get(orders, order.id))) ?? assert.fail();
            const one = lines[line % lines.length] ?? assert.fail();
            const whole = one.total + (pricesIncludeTax ? 0 : (one.tax ?? 0));
            const upTo = (most: number): number => Math.max(1, Math.floor(most * part));
            const body = {
              units: { lines: [{ lineId: one.id, quantity: upTo(one.quantity) }] },
              amount: { lines: [{ lineId: one.id, amount: upTo(whole) }] },
              shipping: { shipping: upTo(shipping) },
              spread: { amount: upTo(amountPaid) },
            }[kind];
            const answer = await refund(app, order, body);
            assert.ok([200, 422].includes(answer.status), await answer.text());
          }
          const rest = (await app.store.read((tx) => tx.get(orders, order.id)))?.amountPaid ?? 0;
          if (rest > 0) await read(await refund(app, order, { amount: rest }));
          const all = await notes(app, order);
          for (const [rate, sums] of addUp(all)) assert.deepEqual(sums, [0, 0], String(rate));
          for (const { kind, lines, total, tax } of all) {
            const byRate = (tax?.rates ?? []).reduce((sum, { gross }) => sum + gross, 0);
            assert.equal(byRate, total);
            for (const { net, tax: part, gross } of tax?.rates ?? [])
              assert.ok(net >= 0 && part >= 0 && net + part === gross);
            if (kind === "invoice") continue;
            assert.equal(
              lines.reduce((sum, one) => sum + one.total, 0),
              total,
            );
            assert.equal(
              lines.reduce((sum, one) => sum + (one.tax ?? 0), 0),
              tax?.amount,
            );
            for (const { total: gross, tax: part = 0, taxRate = 0 } of lines) {
              assert.ok(part >= 0 && part <= gross);
              // Never another rate's tax: within a unit of the line's own.
              const own = (gross * taxRate) / (10_000 + taxRate);
              assert.ok(Math.abs(part - own) <= 2, `${part} of ${gross} at ${taxRate}`);
            }
          }
          // A line that went back in parts of its own was taxed as it was sold.
          for (const { id, tax = 0, total } of order.lines) {
            const credits = all.filter(({ kind }) => kind === "credit_note");
            const own = credits.flatMap(({ lines }) => lines.filter(({ lineId }) => lineId === id));
            const gross = own.reduce((sum, one) => sum + one.total, 0);
            assert.equal(gross, total + (pricesIncludeTax ? 0 : tax));
            assert.equal(
              own.reduce((sum, one) => sum + (one.tax ?? 0), 0),
              tax,
            );
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});
