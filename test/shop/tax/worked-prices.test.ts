/**
 * Quantity prices, chosen prices, automatic discounts, free shipping and bundles: paid, invoiced and given back line by
 * line, beside the second calculator.
 */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  invoiceSettingsSchema,
  sellerSchema,
  taxSettingsSchema,
} from "../../../src/shop/site/selling-schema.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, sendNotice, setProvider, toNotice } from "../goods.ts";
import { type Placed, load } from "../order-edits/edit-room.ts";
import { type WorkedCase, type WorkedLine, priceOf, unbundle, work } from "./second-calculator.ts";
import { addUp, listDocuments, rowsOf, sorted } from "./worked-room.ts";

const countries = { DE: [19, 7], FR: [20, 5.5] } as const;
const kinds = ["tiers", "chosen", "automatic", "stacked", "shipping", "bundle", "all"] as const;
type Kind = (typeof kinds)[number];

interface Case extends Pick<WorkedCase, "included" | "rounding"> {
  readonly kind: Kind;
  readonly country: keyof typeof countries;
  readonly currency: "EUR" | "JPY" | "KWD";
}

function listCases(): Case[] {
  const cases: Case[] = [];
  for (const country of ["DE", "FR"] as const)
    for (const included of [true, false])
      for (const rounding of ["line", "document"] as const)
        for (const kind of kinds) {
          const currency = (["EUR", "JPY", "KWD"] as const)[cases.length % 3] ?? "EUR";
          cases.push({ kind, country, included, rounding, currency });
        }
  return cases;
}

const FEE = 590;
const steps = [
  [1, 1_055],
  [5, 999],
  [12, 871],
] as const;
const tierPrices = steps.slice(1).map(([from, price]) => ({ from, price }));
/** A percentage with two decimals, an amount, and the largest fee that is covered. */
const PERCENT = 12.35;
const AMOUNT = 777;
const COVERED = 213;

interface Basket {
  readonly items: readonly object[];
  readonly lines: readonly WorkedLine[];
}

async function fill(
  app: TestShop,
  kind: Kind,
  [standard, reduced]: readonly [number, number],
): Promise<Basket> {
  const goods = { deliveryType: "shipping", onHand: 999 } as const;
  const mug = await addProduct(app, { ...goods, price: 1_055, tierPrices });
  const book = await addProduct(app, {
    ...goods,
    price: 1_200,
    taxClass: "reduced",
    payWhatYouWant: { minimum: 0 },
  });
  const plain = {
    items: [
      { productId: mug.id, quantity: 3 },
      { productId: book.id, quantity: 1 },
    ],
  };
  const mugs = (quantity: number): WorkedLine => ({
    price: priceOf(steps, quantity),
    quantity,
    rate: standard,
  });
  const bookLine = { price: 1_200, quantity: 1, rate: reduced };
  if (kind === "tiers")
    return {
      items: [
        { productId: mug.id, quantity: 13 },
        { productId: book.id, quantity: 1 },
      ],
      lines: [mugs(13), bookLine],
    };
  if (kind === "chosen")
    return {
      items: [
        { productId: mug.id, quantity: 4 },
        { productId: book.id, quantity: 3, unitPrice: 333 },
      ],
      lines: [mugs(4), { price: 333, quantity: 3, rate: reduced }],
    };
  if (kind !== "bundle" && kind !== "all") return { ...plain, lines: [mugs(3), bookLine] };
  const part = await addProduct(app, { ...goods, price: 1_199, taxClass: "reduced" });
  const cup = await addProduct(app, { ...goods, price: 455 });
  const parts = [
    { productId: part.id, quantity: 1 },
    { productId: cup.id, quantity: 3 },
  ];
  const set = await addProduct(app, { ...goods, price: 1_999, stockMode: "unlimited", parts });
  const shares = unbundle(1_999, 2, [
    { price: 1_199, quantity: 1, rate: reduced },
    { price: 455, quantity: 3, rate: standard },
  ]);
  return {
    items: [
      { productId: set.id, quantity: 2 },
      { productId: mug.id, quantity: 5 },
    ],
    lines: [...shares, mugs(5)],
  };
}

