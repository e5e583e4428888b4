/** Sums of orders: whatever lines and coupon, no unit of money is lost or made. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { AppError } from "../../../src/kit/errors.ts";
import { type PricedLine, type Totals, toTotals } from "../../../src/shop/checkout/pricing.ts";
import { isInScope } from "../../../src/shop/coupons/discounts.ts";
import type { CouponRecord } from "../../../src/shop/coupons/schema.ts";
import type { DeliveryType, ProductRecord } from "../../../src/shop/products/schema.ts";
import { coupons } from "../../../src/shop/coupons/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { MAX_AMOUNT } from "../../../src/shop/base/money.ts";
import { addProduct, order } from "../goods.ts";
import { createPlainShop } from "../plain-shop.ts";

interface Item {
  readonly price: number;
  readonly quantity: number;
  readonly category: string;
  readonly deliveryType: DeliveryType;
}

type CouponTerms = Pick<CouponRecord, "kind" | "value" | "cap" | "minimum" | "categoryIds" | "currency">;

const currencies = ["JPY", "EUR", "KWD"] as const;
const categories = ["cups", "books", "games"] as const;
const price = fc.oneof(
  fc.constantFrom(0, 1, 3, 99, 1_000, 33_333),
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: MAX_AMOUNT }),
);
const quantity = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 800 }));
const item: fc.Arbitrary<Item> = fc.record({
  price,
  quantity,
  category: fc.constantFrom(...categories),
  deliveryType: fc.constantFrom<DeliveryType>("auto_secret", "manual", "shipping"),
});
const items = fc.array(item, { minLength: 1, maxLength: 8 });
const terms: fc.Arbitrary<CouponTerms> = fc
  .record({
    kind: fc.constantFrom("percent", "fixed"),
    percent: fc.oneof(
      fc.constantFrom(1, 1_000, 3_333, 5_000, 9_999, 10_000),
      fc.integer({ min: 1, max: 10_000 }),
    ),
    fixed: fc.oneof(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: MAX_AMOUNT })),
    cap: fc.option(fc.integer({ min: 1, max: 50_000 }), { nil: undefined }),
    minimum: fc.constantFrom(0, 0, 1, 5_000, 100_000),
    categoryIds: fc.subarray([...categories], { maxLength: 2 }),
    currency: fc.constantFrom(...currencies),
  })
  .map(({ kind, percent, fixed, cap, ...rest }) => ({
    ...rest,
    kind,
    value: kind === "percent" ? percent : fixed,
    // As an administrator may set it: a cap is for percentages.
    ...(kind === "fixed" || cap === undefined ? {} : { cap }),
  }));

function toCoupon(fields: CouponTerms): CouponRecord {
  return {
    id: "cpn_1",
    version: 1,
    code: "Less",
    codeKey: "LESS",
    used: 0,
    productIds: [],
    enabled: true,
    note: "",
    createdAt: 1,
    updatedAt: 1,
    ...fields,
  };
}

function toProduct({ price: each, category, deliveryType }: Item, index: number): ProductRecord {
  return {
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
    categoryId: category,
    price: each,
    deliveryType,
  };
}

function toPriced(one: Item, index: number): PricedLine {
  const product = toProduct(one, index);
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
      deliveryType: one.deliveryType,
      inputs: {},
      instructions: "",
      secretIds: [],
    },
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** What holds of any order, with any coupon. */
function assertAddsUp(totals: Pick<Totals, "lines" | "subtotal" | "discount" | "shipping" | "total">): void {
  const { lines, subtotal, discount, shipping, total } = totals;
  for (const line of lines) {
    assert.equal(line.subtotal, line.unitPrice * line.quantity);
    assert.equal(line.total, line.subtotal - line.discount);
    assert.ok(line.discount >= 0 && line.total >= 0, JSON.stringify(line));
    for (const amount of [line.subtotal, line.discount, line.total]) assert.ok(Number.isSafeInteger(amount));
  }
  assert.equal(sumOf(lines.map((line) => line.subtotal)), subtotal);
  assert.equal(sumOf(lines.map((line) => line.discount)), discount);
  assert.equal(sumOf(lines.map((line) => line.total)) + shipping, total);
  assert.equal(subtotal - discount + shipping, total);
  assert.ok(total >= shipping && shipping >= 0);
}

/** What a coupon takes off, worked out another way: whole numbers without a limit, half units up. */
function expectedDiscount({ kind, value, cap }: CouponTerms, scope: bigint): bigint {
  const wanted = kind === "fixed" ? BigInt(value) : (scope * BigInt(value) * 2n + 10_000n) / 20_000n;
  const capped = cap !== undefined && BigInt(cap) < wanted ? BigInt(cap) : wanted;
  return capped < scope ? capped : scope;
}

