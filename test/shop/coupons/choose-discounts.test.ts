/** The rule of several discounts, and what discounts cost a checkout that has none. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type Discount, chooseDiscounts, deductFee, sumOff } from "../../../src/shop/coupons/discounts.ts";
import { createTestShop, read } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";

describe("chooseDiscounts", () => {
  const categories = ["cups", "books"] as const;
  const line = fc.record({
    price: fc.oneof(fc.constantFrom(0, 1, 3), fc.integer({ min: 0, max: 50_000 })),
    quantity: fc.integer({ min: 1, max: 20 }),
    categoryId: fc.constantFrom(...categories),
    deliveryType: fc.constantFrom("shipping", "manual"),
  });
  const discount: fc.Arbitrary<Discount> = fc
    .record({
      id: fc.uuid(),
      kind: fc.constantFrom("percent" as const, "fixed" as const, "shipping" as const, "buy_get" as const),
      buyQuantity: fc.integer({ min: 1, max: 4 }),
      getQuantity: fc.integer({ min: 1, max: 3 }),
      percent: fc.integer({ min: 100, max: 10_000 }),
      fixed: fc.integer({ min: 1, max: 100_000 }),
      cap: fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined }),
      stacks: fc.boolean(),
      automatic: fc.boolean(),
      categoryIds: fc.subarray([...categories]),
    })
    .map(({ percent, fixed, cap, ...rest }) => ({
      ...rest,
      productIds: [],
      value: rest.kind === "percent" || rest.kind === "buy_get" ? percent : fixed,
      cap: rest.kind === "fixed" || rest.kind === "buy_get" ? undefined : cap,
    }));
  const scope = (one: Discount, category: string): boolean =>
    one.categoryIds.length === 0 || one.categoryIds.includes(category);

  it("never makes a line or a fee negative, takes off what it says, and gives the most that the rule allows", () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 6 }),
        fc.array(discount, { maxLength: 5 }),
        fc.nat(2_000),
        (items, discounts, fee) => {
          const lines = items.map(({ price, quantity, categoryId, deliveryType }, index) => ({
            line: { subtotal: price * quantity, quantity, deliveryType },
            product: { id: `prd_${index}`, categoryId },
          }));
          const result = chooseDiscounts(discounts, lines, () => fee);
          const applied = deductFee(result.applied, fee);
          lines.forEach(({ line: { subtotal } }, index) => {
            const part = result.parts[index] ?? assert.fail();
            assert.ok(part >= 0 && part <= subtotal, `${part} of ${subtotal}`);
          });
          assert.ok(sumOff(applied) <= fee);
          const off = result.parts.reduce((sum, part) => sum + part, 0);
          assert.equal(
            off,
            applied.reduce((sum, { amount }) => sum + amount, 0),
          );
          for (const one of applied) {
            const meant = lines.reduce(
              (sum, each) => sum + (scope(one.discount, each.product.categoryId) ? each.line.subtotal : 0),
              0,
            );
            assert.ok(one.amount >= 0 && one.amount <= meant);
            if (one.discount.kind === "percent" && one.discount.cap !== undefined)
              assert.ok(one.amount <= one.discount.cap);
          }
          // One alone, or all that stack.
          const stacked = applied.filter(({ discount: { stacks } }) => stacks === true);
          assert.ok(stacked.length === applied.length || applied.length === 1);
          const saved = off + sumOff(applied);
          for (const one of discounts) {
            const alone = chooseDiscounts([one], lines, () => fee);
            const each =
              alone.parts.reduce((sum, part) => sum + part, 0) + sumOff(deductFee(alone.applied, fee));
            assert.ok(saved >= each, `${saved} < ${each}`);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("does not depend on the order in which discounts are listed", () => {
    fc.assert(
      fc.property(fc.array(discount, { minLength: 2, maxLength: 5 }), fc.nat(2_000), (discounts, fee) => {
        const lines = [
          {
            line: { subtotal: 3_333, quantity: 3, deliveryType: "shipping" },
            product: { id: "a", categoryId: "cups" },
          },
          {
            line: { subtotal: 1_001, quantity: 1, deliveryType: "manual" },
            product: { id: "b", categoryId: "books" },
          },
        ];
        const ids = (all: readonly Discount[]): unknown => {
          const { applied, parts } = chooseDiscounts(all, lines, () => fee);
          return [applied.map((one) => [one.discount.id, one.amount]), parts];
        };
        assert.deepEqual(ids(discounts), ids(discounts.toReversed()));
      }),
      { numRuns: 300 },
    );
  });
});

describe("buy X, get Y", () => {
  /** Units of one or two products: "s" is bought, "m" may be given. */
  const toLines = (shirts: number, mugs: number, prices = { s: 2_000, m: 500 }) =>
    [
      { id: "s", quantity: shirts, price: prices.s },
      { id: "m", quantity: mugs, price: prices.m },
    ].map(({ id, quantity, price }) => ({
      line: { subtotal: quantity * price, quantity, deliveryType: "shipping" },
      product: { id },
    }));
  const give = (fields: Partial<Discount>, lines: ReturnType<typeof toLines>): number[] => {
    const base: Discount = { id: "d", kind: "buy_get", value: 10_000, productIds: [], categoryIds: [] };
    return [...chooseDiscounts([{ ...base, ...fields }], lines, () => 0).parts];
  };

  it("gives the cheapest units, also of a group that is not full", () => {
    const two = { buyQuantity: 2, getQuantity: 1 };
    assert.deepEqual(give(two, toLines(2, 0)), [0, 0]);
    assert.deepEqual(give(two, toLines(2, 1)), [0, 500]);
    assert.deepEqual(give(two, toLines(3, 0)), [2_000, 0]);
    assert.deepEqual(give(two, toLines(5, 1)), [2_000, 500]);
    assert.deepEqual(give({ buyQuantity: 1, getQuantity: 2 }, toLines(1, 1)), [0, 500]);
    assert.deepEqual(give({ ...two, value: 5_000 }, toLines(3, 0, { s: 1_001, m: 0 })), [501, 0]);
  });

  it("gives other products than are bought, and none that is bought to pay for another", () => {
    const fields = { buyQuantity: 2, getQuantity: 1, productIds: ["s"], getProductIds: ["m"] };
    assert.deepEqual(give(fields, toLines(4, 1)), [0, 500]);
    assert.deepEqual(give(fields, toLines(4, 3)), [0, 1_000]);
    assert.deepEqual(give(fields, toLines(1, 3)), [0, 0]);
    // What is given may be bought as well: of four mugs with one shirt, each given one needs two others.
    const any = { buyQuantity: 2, getQuantity: 1, getProductIds: ["m"] };
    assert.deepEqual(give(any, toLines(1, 4)), [0, 500]);
    assert.deepEqual(give(any, toLines(2, 4)), [0, 1_000]);
  });

  it("gives as many units as a count of all possibilities finds, and takes off what those cost", () => {
    const quantity = fc.integer({ min: 0, max: 6 });
    const bound = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(quantity, quantity, bound, bound, fc.boolean(), (shirts, mugs, buy, get, isOther) => {
        const fields = { buyQuantity: buy, getQuantity: get, getProductIds: isOther ? ["m"] : [] };
        let best = 0;
        for (let s = 0; s <= (isOther ? 0 : shirts); s += 1)
          for (let m = 0; m <= mugs; m += 1) {
            const count = s + m;
            // The cheapest units go first.
            const isCheapest = isOther || s === 0 || m === mugs;
            if (isCheapest && shirts + mugs - count >= buy * Math.ceil(count / get))
              best = Math.max(best, s * 2_000 + m * 500);
          }
        const lines = toLines(shirts, mugs).filter(({ line }) => line.quantity > 0);
        const parts = give(fields, lines);
        assert.equal(
          parts.reduce((sum, part) => sum + part, 0),
          best,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it("counts a unit that another discount gave neither as bought nor twice, and leaves bundles out", () => {
    const all = { productIds: [], categoryIds: [], stacks: true };
    const two = { kind: "buy_get", value: 10_000, buyQuantity: 2, getQuantity: 1 } as const;
    const both: Discount[] = ["a", "b"].map((id) => ({ ...all, ...two, id }));
    assert.deepEqual(chooseDiscounts(both, toLines(3, 0), () => 0).parts, [2_000, 0]);
    assert.deepEqual(chooseDiscounts(both, toLines(4, 0), () => 0).parts, [4_000, 0]);
    const bundled = toLines(6, 0).map((one) => ({
      ...one,
      product: { ...one.product, bundle: { id: "set" } },
    }));
    assert.deepEqual(chooseDiscounts(both, bundled, () => 0).parts, [0, 0]);
    const cards = toLines(6, 0).map((one) => ({ ...one, line: { ...one.line, deliveryType: "gift_card" } }));
    assert.deepEqual(chooseDiscounts(both, cards, () => 0).parts, [0, 0]);
  });
});

describe("a checkout without discounts", () => {
  it("reads nothing more than before", async () => {
    const app = await createTestShop();
    const { id: productId } = await addProduct(app, {});
    const body = { items: [{ productId, quantity: 1 }] };
    const seen: string[] = [];
    const { store } = app.shop.deps;
    const whole = store.read.bind(store);
    Object.assign(store, {
      read: (work: Parameters<typeof whole>[0]) =>
        whole((tx) =>
          work(
            new Proxy(tx, {
              get: (target, name) => {
                const member: unknown = Reflect.get(target, name);
                if (typeof member !== "function") return member;
                return (collection: { name: string }, ...rest: unknown[]): unknown => {
                  seen.push(`${String(name)} ${collection.name}`);
                  return Reflect.apply(member, target, [collection, ...rest]);
                };
              },
            }),
          ),
        ),
    });
    await read(await app.send("POST", "/api/checkout/preview", { body }));
    assert.ok(seen.includes("get products") && seen.includes("get settings"), seen.join());
    assert.ok(!seen.some((one) => one.includes("coupon")), seen.join());
  });
});
