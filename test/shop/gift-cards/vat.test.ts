/** Worked examples of VAT on multi-purpose vouchers (Directive (EU) 2016/1065): those of docs/gift-cards.md. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { toInvoiceDocument } from "../../../src/shop/invoices/document.ts";
import { listProblems } from "../../../src/shop/invoices/e-invoice/problems.ts";
import { toEInvoice } from "../../../src/shop/invoices/e-invoice/to-e-invoice.ts";
import { listDocuments } from "../../../src/shop/invoices/issue.ts";
import type { InvoiceRecord } from "../../../src/shop/invoices/schema.ts";
import { siteSettingsSchema } from "../../../src/shop/site/schema.ts";
import { addProduct } from "../goods.ts";
import type { PlainShop } from "../plain-shop.ts";
import {
  addCardProduct,
  assertBooks,
  buy,
  createCardShop,
  pay,
  readCard,
  readSold,
  refund,
} from "./card-shop.ts";

const defaults = siteSettingsSchema.parse({});
let app: PlainShop;
let code: string;
let cardId: string;
let shirt: string;
let cardProduct: string;

async function documentsOf(orderId: string): Promise<readonly InvoiceRecord[]> {
  const all = await app.store.transact((tx) => listDocuments(tx, orderId));
  return all.toSorted((a, b) => Number(a.kind === "credit_note") - Number(b.kind === "credit_note"));
}

/** The sums of a printed document. */
function toSums(record: InvoiceRecord | undefined): string[] {
  return toInvoiceDocument(record ?? assert.fail("no document")).sums.map(
    ([label, value]) => `${label} ${value}`,
  );
}

before(async () => {
  app = await createCardShop({
    seller: {
      ...defaults.seller,
      name: "Shop",
      line1: "Street 1",
      city: "Berlin",
      postalCode: "10115",
      country: "DE",
      vatId: "DE136695976",
    },
    tax: { ...defaults.tax, enabled: true, pricesIncludeTax: true, destination: "seller" },
    invoices: { ...defaults.invoices, enabled: true, eInvoices: "always" },
  });
  cardProduct = (await addCardProduct(app)).id;
  shirt = (await addProduct(app, { title: "Shirt", price: 2_380 })).id;
  const paid = await pay(app, await buy(app, { items: [{ productId: cardProduct }] }));
  const [sold] = await readSold(app, paid.id);
  code = sold?.code ?? "";
  cardId = sold?.card.id ?? "";
});

describe("VAT on gift cards", () => {
  it("is not charged when a card is sold, and the invoice says why", async () => {
    const paid = await pay(app, await buy(app, { items: [{ productId: cardProduct }] }));
    assert.deepEqual(
      [paid.total, paid.tax?.amount, paid.tax?.rates.map(({ kind, rate, gross }) => [kind, rate, gross])],
      [5_000, 0, [["voucher", 0, 5_000]]],
    );
    const [invoice] = await documentsOf(paid.id);
    assert.ok(
      invoice?.notes.some((note) => note.includes("Article 30b")),
      String(invoice?.notes),
    );
    assert.deepEqual(
      toEInvoice(invoice ?? assert.fail("no invoice")).vatTotals.map(({ vat, net, tax }) => [
        vat.category,
        net,
        tax,
      ]),
      [["E", 5_000, 0]],
    );
  });

  it("is that of the goods when the card pays, and the invoice shows the payment", async () => {
    const { order } = await buy(app, { items: [{ productId: shirt }], cards: [code] });
    assert.deepEqual([order.total, order.discount, order.tax?.amount, order.status], [2_380, 0, 380, "paid"]);
    const [invoice] = await documentsOf(order.id);
    assert.deepEqual(toSums(invoice).slice(-3), [
      "Total 23.80 EUR",
      `Paid by gift card (••••${code.slice(-4)}) -23.80 EUR`,
      "Remaining amount 0.00 EUR",
    ]);
  });

  it("stays the same when a card pays a part, and comes back with a refund", async () => {
    const dear = await addProduct(app, { title: "Coat", price: 5_950 });
    const placed = await buy(app, { items: [{ productId: dear.id }], cards: [code] });
    assert.equal(placed.payment?.amount, 3_330);
    const paid = await pay(app, placed);
    assert.deepEqual([paid.total, paid.tax?.amount], [5_950, 950]);
    await refund(app, paid.id, 5_950);
    const [invoice, ...credits] = await documentsOf(paid.id);
    assert.deepEqual(toSums(invoice).slice(-1), ["Remaining amount 33.30 EUR"]);
    assert.deepEqual(
      credits.map(({ total, tax }) => [total, tax?.amount]),
      [
        [2_620, 418],
        [3_330, 532],
      ],
    );
    assert.equal((await readCard(app, cardId)).balance, 2_620);
    await assertBooks(app);
  });

  it("mixes with goods on one valid e-invoice", async () => {
    const paid = await pay(
      app,
      await buy(app, { items: [{ productId: cardProduct }, { productId: shirt }] }),
    );
    const [invoice] = await documentsOf(paid.id);
    assert.ok(invoice !== undefined);
    const electronic = toEInvoice(invoice);
    const categories = electronic.vatTotals.map(({ vat, net, tax }) =>
      [vat.category, vat.rate, net, tax].join(" "),
    );
    assert.deepEqual(categories.toSorted(), ["E 0 5000 0", "S 1900 2000 380"]);
    const faults = listProblems(electronic, "facturx").map((problem) => JSON.stringify(problem));
    assert.ok(!faults.some((fault) => fault.includes("vat")), faults.join("\n"));
  });
});
