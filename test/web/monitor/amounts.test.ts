/** Money and bytes as an administrator types them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseByteAmount, toByteAmount } from "../../../src/web/ui/forms/byte-amount.ts";
import { parseMoney, toCurrencyDigits, toMoneyText } from "../../../src/web/ui/forms/money.ts";

describe("money", () => {
  it("knows how many digits a currency has", () => {
    assert.deepEqual(["EUR", "JPY", "KWD", "", "E"].map(toCurrencyDigits), [2, 0, 3, 2, 2]);
  });

  it("writes minor units as a plain decimal number", () => {
    assert.equal(toMoneyText(1_250, "EUR"), "12.50");
    assert.equal(toMoneyText(5, "EUR"), "0.05");
    assert.equal(toMoneyText(0, "EUR"), "0.00");
    assert.equal(toMoneyText(1_250, "JPY"), "1250");
    assert.equal(toMoneyText(1_250, "KWD"), "1.250");
  });

  const good: [string, string, number][] = [
    ["12.5", "EUR", 1_250],
    ["12,50", "EUR", 1_250],
    ["12.", "EUR", 1_200],
    [" 1 234,50 ", "EUR", 123_450],
    ["1,234.50", "EUR", 123_450],
    ["1.234,50", "EUR", 123_450],
    ["1'234.5", "CHF", 123_450],
    ["980", "JPY", 980],
    ["1,234", "KWD", 1_234],
  ];
  for (const [text, currency, minor] of good) {
    it(`reads "${text}" ${currency} as ${minor}`, () => assert.equal(parseMoney(text, currency), minor));
  }

  // "1,234" EUR could be a thousand or one and a bit: an error is better than a guess.
  for (const text of [
    "",
    ".",
    "-1",
    "1.234",
    "1,234",
    "1.2.3",
    "12.345,6.7",
    "abc",
    "1e3",
    "99999999999999999",
  ]) {
    it(`does not take "${text}" EUR`, () => assert.equal(parseMoney(text, "EUR"), undefined));
  }

  it("reads back what it wrote", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.constantFrom("EUR", "JPY", "KWD", "USD"), (minor, currency) => {
        assert.equal(parseMoney(toMoneyText(minor, currency), currency), minor);
      }),
    );
  });
});

describe("amounts of bytes", () => {
  it("chooses the largest unit that is exact", () => {
    assert.deepEqual(toByteAmount(1_500_000_000_000), { value: "1.5", unit: "TB" });
    assert.deepEqual(toByteAmount(1_099_511_627_776), { value: "1", unit: "TiB" });
    assert.deepEqual(toByteAmount(500 * 1_073_741_824), { value: "500", unit: "GiB" });
    assert.deepEqual(toByteAmount(1_234_567), { value: "1234567", unit: "B" });
    assert.deepEqual(toByteAmount(0), { value: "", unit: "GB" });
  });

  it("takes a comma for a point and nothing for no limit", () => {
    assert.equal(parseByteAmount({ value: "1,5", unit: "TB" }), 1_500_000_000_000);
    assert.equal(parseByteAmount({ value: "  ", unit: "TB" }), 0);
  });

  it("does not take what is no amount", () => {
    for (const value of ["-1", "1.2345", "x", "1 TB", "9007199254740993", "1e9"])
      assert.equal(parseByteAmount({ value, unit: "MB" }), undefined, value);
  });

  it("reads back what it wrote, to the byte", () => {
    const bytes = fc.oneof(
      fc.maxSafeNat(),
      fc.nat({ max: 9_000 }).map((n) => n * 1_000_000_000),
      fc.nat({ max: 8_000 }).map((n) => n * 1_099_511_627_776),
    );
    fc.assert(
      fc.property(bytes, (amount) => {
        assert.equal(parseByteAmount(toByteAmount(amount)), amount);
      }),
    );
  });
});
