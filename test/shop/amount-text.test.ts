/** Amounts as people write them: each text has one meaning or is an error. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readAmount } from "../../src/shop/base/amount-text.ts";
import { formatAmount, formatNumber, toDecimal } from "../../src/shop/base/money.ts";

function amountOf(text: string, currency = "EUR"): number | string {
  const read = readAmount(text, currency);
  return "amount" in read ? read.amount : read.problem;
}

describe("readAmount", () => {
  it("reads the forms of many countries", () => {
    const forms = [
      "1234.50",
      "1234,50",
      "1.234,50",
      "1,234.50",
      "1 234,50",
      "1\u00a0234,50",
      "1\u202f234,5",
      "1'234.50",
      "1’234.50",
      "€1,234.50",
      "1.234,50 €",
      "EUR 1234.5",
      "1234,50 eur",
      "１２３４．５０",
      " 1234.500 ",
    ];
    for (const form of forms) assert.equal(amountOf(form), 123_450, form);
    for (const form of ["12", "12,-", "12.–", "12,00", "12.0", "12 Euro"])
      assert.equal(amountOf(form), 1_200, form);
    assert.equal(amountOf("1.234.567"), 123_456_700);
    assert.equal(amountOf("1,00,000.50"), 10_000_050);
    assert.equal(amountOf("0,99"), 99);
    assert.equal(amountOf("1'234"), 123_400);
    assert.deepEqual(
      [
        amountOf("¥1,234", "JPY"),
        amountOf("1.234", "JPY"),
        amountOf("12元", "CNY"),
        amountOf("Fr. 12.50", "CHF"),
      ],
      [1_234, 1_234, 1_200, 1_250],
    );
    assert.deepEqual(
      [amountOf("1.234", "KWD"), amountOf("1.234,5", "KWD"), amountOf("12.5", "KWD")],
      [1_234, 1_234_500, 12_500],
    );
  });

  it("asks instead of guessing", () => {
    assert.equal(amountOf("1.234"), '"1.234" is ambiguous (1234 or 1.234): write 1234 or 1234.00');
    assert.equal(amountOf("12,505"), '"12,505" is ambiguous (12505 or 12.505): write 12505 or 12505.00');
    const bad = [
      "",
      "-5",
      "12.50 £",
      "$5",
      "1e3",
      "1.2.3",
      "1.234.56",
      "12,",
      ",5",
      "1,2345.6",
      "0.125",
      "Dez 90",
      "=1",
    ];
    for (const text of bad) assert.equal(typeof amountOf(text), "string", text);
    assert.equal(typeof amountOf("12.5", "JPY"), "string");
    assert.equal(typeof amountOf("99999999999999"), "string");
  });

  it("reads what the shop itself writes, in every language", () => {
    const languages = ["en", "de", "zh", "fr", "de-CH", "pl", "en-IN", "sv"];
    const currencies = ["EUR", "USD", "JPY", "KWD", "CHF", "PLN", "INR", "CNY"];
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.constantFrom(...currencies),
        fc.constantFrom(...languages),
        (amount, currency, language) => {
          assert.equal(amountOf(toDecimal(amount, currency), currency), amount);
          assert.equal(amountOf(formatNumber(amount, currency, language), currency), amount);
          if (["en", "de", "zh"].includes(language))
            assert.equal(amountOf(formatAmount(amount, currency, language), currency), amount);
        },
      ),
    );
  });
});
