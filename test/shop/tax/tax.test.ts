/** The arithmetic of tax: whatever lines, rates, coupons and shipping, every sum agrees to the unit. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type PricedLine, toBuyersPrices, toTotals } from "../../../src/shop/checkout/pricing.ts";
import type { CouponRecord } from "../../../src/shop/coupons/schema.ts";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import { taxSettingsSchema } from "../../../src/shop/site/selling-schema.ts";
import { splitReturn, shareShipping, sumTax, taxIn, taxOn, toUntaxed } from "../../../src/shop/tax/tax.ts";
import type { SaleTax } from "../../../src/shop/tax/rates.ts";
import type { TaxRow } from "../../../src/shop/tax/schema.ts";

interface Item {
  readonly price: number;
  readonly quantity: number;
  readonly taxClass: string;
  readonly isSent: boolean;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const price = fc.oneof(fc.constantFrom(0, 1, 3, 99, 1_190), fc.nat(100_000), fc.nat(9_999_999_999));
const item: fc.Arbitrary<Item> = fc.record({
  price,
  quantity: fc.integer({ min: 1, max: 40 }),
  taxClass: fc.constantFrom("standard", "reduced", "super_reduced", "zero", "own_class"),
  isSent: fc.boolean(),
});
const items = fc.array(item, { minLength: 1, maxLength: 8 });
const countries = ["DE", "FR", "HU", "DK", "US", "GR", undefined] as const;
const place = fc.record({
  seller: fc.constantFrom("DE", "AT", "CH"),
  sentTo: fc.constantFrom(...countries),
  buyer: fc.constantFrom(...countries),
  business: fc.constantFrom(
    undefined,
    { country: "FR", isForGoodsOnly: false },
    { country: "GR", isForGoodsOnly: false },
    { country: "GB", isForGoodsOnly: true },
  ),
});
const settings = fc
  .record({
    pricesIncludeTax: fc.boolean(),
    destination: fc.constantFrom("seller", "buyer"),
    smallBusiness: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
    netWhereUntaxed: fc.boolean(),
    rounding: fc.constantFrom("line", "document"),
    rates: fc.constantFrom([], [{ country: "DE", taxClass: "own_class", basisPoints: 1_234 }]),
  })
  .map((fields) => taxSettingsSchema.parse({ enabled: true, ...fields }));
const coupon = fc.option(
  fc.record({ kind: fc.constantFrom("percent", "fixed"), value: fc.integer({ min: 1, max: 10_000 }) }),
  { nil: undefined },
);

function toCoupon({ kind, value }: { kind: "percent" | "fixed"; value: number }): CouponRecord {
  return {
    id: "cpn_1",
    version: 1,
    code: "LESS",
    codeKey: "LESS",
    kind,
    value,
    currency: "EUR",
    minimum: 0,
    used: 0,
    productIds: [],
    categoryIds: [],
    enabled: true,
    note: "",
    createdAt: 1,
    updatedAt: 1,
  };
}

function toPriced(one: Item, index: number): PricedLine {
  const product: ProductRecord = {
    id: `prd_${index}`,
    version: 1,
    slug: `p${index}`,
    status: "published",
    title: "",
    summary: "",
    description: "",
    images: [],
    tags: [],
    currency: "EUR",
    sku: "",
    variants: [],
    inputs: [],
    stockMode: "tracked",
    minQuantity: 1,
    maxQuantity: 1_000,
    instructions: "",
    translations: {},
    sortOrder: 0,
    createdAt: 1,
    updatedAt: 1,
    price: one.price,
    taxClass: one.taxClass,
    deliveryType: one.isSent ? "shipping" : "manual",
  };
  const subtotal = one.price * one.quantity;
  return {
    product,
    line: {
      id: `lin_${index}`,
      productId: product.id,
      stockId: product.id,
      stockMode: "tracked",
      title: "",
      sku: "",
      options: {},
      quantity: one.quantity,
      unitPrice: one.price,
      subtotal,
      discount: 0,
      total: subtotal,
      inputs: {},
      instructions: "",
      secretIds: [],
      deliveryType: product.deliveryType,
    },
  };
}

/** Half up, worked out another way. */
function round(numerator: bigint, denominator: bigint): number {
  const rest = numerator % denominator;
  return Number(numerator / denominator + (rest * 2n >= denominator ? 1n : 0n));
}

