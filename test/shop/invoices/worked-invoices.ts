/** Invoices and credit notes as orders of many kinds bring them about: through the checkout, the payment and refunds. */
import assert from "node:assert/strict";
import { invoices } from "../../../src/shop/invoices/collections.ts";
import type { InvoiceRecord } from "../../../src/shop/invoices/schema.ts";
import {
  invoiceSettingsSchema,
  sellerSchema,
  shippingSettingsSchema,
  taxSettingsSchema,
} from "../../../src/shop/site/selling-schema.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, sendNotice, setProvider, toNotice } from "../goods.ts";

export interface WorkedInvoice {
  readonly name: string;
  readonly record: InvoiceRecord;
}

export const seller = {
  name: "Müller & Söhne GmbH",
  line1: "Hauptstraße 1",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  email: "rechnung@example.org",
  phone: "+49 30 1234567",
  vatId: "DE 136 695 976",
  taxNumber: "30/123/45678",
  register: "HRB 12345, Amtsgericht Charlottenburg",
  contact: "Buchhaltung",
  iban: "DE02 1203 0000 0000 2020 51",
};
const german = {
  name: "Eva Käufer",
  company: "Käufer & Co. <KG>",
  line1: "Weg 2",
  city: "Hamburg",
  postalCode: "20095",
  country: "DE",
};
const french = {
  name: "Luc Noir",
  company: "Atelier Noir SARL",
  line1: "3 Rue Bleue",
  city: "Lyon",
  postalCode: "69001",
  country: "FR",
};
const american = {
  name: "Ann Ash",
  line1: "4 Elm St",
  city: "Boise",
  region: "ID",
  postalCode: "83702",
  country: "US",
};
const reverse = { vatId: "fr 40 303 265 045", billingAddress: french, shippingAddress: french };

interface Case {
  readonly name: string;
  readonly site?: object;
  readonly tax?: object;
  readonly seller?: object;
  readonly order?: object;
  readonly quantities?: Readonly<Record<string, number>>;
  readonly paymentMethod?: object;
  readonly coupon?: object;
  /** Refunds after the payment, each of which brings a credit note about. */
  readonly refunds?: readonly ((lines: readonly { id: string }[]) => object)[];
}

const cases: readonly Case[] = [
  { name: "one rate, prices with VAT" },
  { name: "three units that do not divide", quantities: { prd_odd: 3 } },
  {
    name: "two rates, coupon and shipping",
    quantities: { prd_mug: 3, prd_book: 2 },
    coupon: { kind: "percent", value: 1_000 },
    refunds: [
      (lines) => ({ lines: [{ lineId: lines[1]?.id, quantity: 1 }] }),
      () => ({ amount: 777 }),
      () => ({ shipping: 100 }),
    ],
  },
  { name: "net prices", tax: { pricesIncludeTax: false }, quantities: { prd_mug: 7, prd_odd: 9 } },
  {
    name: "net prices with a fixed coupon",
    tax: { pricesIncludeTax: false },
    quantities: { prd_mug: 2, prd_book: 3 },
    coupon: { kind: "fixed", value: 1_333 },
    refunds: [() => ({ amount: 1_000 })],
  },
  { name: "many small lines", quantities: { prd_cent: 99, prd_odd: 1 } },
  {
    name: "reverse charge and supply to another member state",
    order: reverse,
    quantities: { prd_mug: 1, prd_book: 1 },
    refunds: [() => ({ amount: 300 })],
  },
  { name: "export", order: { shippingAddress: american } },
  {
    name: "small business",
    tax: { smallBusiness: true },
    seller: { vatId: "" },
    quantities: { prd_mug: 2 },
    refunds: [(lines) => ({ lines: [{ lineId: lines[0]?.id, amount: 100 }] })],
  },
  { name: "a shop that states no VAT", tax: { enabled: false }, seller: { vatId: "", country: "US" } },
  { name: "zero rate", quantities: { prd_zero: 1, prd_mug: 1 } },
  { name: "bank transfer", paymentMethod: { payUrlTemplate: "", kind: "manual", title: "Überweisung" } },
  {
    name: "references of a public authority",
    order: { buyerReference: "991-33333TEST-33", orderReference: "PO 4711/26" },
    refunds: [() => ({ amount: 500 })],
  },
  {
    name: "VAT once per rate, with coupon and shipping",
    tax: { rounding: "document" },
    quantities: { prd_cent: 7, prd_mug: 2, prd_odd: 3, prd_book: 1 },
    coupon: { kind: "percent", value: 1_250 },
    refunds: [(lines) => ({ lines: [{ lineId: lines[2]?.id, quantity: 1 }] }), () => ({ amount: 500 })],
  },
  {
    name: "VAT once per rate, net prices in yen",
    site: { currency: "JPY" },
    tax: { rounding: "document", pricesIncludeTax: false },
    quantities: { prd_cent: 7, prd_odd: 3, prd_mug: 1 },
  },
  { name: "yen", site: { currency: "JPY" }, quantities: { prd_mug: 3 }, refunds: [() => ({ amount: 5 })] },
  {
    name: "dinars",
    site: { currency: "KWD" },
    tax: { smallBusiness: true },
    quantities: { prd_mug: 1 },
    refunds: [() => ({ amount: 10 })],
  },
  {
    name: "free items beside paid ones, text with marks",
    quantities: { prd_free: 2, prd_marks: 1 },
    order: { shippingAddress: { ...german, line2: "c/o ]]>" } },
  },
  {
    name: "buyers taxed in two countries at one rate",
    tax: { destination: "buyer", rates: [{ country: "FR", taxClass: "standard", basisPoints: 1_900 }] },
    order: { shippingAddress: french, billingAddress: { ...german }, country: "DE" },
    quantities: { prd_mug: 1, prd_file: 1 },
  },
];

