/** VAT ids: forms and check digits, with the examples that python-stdnum, jsvat and the tax offices publish. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { z } from "zod";
import { euRates } from "../../../src/shop/tax/eu-rates.ts";
import { hasVatForm, hasVatPrefix, readVatId, toVatPrefix } from "../../../src/shop/tax/vat-id.ts";

/** By ISO 3166-1 code of the country. */
const published: Readonly<Record<string, readonly string[]>> = {
  AT: ["ATU13585627", "ATU10223006"],
  BE: ["BE0428759497", "BE0403019261"],
  BG: ["BG175074752", "BG7523169263"],
  CY: ["CY10259033P"],
  CZ: ["CZ25123891", "CZ640903926", "CZ7103192745"],
  DE: ["DE136695976", "DE123456788"],
  DK: ["DK13585628"],
  EE: ["EE100594102"],
  ES: ["ESB58378431", "ESB64717838", "ES54362315K", "ESX5253868R", "ESM1234567L"],
  FI: ["FI20774740"],
  FR: ["FR40303265045", "FR23334175221", "FRK7399859412", "FR4Z123456782"],
  GR: ["EL094259216", "EL023456780"],
  HR: ["HR33392005961"],
  HU: ["HU12892312"],
  IE: ["IE6433435F", "IE6433435OA", "IE8D79739I"],
  IT: ["IT00743110157"],
  LT: ["LT119511515", "LT100001919017"],
  LU: ["LU15027442"],
  LV: ["LV40003521600", "LV16117519997"],
  MT: ["MT11679112"],
  NL: ["NL004495445B01", "NL002455799B11", "NL123456789B13"],
  PL: ["PL8567346215"],
  PT: ["PT501964843"],
  RO: ["RO18547290"],
  SE: ["SE123456789701"],
  SI: ["SI50223054"],
  SK: ["SK2022749619"],
  GB: ["XI980780684", "XIGD001", "XIHA599"],
};

/** The same number with one digit raised by one, for each of its digits. */
function listWrong(id: string): string[] {
  return Array.from(id).flatMap((digit, index) =>
    /\d/u.test(digit) ? [`${id.slice(0, index)}${(Number(digit) + 1) % 10}${id.slice(index + 1)}`] : [],
  );
}

describe("readVatId", () => {
  it("has numbers of every member state", () =>
    assert.deepEqual(
      Object.keys(published).filter((country) => country !== "GB"),
      Object.keys(euRates).toSorted((a, b) => (a < b ? -1 : 1)),
    ));

  for (const [country, ids] of Object.entries(published))
    for (const id of ids) {
      it(`takes ${id} of ${country}, however it is spaced`, () => {
        const expected = { text: id, country, isForGoodsOnly: country === "GB" };
        const spaced = `${id.slice(0, 2)} ${id.slice(2, 5)}.${id.slice(5, 8)}-${id.slice(8)} `;
        for (const typed of [id, id.toLowerCase(), spaced, `\u00a0${id}\u200b`, id.replace(/\d/u, "$& – ")])
          assert.deepEqual(readVatId(typed), expected, typed);
      });
      // Numbers of a government department and some citizens' numbers have none, or more than one that fits.
      if (!/^XI[GH]/u.test(id))
        it(`refuses ${id} with another digit`, () => {
          const wrong = listWrong(id);
          const taken = wrong.filter((other) => typeof readVatId(other) === "object");
          assert.ok(taken.length * 4 <= wrong.length, `of ${wrong.length}: ${taken.join(" ")}`);
        });
    }

  for (const id of [
    "DE123456789",
    "ATU12345678",
    "FR12345678901",
    "DE000000000",
    "DK00000000",
    "NL123456789B01",
  ])
    it(`says that the check digits of ${id} are wrong`, () => assert.equal(readVatId(id), "digits"));
  for (const id of [
    "DE12345678",
    "DE1234567890",
    "ATU1234567",
    "DE12345678A",
    "FROO303265045",
    "NL12345678901",
  ])
    it(`says that ${id} has not the form of its country`, () => assert.equal(readVatId(id), "form"));
  for (const id of ["", "136695976", "XX123456789", "GB980780684", "CHE-123.456.789", "__proto__"])
    it(`knows nothing of "${id}"`, () => assert.equal(readVatId(id), "unknown"));
  it("tells Greek ones that begin with GR apart", () => assert.equal(readVatId("gr 094259216"), "greek"));
});

const judgedSchema = z.record(
  z.string(),
  z.object({ right: z.array(z.string()), wrong: z.array(z.string()) }),
);

describe("readVatId beside python-stdnum", () => {
  it("agrees on numbers at the bounds of every rule", async () => {
    const text = await readFile(new URL("vat-id-cases.json", import.meta.url), "utf8");
    const judged = Object.entries(judgedSchema.parse(JSON.parse(text)));
    assert.equal(judged.length, 27);
    for (const [prefix, { right, wrong }] of judged) {
      for (const body of right) assert.equal(typeof readVatId(prefix + body), "object", prefix + body);
      for (const body of wrong) assert.equal(readVatId(prefix + body), "digits", prefix + body);
    }
  });

  // python-stdnum accepts most of these; no tax office issued them.
  for (const id of [
    ...["DK00000000", "EE000000000", "EL000000000", "FI00000000", "HU00000000", "LU00000000"],
    ...["PL0000000000", "SE000000000001", "XI000000000", "NL000000000B01", "MT00100000", "DK09446095"],
  ])
    it(`rejects ${id}, which no office issues`, () => assert.equal(readVatId(id), "digits"));

  it("takes personal codes of Latvia since 2017, which have no check digit", () => {
    for (const id of ["LV32564475832", "LV32564475833"]) assert.equal(typeof readVatId(id), "object", id);
  });
});

describe("hasVatForm", () => {
  it("does not look at check digits", () => {
    assert.ok(hasVatForm("DE123456789"));
    assert.ok(!hasVatForm("DE12345678"));
    assert.ok(!hasVatForm("GR094259216"));
  });
});

describe("hasVatPrefix", () => {
  it("tells ids of the EU from others by how they begin", () => {
    assert.ok(hasVatPrefix("de 1"));
    assert.ok(!hasVatPrefix("CHE-123.456.789"));
    assert.ok(!hasVatPrefix("__proto__"));
    assert.deepEqual([toVatPrefix("GR"), toVatPrefix("FR"), toVatPrefix("US")], ["EL", "FR", undefined]);
  });
});