function assertAgrees(rows: readonly TaxRow[]): void {
  for (const { net, tax, gross } of rows) {
    assert.equal(net + tax, gross);
    assert.ok(net >= 0 && tax >= 0 && Number.isSafeInteger(gross), JSON.stringify(rows));
  }
}

describe("taxIn and taxOn", () => {
  it("round half up, exactly also where floats do not", () => {
    assert.deepEqual([taxIn(1_190, 1_900), taxOn(1_000, 1_900)], [190, 190]);
    assert.deepEqual([taxOn(50, 100), taxOn(49, 100), taxOn(150, 100)], [1, 0, 2]);
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), fc.nat(10_000), (amount, rate) => {
        const [a, r] = [BigInt(amount), BigInt(rate)];
        assert.equal(taxOn(amount, rate), round(a * r, 10_000n));
        assert.equal(taxIn(amount, rate), round(a * r, 10_000n + r));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("toUntaxed", () => {
  it("takes the seller's VAT out of a price where none is due, and nowhere else", () => {
    const to = (kind: SaleTax["kind"]): number =>
      toUntaxed(1_190, { kind, country: "DE", rate: 0, homeRate: 1_900 });
    assert.deepEqual(
      (["taxed", "exempt", "export", "reverse_charge", "intra_community"] as const).map(to),
      [1_190, 1_190, 1_000, 1_000, 1_000],
    );
  });
});

describe("shareShipping", () => {
  it("follows what sent goods cost, and shares alike among those that cost nothing", () => {
    const [sent, digital] = [true, false];
    const share = (...lines: (readonly [boolean, number])[]): number[] =>
      shareShipping(
        500,
        lines.map(([isSent, total]) => ({ isSent, total })),
      );
    assert.deepEqual(share([sent, 300], [digital, 900], [sent, 100]), [375, 0, 125]);
    assert.deepEqual(share([sent, 0], [digital, 900], [sent, 0]), [250, 0, 250]);
    assert.deepEqual(share([sent, 1], [sent, 0]), [500, 0]);
  });
});

describe("sumTax", () => {
  it("lists equal rates by kind and country", () => {
    const toLine = (country: string) => ({
      total: 119,
      isSent: true,
      sale: { kind: "taxed", country, rate: 1_900, homeRate: 1_900 } as const,
    });
    const list = (...countries: string[]): string[] =>
      sumTax(countries.map(toLine), { pricesIncludeTax: true, rounding: "line", shares: [] }).rates.map(
        ({ country }) => country,
      );
    assert.deepEqual(list("DE", "CY", "RO"), ["CY", "DE", "RO"]);
    assert.deepEqual(list("RO", "DE", "CY"), ["CY", "DE", "RO"]);
  });
});

describe("toTotals with tax", () => {
  it("agrees to the unit: lines, discount, shipping, rows of the summary, total", () => {
    fc.assert(
      fc.property(
        items,
        place,
        settings,
        coupon,
        fc.nat(100_000),
        (list, where, rules, given, shippingFee) => {
          const tax = { settings: rules, place: where };
          const priced = toBuyersPrices(list.map(toPriced), tax);
          const totals = toTotals(priced, {
            discounts: given === undefined ? [] : [toCoupon(given)],
            shippingFee,
            tax,
          });
          const { lines, subtotal, discount, shipping, total } = totals;
          const { amount, rates, shipping: shippingTax } = totals.tax ?? assert.fail();
          assertAgrees(rates);
          const order = rates.map(({ rate }) => rate);
          assert.deepEqual(
            order,
            order.toSorted((one, other) => other - one),
          );
          const onTop = rules.pricesIncludeTax ? 0 : amount;
          assert.equal(subtotal - discount + shipping + onTop, total);
          assert.equal(sumOf(lines.map((line) => line.total)) + shipping + onTop, total);
          assert.equal(sumOf(rates.map(({ gross }) => gross)), total);
          assert.equal(sumOf(rates.map(({ tax: each }) => each)), amount);
          assert.equal(sumOf(lines.map((line) => line.tax ?? assert.fail())) + shippingTax, amount);
          const of = rules.pricesIncludeTax ? taxIn : taxOn;
          if (rules.rounding === "document")
            for (const { net, tax: each, gross, rate } of rates)
              assert.equal(each, of(rules.pricesIncludeTax ? gross : net, rate));
          for (const line of lines) {
            const own = of(line.total, line.taxRate ?? assert.fail());
            // By document, a line is at most one unit from its own tax.
            const most = rules.rounding === "line" ? 0 : 1;
            assert.ok(Math.abs((line.tax ?? assert.fail()) - own) <= most, JSON.stringify([line, own]));
            assert.equal(line.subtotal, line.unitPrice * line.quantity);
            if (line.taxKind !== "taxed") assert.equal(line.taxRate, 0);
          }
          // No rate without goods, and no shipping in a rate of what is not sent.
          if (!list.some(({ isSent }) => isSent)) assert.deepEqual([shipping, shippingTax], [0, 0]);
          for (const row of rates)
            assert.ok(lines.some((line) => line.taxRate === row.rate && line.taxKind === row.kind));
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it("charges everyone the same where prices include tax and netWhereUntaxed is off", () => {
    fc.assert(
      fc.property(items, place, settings, fc.nat(9_999), (list, where, rules, shippingFee) => {
        const same = { ...rules, pricesIncludeTax: true, netWhereUntaxed: false };
        const tax = { settings: same, place: where };
        const with_ = toTotals(toBuyersPrices(list.map(toPriced), tax), { shippingFee, tax });
        assert.equal(with_.total, toTotals(list.map(toPriced), { shippingFee }).total);
      }),
    );
  });

  it("says nothing of tax, and counts as ever, while tax is off", () => {
    const totals = toTotals([toPriced({ price: 100, quantity: 3, taxClass: "reduced", isSent: true }, 0)], {
      shippingFee: 50,
    });
    assert.deepEqual([totals.total, totals.tax, totals.pricesIncludeTax], [350, undefined, undefined]);
    assert.ok(!("taxRate" in (totals.lines[0] ?? {})));
  });

  it("shares shipping and discounts out by rate", () => {
    const rules = taxSettingsSchema.parse({ enabled: true, pricesIncludeTax: false });
    const tax = { settings: rules, place: { seller: "DE", sentTo: "DE" } };
    const list = [
      { price: 3_000, quantity: 1, taxClass: "standard", isSent: true },
      { price: 1_000, quantity: 1, taxClass: "reduced", isSent: true },
      { price: 9_000, quantity: 1, taxClass: "standard", isSent: false },
    ];
    const priced = list.map(toPriced);
    const { tax: sums, total } = toTotals(priced, {
      shippingFee: 400,
      tax,
      discounts: [toCoupon({ kind: "percent", value: 1_000 })],
    });
    // 10 % off: 2700 and 900 and 8100; of the shipping 300 at 19 % and 100 at 7 %.
    assert.deepEqual(sums, {
      amount: 513 + 1_539 + 63 + 57 + 7,
      shipping: 57 + 7,
      rates: [
        { kind: "taxed", country: "DE", rate: 1_900, net: 11_100, tax: 2_109, gross: 13_209 },
        { kind: "taxed", country: "DE", rate: 700, net: 1_000, tax: 70, gross: 1_070 },
      ],
    });
    assert.equal(total, 13_209 + 1_070);
  });
});

describe("rounding once per rate", () => {
  /** VAT of lines of one rate without shipping, in minor units. */
  function taxOf(
    lines: readonly { readonly price: number; readonly quantity: number }[],
    rules: { readonly rounding: "line" | "document"; readonly discount?: number },
  ): number {
    const { rounding, discount } = rules;
    const parsed = { enabled: true, pricesIncludeTax: false, rounding };
    const settings = taxSettingsSchema.parse({
      ...parsed,
      rates: [{ country: "FR", taxClass: "standard", basisPoints: 2_000 }],
    });
    const { tax } = toTotals(
      lines.map((line, index) => toPriced({ ...line, taxClass: "standard", isSent: false }, index)),
      {
        shippingFee: 0,
        discounts: discount === undefined ? [] : [toCoupon({ kind: "percent", value: discount })],
        tax: { settings, place: { seller: "FR" } },
      },
    );
    return tax?.amount ?? assert.fail();
  }

  it("gives the sums of EN 16931 (BR-CO-17), where each line by itself gives others", () => {
    const pennies = Array.from({ length: 20 }, () => ({ price: 3, quantity: 1 }));
    assert.deepEqual(
      [taxOf(pennies, { rounding: "document" }), taxOf(pennies, { rounding: "line" })],
      [12, 20],
    );
    const mixed = [
      ...Array.from({ length: 20 }, () => ({ price: 274, quantity: 1 })),
      ...Array.from({ length: 50 }, () => ({ price: 336, quantity: 1 })),
    ];
    assert.equal(taxOf(mixed, { rounding: "document", discount: 800 }), 4_100);
  });
});

describe("splitReturn", () => {
  const row = (gross: number, tax: number): TaxRow => ({
    kind: "taxed",
    country: "DE",
    rate: 1_900,
    net: gross - tax,
    tax,
    gross,
  });

  it("credits the VAT of what is given back", () => {
    assert.deepEqual(splitReturn(5_950, [row(11_900, 1_900)], []), [row(5_950, 950)]);
    assert.deepEqual(splitReturn(2_380, [row(11_900, 1_900)], [{ gross: 5_950, tax: 950 }]), [
      row(2_380, 380),
    ]);
  });

  it("gives the last cents so that neither net nor VAT becomes negative", () => {
    // 2 are left, both of them VAT.
    assert.deepEqual(splitReturn(1, [row(100, 16)], [{ gross: 98, tax: 14 }]), [row(1, 1)]);
  });

  it("rejects more than is left", () => {
    assert.throws(() => splitReturn(102, [row(119, 19)], [{ gross: 18, tax: 3 }]), RangeError);
    assert.throws(() => splitReturn(1, [], []), RangeError);
  });

  it("gives back each row exactly in the end, in whatever parts", () => {
    const row = fc
      .record({ gross: fc.nat(1_000_000), rate: fc.constantFrom(0, 210, 700, 1_900, 2_550) })
      .map(({ gross, rate }, index = 0): TaxRow => {
        const tax = taxIn(gross, rate);
        return { kind: "taxed", country: `C${index}`, rate, net: gross - tax, tax, gross };
      });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(500_000), { maxLength: 12 }),
        (rows, parts) => {
          const given = rows.map(() => ({ gross: 0, tax: 0 }));
          let left = sumOf(rows.map(({ gross }) => gross));
          for (const part of [...parts, Number.MAX_SAFE_INTEGER]) {
            const amount = Math.min(part, left);
            const split = splitReturn(amount, rows, given);
            assertAgrees(split);
            assert.equal(sumOf(split.map(({ gross }) => gross)), amount);
            split.forEach(({ gross, tax }, index) => {
              const before = given[index] ?? assert.fail();
              given[index] = { gross: before.gross + gross, tax: before.tax + tax };
            });
            left -= amount;
          }
          assert.deepEqual(
            given,
            rows.map(({ gross, tax }) => ({ gross, tax })),
          );
          assert.throws(() => splitReturn(1, rows, given), RangeError);
        },
      ),
      { numRuns: 500 },
    );
  });
});