async function addGoods(app: TestShop): Promise<void> {
  const sent = { deliveryType: "shipping", onHand: 1_000 } as const;
  await addProduct(app, { id: "prd_mug", price: 1_190, sku: "MUG-1", ...sent });
  await addProduct(app, { id: "prd_book", title: "Book", price: 1_070, taxClass: "reduced", onHand: 1_000 });
  await addProduct(app, { id: "prd_odd", title: "Odd", price: 999, ...sent });
  await addProduct(app, { id: "prd_cent", title: "Cent", price: 3, ...sent });
  await addProduct(app, { id: "prd_zero", title: "Zero", price: 500, taxClass: "zero", ...sent });
  await addProduct(app, { id: "prd_free", title: "Free", price: 0, ...sent });
  await addProduct(app, { id: "prd_file", title: "File", price: 2_000, onHand: 1_000 });
  await addProduct(app, { id: "prd_marks", title: `"A" & 'B' <c> ]]> \u{1f600} é`, price: 450, ...sent });
}

interface Placed {
  readonly order: { id: string; total: number; currency: string; lines: readonly { id: string }[] };
}

async function work(one: Case): Promise<readonly InvoiceRecord[]> {
  const app = await createTestShop();
  await liftLimits(app);
  await setProvider(app, one.paymentMethod);
  await app.setSite({
    seller: sellerSchema.parse({ ...seller, ...one.seller }),
    tax: taxSettingsSchema.parse({ enabled: true, vatIds: "checked", ...one.tax }),
    invoices: invoiceSettingsSchema.parse({
      enabled: true,
      eInvoices: "always",
      footer: "Danke.\nBis bald!",
    }),
    shipping: shippingSettingsSchema.parse({
      methods: [{ id: "post", title: "Post", steps: [{ from: 0, price: 490 }] }],
    }),
    languages: ["de", "en"],
    ...one.site,
  });
  await addGoods(app);
  if (one.coupon !== undefined)
    await read(await app.admin("POST", "/api/admin/coupons", { code: "SPAR", ...one.coupon }), 201);
  const placed = await read<Placed>(
    await app.send("POST", "/api/checkout", {
      body: {
        items: Object.entries(one.quantities ?? { prd_mug: 1 }).map(([productId, quantity]) => ({
          productId,
          quantity,
        })),
        contact: { email: "einkauf@example.com" },
        shippingAddress: german,
        consents: { digitalContent: true },
        language: "de",
        ...(one.coupon === undefined ? {} : { couponCode: "SPAR" }),
        ...one.order,
      },
    }),
    201,
  );
  const { order } = placed;
  if (one.paymentMethod === undefined) assert.equal((await sendNotice(app, toNotice(order))).status, 200);
  else await read(await app.admin("POST", `/api/admin/orders/${order.id}/mark-paid`, { note: "came in" }));
  for (const refund of one.refunds ?? []) {
    app.clock.advance(1_000);
    await read(await app.admin("POST", `/api/admin/orders/${order.id}/refund`, refund(order.lines)));
  }
  return app.store.read(async (tx) => (await tx.list(invoices, "byIssued", { limit: 100 })).items);
}

/** All of them, or those of some names; the name of a credit note tells which it is. */
export async function workInvoices(names?: readonly string[]): Promise<readonly WorkedInvoice[]> {
  const worked: WorkedInvoice[] = [];
  for (const one of cases.filter(({ name }) => names?.includes(name) !== false)) {
    const records = await work(one);
    assert.equal(records.length, 1 + (one.refunds?.length ?? 0), one.name);
    records.forEach((record, index) =>
      worked.push({ name: index === 0 ? one.name : `${one.name}: credit note ${index}`, record }),
    );
  }
  return worked;
}