const off: Readonly<Record<Kind, readonly object[]>> = {
  tiers: [],
  chosen: [],
  bundle: [],
  automatic: [{ kind: "percent", value: PERCENT * 100 }],
  stacked: [
    { kind: "fixed", value: AMOUNT, stacks: true },
    { kind: "percent", value: PERCENT * 100, stacks: true },
  ],
  shipping: [{ kind: "shipping", cap: COVERED }],
  all: [
    { kind: "fixed", value: AMOUNT, stacks: true },
    { kind: "shipping", cap: COVERED, stacks: true },
    { kind: "percent", value: PERCENT * 100, stacks: true },
  ],
};

describe("worked prices", () => {
  let app: TestShop;
  before(async () => {
    app = await createTestShop();
    await liftLimits(app);
    await setProvider(app);
  });

  for (const one of listCases()) {
    const { kind, country, included, rounding, currency } = one;
    it(
      [kind, country, currency, included ? "with tax" : "plus tax", `by ${rounding}`].join(", "),
      async () => {
        await app.setSite({
          currency,
          shippingFee: FEE,
          automaticDiscounts: [],
          seller: sellerSchema.parse({ name: "Atelier", line1: "Road 1", city: "Town", country }),
          tax: taxSettingsSchema.parse({ enabled: true, pricesIncludeTax: included, rounding }),
          invoices: invoiceSettingsSchema.parse({ enabled: true }),
        });
        for (const discount of off[kind]) {
          const body = { automatic: true, title: kind, minimum: 1, ...discount };
          await read(await app.admin("POST", "/api/admin/coupons", body), 201);
        }
        const { items, lines } = await fill(app, kind, countries[country]);
        const hasAll = kind === "all";
        const expected = work({
          lines,
          included,
          rounding,
          discount: kind === "automatic" || kind === "stacked" || hasAll ? PERCENT : 0,
          amountOff: kind === "stacked" || hasAll ? AMOUNT : 0,
          shipping: kind === "shipping" || hasAll ? FEE - COVERED : FEE,
        });
        const shippingAddress = {
          name: "Ann",
          line1: "Street 1",
          city: "Town",
          postalCode: "12345",
          country,
        };
        const shown = await read<{ total: number }>(
          await app.send("POST", "/api/checkout/preview", { body: { items, shippingAddress } }),
        );
        assert.equal(shown.total, expected.total);
        const body = {
          items,
          shippingAddress,
          contact: { email: "ann@example.org" },
          expectedTotal: shown.total,
        };
        const placed = await read<Placed>(await app.send("POST", "/api/checkout", { body }), 201);
        await read(await sendNotice(app, toNotice(placed.order)));
        const order = await load(app, placed);
        assert.deepEqual(
          order.lines.map(({ unitPrice, quantity }) => [unitPrice, quantity]),
          lines.map(({ price, quantity }) => [price, quantity]),
        );
        const [invoice = assert.fail("no invoice")] = await listDocuments(app, order.id);
        assert.deepEqual([invoice.total, rowsOf(invoice)], [expected.total, sorted(expected.rows)]);
        const columns = invoice.subtotal - invoice.discount + invoice.shipping;
        assert.equal(columns + (included ? 0 : (invoice.tax?.amount ?? 0)), invoice.total);
        for (const [index, line] of order.lines.entries()) {
          if ((expected.gross[index] ?? 0) === 0) continue;
          app.clock.advance(1_000);
          const refund = { lines: [{ lineId: line.id, quantity: line.quantity }] };
          await read(await app.admin("POST", `/api/admin/orders/${order.id}/refund`, refund));
          const credit = (await listDocuments(app, order.id)).at(-1) ?? assert.fail();
          assert.deepEqual([credit.kind, credit.total], ["credit_note", expected.gross[index]]);
          assert.deepEqual([...rowsOf(credit).keys()], [lines[index]?.rate]);
        }
        const rest = expected.total - expected.gross.reduce((sum, gross) => sum + gross, 0);
        app.clock.advance(1_000);
        await read(await app.admin("POST", `/api/admin/orders/${order.id}/refund`, { shipping: rest }));
        const credits = (await listDocuments(app, order.id)).filter((paper) => paper.kind === "credit_note");
        assert.deepEqual(addUp(credits), sorted(expected.rows));
      },
    );
  }
});
