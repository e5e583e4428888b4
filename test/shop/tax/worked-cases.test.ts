/**
 * 200 orders, paid, invoiced and given back line by line, beside a second calculator: country × rates × prices with or
 * without tax × rounding × discount × shipping × order of the refunds × currency.
 */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { coupons } from "../../../src/shop/coupons/records.ts";
import {
  invoiceSettingsSchema,
  sellerSchema,
  taxSettingsSchema,
} from "../../../src/shop/site/selling-schema.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, order, sendNotice, setProvider, toNotice } from "../goods.ts";
import { type WorkedCase, type WorkedLine, work } from "./second-calculator.ts";
import { addUp, listDocuments, rowsOf, sorted } from "./worked-room.ts";

/** Standard and reduced rates in percent, as the member states publish them for 2026. */
const countries = { DE: [19, 7], FR: [20, 5.5], HU: [27, 5], IE: [23, 9], LU: [17, 8] } as const;
type Country = keyof typeof countries;

/** Baskets: price, quantity, and whether the standard rate applies. */
const baskets: readonly (readonly (readonly [number, number, boolean])[])[] = [
  [[1_055, 1, false]],
  [
    [1_055, 1, false],
    [1_200, 1, true],
  ],
  [
    [3, 17, true],
    [3, 3, true],
    [1, 1, false],
  ],
  [
    [274, 20, true],
    [336, 50, true],
    [999, 1, false],
  ],
  [
    [99_999, 3, true],
    [1, 7, false],
    [12_345, 2, true],
    [50, 1, false],
  ],
];

interface Case extends WorkedCase {
  readonly country: Country;
  readonly currency: "EUR" | "JPY" | "KWD";
  /** Lines are given back in their order, or from the last one on. */
  readonly isReversed: boolean;
}

function listCases(): Case[] {
  const cases: Case[] = [];
  for (const country of ["DE", "FR", "HU", "IE", "LU"] as const)
    for (const [index, basket] of baskets.entries())
      for (const included of [true, false])
        for (const rounding of ["line", "document"] as const)
          for (const isPlain of [true, false]) {
            const [standard, reduced] = countries[country];
            const lines = basket.map(([price, quantity, isStandard]): WorkedLine => {
              return { price, quantity, rate: isStandard ? standard : reduced };
            });
            const place = cases.length;
            const currency = (["EUR", "JPY", "KWD"] as const)[place % 3] ?? "EUR";
            const shipping = isPlain ? 0 : 490 + index;
            const discount = isPlain ? 0 : 7.5 + index;
            const isReversed = place % 8 >= 4;
            cases.push({ country, currency, lines, included, rounding, discount, shipping, isReversed });
          }
  return cases;
}

async function setUp(
  app: TestShop,
  { country, currency, included, rounding, shipping }: Case,
): Promise<void> {
  await app.setSite({
    currency,
    shippingFee: shipping,
    seller: sellerSchema.parse({ name: "Atelier", line1: "Road 1", city: "Town", country }),
    tax: taxSettingsSchema.parse({ enabled: true, pricesIncludeTax: included, rounding }),
    invoices: invoiceSettingsSchema.parse({ enabled: true }),
  });
}

/** An order of the case, paid; resolves with its id and its lines' ids in the case's order. */
async function place(app: TestShop, { country, currency, lines, discount }: Case) {
  const standard = Math.max(...countries[country]);
  const items: { productId: string; quantity: number }[] = [];
  for (const { price, quantity, rate } of lines) {
    const taxClass = rate === standard ? "standard" : "reduced";
    const product = await addProduct(app, { price, taxClass, deliveryType: "shipping", onHand: 100 });
    items.push({ productId: product.id, quantity });
  }
  const code = `LESS-${standard}-${items[0]?.productId ?? ""}`;
  if (discount > 0)
    await app.store.transact((tx) =>
      tx.insert(coupons, {
        id: `cpn_${code}`,
        code,
        codeKey: code.toUpperCase(),
        kind: "percent",
        value: Math.round(discount * 100),
        currency,
        minimum: 0,
        used: 0,
        productIds: [],
        categoryIds: [],
        enabled: true,
        note: "",
        createdAt: 1,
        updatedAt: 1,
      }),
    );
  const shippingAddress = { name: "Ann", line1: "Street 1", city: "Town", postalCode: "12345", country };
  const couponCode = discount > 0 ? { couponCode: code } : {};
  const { order: placed } = await order(app, items, { shippingAddress, ...couponCode });
  await read(await sendNotice(app, toNotice(placed)));
  return { id: placed.id, total: placed.total, lineIds: placed.lines.map((line) => line.id) };
}

describe("200 worked cases", () => {
  const cases = listCases();
  let app: TestShop;
  before(async () => {
    app = await createTestShop();
    await liftLimits(app);
    await setProvider(app);
  });

  it("are as many", () => {
    assert.equal(cases.length, 200);
  });

  for (const one of cases) {
    const { country, currency, included, rounding, discount, shipping, lines, isReversed } = one;
    const name = [
      ...[country, currency, included ? "with tax" : "plus tax", `by ${rounding}`],
      ...[`${lines.length} lines`, `−${discount} %`, `shipping ${shipping}`],
    ].join(", ");
    it(name, async () => {
      await setUp(app, one);
      const expected = work(one);
      const placed = await place(app, one);
      assert.equal(placed.total, expected.total);
      const [invoice = assert.fail("no invoice")] = await listDocuments(app, placed.id);
      assert.deepEqual([invoice.total, rowsOf(invoice)], [expected.total, sorted(expected.rows)]);
      const indexes = lines.map((_line, index) => index);
      for (const index of isReversed ? indexes.toReversed() : indexes) {
        const gross = expected.gross[index] ?? assert.fail();
        if (gross === 0) continue;
        app.clock.advance(1_000);
        const lineId = placed.lineIds[index] ?? assert.fail();
        const body = { lines: [{ lineId, quantity: lines[index]?.quantity }] };
        await read(await app.admin("POST", `/api/admin/orders/${placed.id}/refund`, body));
        const credit = (await listDocuments(app, placed.id)).at(-1) ?? assert.fail();
        // The goods named, at their own rate alone.
        assert.deepEqual([credit.kind, credit.total], ["credit_note", gross]);
        assert.deepEqual([...rowsOf(credit).keys()], [lines[index]?.rate]);
      }
      const rest = expected.total - expected.gross.reduce((sum, gross) => sum + gross, 0);
      if (rest > 0) {
        app.clock.advance(1_000);
        await read(await app.admin("POST", `/api/admin/orders/${placed.id}/refund`, { shipping: rest }));
      }
      const credits = (await listDocuments(app, placed.id)).filter(({ kind }) => kind === "credit_note");
      assert.deepEqual(addUp(credits), sorted(expected.rows));
    });
  }
});
