import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseLanguage, wordsIn } from "../../../src/shop/catalogue/languages.ts";
import { toLanguageRanges } from "../../../src/shop/catalogue/answers-views.ts";
import { toProduct } from "./products.ts";

const languages = ["en", "de", "pt-BR", "zh-Hant"];
const choose = (acceptLanguage: string, lang?: string): string =>
  chooseLanguage(languages, toLanguageRanges(lang, acceptLanguage));

describe("chooseLanguage", () => {
  it("takes the most wanted language that the shop has", () => {
    assert.equal(choose("fr, de;q=0.5, pt;q=0.8"), "pt-BR");
    assert.equal(choose("de-AT, en;q=0.9"), "de");
    assert.equal(choose("DE"), "de");
    assert.equal(choose("zh-Hant-TW"), "zh-Hant");
  });

  it("takes the first language when nothing fits, is refused, or is no header", () => {
    for (const header of ["", "fr", "*", "de;q=0", ";;;q=,,", "de;q=0, *"])
      assert.equal(choose(header), "en");
  });

  it("lets the query go before the header, unless the shop lacks it", () => {
    assert.equal(choose("de", "pt"), "pt-BR");
    assert.equal(choose("de", "fr"), "de");
  });

  it("is quick on a long header", () => {
    assert.equal(choose(`${"x-".repeat(100_000)},de`), "en");
  });
});

describe("wordsIn", () => {
  it("falls back to the product's own words, member by member", () => {
    const product = {
      ...toProduct("a", { title: "Mug", summary: "Red", translations: { de: { title: "Becher" } } }),
      version: 1,
    };
    assert.deepEqual(wordsIn(product, "de"), { title: "Becher", summary: "Red", description: "" });
    assert.equal(wordsIn(product, "de-AT").title, "Becher");
    assert.equal(wordsIn(product, "pt-BR").title, "Mug");
  });
});
