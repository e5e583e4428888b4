/** Amounts: digits of currencies, and discounts that add up. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  allocate,
  exponentOf,
  formatAmount,
  formatNumber,
  MAX_AMOUNT,
  parseDecimal,
  toDecimal,
} from "../../src/shop/base/money.ts";

describe("currencies", () => {
  it("have the digits of ISO 4217", () => {
    const digits = ["JPY", "EUR", "KWD", "IQD", "ISK", "CLF"].map(exponentOf);
    assert.deepEqual(digits, [0, 2, 3, 3, 0, 4]);
  });

  it("are written with all their digits", () => {
    assert.deepEqual(
      [
        toDecimal(5, "EUR"),
        toDecimal(1_999, "EUR"),
        toDecimal(500, "JPY"),
        toDecimal(1, "KWD"),
        toDecimal(-5, "EUR"),
      ],
      ["0.05", "19.99", "500", "0.001", "-0.05"],
    );
    assert.equal(formatAmount(1_999, "EUR", "en"), "€19.99");
    assert.equal(formatAmount(500, "JPY", "en"), "¥500");
    assert.equal(formatAmount(MAX_AMOUNT, "EUR", "en"), "€9,999,999,999.99");
    assert.deepEqual(
      ["en", "de"].map((language) => formatNumber(123_456, "EUR", language)),
      ["1234.56", "1234,56"],
    );
  });

  it("are read exactly from plain decimal numbers", () => {
    const amount = fc.integer({ min: 0, max: MAX_AMOUNT });
    fc.assert(
      fc.property(amount, fc.constantFrom("JPY", "EUR", "KWD"), (minor, currency) => {
        assert.equal(parseDecimal(toDecimal(minor, currency), currency), minor);
      }),
    );
    const same = ["1", "1.0", "1.00", "1.0000", "01"].map((text) => parseDecimal(text, "CNY"));
    assert.deepEqual(same, [100, 100, 100, 100, 100]);
    assert.equal(parseDecimal("9999999999.99", "EUR"), MAX_AMOUNT);
    const refused = "|.5|1.|1e2|-1|+1| 1|1,00|0x10|1.001|10000000000.00|NaN|١|1.00.0".split("|");
    for (const text of refused) assert.equal(parseDecimal(text, "EUR"), undefined, text);
    assert.equal(parseDecimal("1.5", "JPY"), undefined);
    assert.equal(parseDecimal(`${"9".repeat(20)}`, "EUR"), undefined);
  });
});

describe("sharing out", () => {
  const weights = fc.array(fc.integer({ min: 0, max: MAX_AMOUNT }), { minLength: 1, maxLength: 50 });

  it("adds up to the total, takes no line below zero, and differs from proportion by less than one unit", () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (given, part) => {
        const sum = given.reduce((all, one) => all + one, 0);
        const total = Math.floor(sum * part);
        const parts = allocate(total, given);
        assert.equal(
          parts.reduce((all, one) => all + BigInt(one), 0n),
          BigInt(total),
        );
        parts.forEach((one, index) => {
          const weight = given[index] ?? 0;
          assert.ok(one >= 0 && one <= weight);
          const distance = BigInt(one) * BigInt(sum) - BigInt(total) * BigInt(weight);
          assert.ok(distance < BigInt(sum) || sum === 0);
          assert.ok(-distance < BigInt(sum) || sum === 0);
        });
      }),
    );
  });

  it("gives the odd units to the largest remainders, and to the first among equals", () => {
    assert.deepEqual(allocate(100, [1, 1, 1]), [34, 33, 33]);
    assert.deepEqual(allocate(2, [5, 3, 2]), [1, 1, 0]);
    assert.deepEqual(allocate(0, [0, 0]), [0, 0]);
    assert.throws(() => allocate(1, [0, 0]), RangeError);
  });
});
