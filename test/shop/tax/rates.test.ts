/** Which rate applies, by who sells what to whom. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { taxSettingsSchema } from "../../../src/shop/site/selling-schema.ts";
import { euRates } from "../../../src/shop/tax/eu-rates.ts";
import { type TaxPlace, findRate, toSaleTax } from "../../../src/shop/tax/rates.ts";

const rules = (fields: object = {}) => taxSettingsSchema.parse({ enabled: true, ...fields });

function tax(fields: object, place: Partial<TaxPlace>, isSent = true): [string, string, number] {
  const { kind, country, rate } = toSaleTax(rules(fields), { seller: "DE", ...place }, { isSent });
  return [kind, country, rate];
}

describe("toSaleTax", () => {
  const above = { destination: "buyer" };
  const france = { sentTo: "FR", buyer: "FR" };
  const business = { ...france, business: { country: "FR", isForGoodsOnly: false } };
  const northern = { country: "GB", isForGoodsOnly: true };
  const cases: readonly [string, [object, Partial<TaxPlace>, boolean], [string, string, number]][] = [
    ["at home", [{}, { sentTo: "DE" }, true], ["taxed", "DE", 1_900]],
    ["nobody knows where", [{}, {}, true], ["taxed", "DE", 1_900]],
    ["below the threshold, to a consumer", [{}, france, true], ["taxed", "DE", 1_900]],
    ["above the threshold, to a consumer", [above, france, true], ["taxed", "FR", 2_000]],
    ["digital, below the threshold", [{}, france, false], ["taxed", "DE", 1_900]],
    ["digital, above the threshold", [above, france, false], ["taxed", "FR", 2_000]],
    [
      "digital by the buyer's country, goods by where they go",
      [above, { sentTo: "FR", buyer: "HU" }, false],
      ["taxed", "HU", 2_700],
    ],
    ["goods by where they go", [above, { sentTo: "FR", buyer: "HU" }, true], ["taxed", "FR", 2_000]],
    ["goods to a business abroad", [above, business, true], ["intra_community", "FR", 0]],
    ["a service for a business abroad", [{}, business, false], ["reverse_charge", "FR", 0]],
    [
      "a business abroad that fetches at home",
      [{}, { ...business, sentTo: "DE" }, true],
      ["taxed", "DE", 1_900],
    ],
    [
      "goods to a business in Northern Ireland",
      [above, { sentTo: "GB", buyer: "GB", business: northern, isSentToNorthernIreland: true }, true],
      ["intra_community", "GB", 0],
    ],
    [
      "goods to England with an id of Northern Ireland",
      [above, { sentTo: "GB", buyer: "GB", business: northern }, true],
      ["export", "GB", 0],
    ],
    [
      "a service for a business in Northern Ireland",
      [above, { buyer: "GB", business: northern }, false],
      ["export", "GB", 0],
    ],
    ["out of the EU", [above, { sentTo: "US" }, true], ["export", "US", 0]],
    ["a service out of the EU", [{}, { buyer: "US" }, false], ["export", "US", 0]],
    [
      "out of the EU, where the seller is registered",
      [{ rates: [{ country: "GB", taxClass: "standard", basisPoints: 2_000 }] }, { sentTo: "GB" }, true],
      ["taxed", "GB", 2_000],
    ],
    ["a small business", [{ smallBusiness: true }, business, true], ["exempt", "DE", 0]],
    ["a seller out of the EU", [above, { seller: "CH", sentTo: "DE" }, true], ["export", "DE", 0]],
    [
      "a seller out of the EU at home",
      [
        { rates: [{ country: "CH", taxClass: "standard", basisPoints: 810 }] },
        { seller: "CH", sentTo: "CH" },
        true,
      ],
      ["taxed", "CH", 810],
    ],
  ];
  for (const [what, args, expected] of cases)
    it(`${what}: ${expected.join(" ")}`, () => assert.deepEqual(tax(...args), expected));

  it("takes nothing out of the prices of a seller whose country has no rate", () => {
    const { kind, homeRate } = toSaleTax(rules(above), { seller: "CH", sentTo: "DE" }, { isSent: true });
    assert.deepEqual([kind, homeRate], ["export", 0]);
  });
});

describe("findRate", () => {
  it("takes the settings before the table, and the standard rate for classes that a country does not have", () => {
    const own = rules({ rates: [{ country: "DE", taxClass: "reduced", basisPoints: 500 }] });
    assert.equal(findRate(own, "DE", "reduced"), 500);
    assert.equal(findRate(own, "DE", "standard"), 1_900);
    assert.equal(findRate(own, "DK", "reduced"), 2_500);
    assert.equal(findRate(own, "DE", "books"), 1_900);
    assert.equal(findRate(own, "DE", "zero"), 0);
    assert.equal(findRate(own, "US", "standard"), undefined);
    assert.equal(findRate(own, "constructor", "toString"), undefined);
  });

  it("knows all 27 member states, with rates in their order", () => {
    assert.equal(Object.keys(euRates).length, 27);
    for (const [country, { standard, reduced, intermediate, super_reduced: least }] of Object.entries(
      euRates,
    )) {
      assert.match(country, /^[A-Z]{2}$/u);
      // Article 97 of Directive 2006/112/EC: 15 % at least; Article 98: reduced rates of 5 % at least.
      assert.ok(standard >= 1_500 && standard <= 2_700, country);
      assert.ok((reduced ?? 500) >= 500 && (least ?? 0) < 500, country);
      assert.ok((reduced ?? 0) < (intermediate ?? standard) && (intermediate ?? 0) < standard, country);
    }
  });
});