describe("toTotals", () => {
  it("adds up exactly, with any coupon over any lines", () => {
    fc.assert(
      fc.property(items, fc.option(terms, { nil: undefined }), fc.nat(5_000), (list, given, shippingFee) => {
        const priced = list.map(toPriced);
        const coupon = given === undefined ? undefined : toCoupon(given);
        fc.pre(sumOf(priced.map(({ line }) => line.subtotal)) + shippingFee <= Number.MAX_SAFE_INTEGER);
        const totals = toTotals(priced, { discounts: coupon && [coupon], shippingFee });
        assertAddsUp(totals);
        const isSent = list.some(({ deliveryType }) => deliveryType === "shipping");
        assert.equal(totals.shipping, isSent ? shippingFee : 0);
        if (coupon === undefined) assert.equal(totals.discount, 0);
      }),
      { numRuns: 1_000 },
    );
  });

  it("takes off what the coupon says, of the lines in its scope alone", () => {
    fc.assert(
      fc.property(items, terms, (list, given) => {
        const priced = list.map(toPriced);
        const coupon = toCoupon(given);
        fc.pre(sumOf(priced.map(({ line }) => line.subtotal)) <= Number.MAX_SAFE_INTEGER);
        const { lines, discount } = toTotals(priced, { discounts: [coupon], shippingFee: 0 });
        const inScope = priced.map(({ product }) => isInScope(coupon, product));
        const scope = priced.reduce(
          (sum, { line }, at) => (inScope[at] === true ? sum + BigInt(line.subtotal) : sum),
          0n,
        );
        assert.equal(BigInt(discount), expectedDiscount(given, scope));
        if (given.cap !== undefined) assert.ok(discount <= given.cap);
        for (const [at, line] of lines.entries()) if (inScope[at] !== true) assert.equal(line.discount, 0);
      }),
      { numRuns: 1_000 },
    );
  });

  it("shares a discount out so that no line is more than one unit from its exact part", () => {
    fc.assert(
      fc.property(items, terms, (list, given) => {
        const priced = list.map(toPriced);
        const coupon = toCoupon({ ...given, categoryIds: [] });
        const sum = sumOf(priced.map(({ line }) => line.subtotal));
        fc.pre(sum > 0 && sum <= Number.MAX_SAFE_INTEGER);
        const { lines, discount } = toTotals(priced, { discounts: [coupon], shippingFee: 0 });
        for (const line of lines) {
          const off = BigInt(line.discount) * BigInt(sum) - BigInt(discount) * BigInt(line.subtotal);
          assert.ok(off < BigInt(sum) && -off < BigInt(sum), `${line.discount} of ${discount}`);
        }
      }),
    );
  });

  it("refuses a sum that could lose units", () => {
    const line = toPriced(
      { price: MAX_AMOUNT, quantity: 1_000, category: "cups", deliveryType: "manual" },
      0,
    );
    const priced = Array.from({ length: 10 }, () => line);
    assert.doesNotThrow(() => toTotals(priced.slice(0, 9), { shippingFee: 0 }));
    const isInvalid = (error: unknown): boolean => error instanceof AppError && error.code === "invalid";
    assert.throws(() => toTotals(priced, { shippingFee: 0 }), isInvalid);
  });
});

describe("checkout, in currencies with no, two and three digits", () => {
  for (const currency of currencies) {
    it(`takes a coupon as its terms say, and keeps the sums in ${currency}`, async () => {
      const small = fc.array(
        item.map((one) => ({ ...one, price: one.price % 100_000, quantity: (one.quantity % 9) + 1 })),
        { minLength: 1, maxLength: 5 },
      );
      await fc.assert(
        fc.asyncProperty(small, terms, async (list, given) => {
          const app = await createPlainShop({ currency, shippingFee: 450 });
          const { store } = app;
          const ids: string[] = [];
          for (const [at, { price: each, category, deliveryType }] of list.entries()) {
            const fields = { price: each, categoryId: category, id: `prd_${at}`, onHand: 100 };
            // Without an address nothing can be sent.
            const type = deliveryType === "shipping" ? "manual" : deliveryType;
            ids.push((await addProduct(app, { ...fields, deliveryType: type })).id);
          }
          const { version: _version, ...coupon } = toCoupon(given);
          await store.transact((tx) => tx.insert(coupons, coupon));
          const wanted = list.map(({ quantity: count }, at) => ({
            productId: ids[at] ?? "",
            quantity: count,
          }));
          const reason = expectedRefusal(list, given, currency);
          if (reason !== undefined) {
            await assert.rejects(order(app, wanted, { couponCode: "less" }), (error: unknown) => {
              assert.ok(error instanceof AppError);
              assert.deepEqual([error.code, error.details["reason"]], ["coupon_invalid", reason]);
              return true;
            });
            assert.equal(await store.read((tx) => tx.count(orders)), 0);
            return;
          }
          const placed = (await order(app, wanted, { couponCode: " less " })).order;
          assertAddsUp(placed);
          assert.equal(placed.currency, currency);
          const used = await store.read((tx) => tx.get(coupons, "cpn_1"));
          assert.equal(used?.used, 1);
          // Nothing to pay: paid at once, and never in debt.
          const isFree = placed.total === 0;
          assert.deepEqual([placed.status !== "pending_payment", placed.amountPaid], [isFree, 0]);
        }),
        { numRuns: 40 },
      );
    });
  }
});

/** Why a coupon may not be used for some lines, undefined when it may. */
function expectedRefusal(
  list: readonly Item[],
  { kind, minimum, categoryIds, currency: own }: CouponTerms,
  currency: string,
): string | undefined {
  if (own !== currency && (kind === "fixed" || minimum > 0)) return "currency";
  const inScope = list.filter(({ category }) => categoryIds.length === 0 || categoryIds.includes(category));
  if (inScope.length === 0) return "scope";
  return sumOf(inScope.map((one) => one.price * one.quantity)) < minimum ? "minimum" : undefined;
}
