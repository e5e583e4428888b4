import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fold, toIndexWords, toQueryWords } from "../../../../src/shop/catalogue/lookup/words.ts";

describe("fold", () => {
  it("takes away case, accents and width, and leaves marks that tell words apart", () => {
    assert.equal(fold("Crème BRÛLÉE"), "creme brulee");
    assert.equal(fold("Straße Łódź Smørrebrød"), "strasse lodz smorrebrod");
    assert.equal(fold("ＡＢ１２ ﬁx"), "ab12 fix");
    assert.equal(fold("İstanbul ısı"), "istanbul isi");
    assert.equal(fold("ガラス"), "ガラス");
    assert.equal(fold("ｶﾞﾗｽ"), "ガラス");
    assert.equal(fold("한국어"), "한국어");
  });
});

function listWords(texts: readonly string[], codes: readonly string[] = []): string[] {
  const { title, rest } = toIndexWords({ titles: [], codes, texts });
  return [...title, ...rest];
}

describe("toIndexWords", () => {
  it("splits at everything that is neither letter nor digit, and joins what a hyphen joins", () => {
    assert.deepEqual(listWords(["Red-mug, 0.3 l (new!)"]), ["redmug", "red", "mug", "0", "3", "l", "new"]);
    assert.deepEqual(listWords(["Чай чёрный"]), ["чаи", "черныи"]);
  });

  it("has a code also as one word", () => {
    assert.deepEqual(listWords([], ["AB-12/x", ""]), ["ab12", "ab", "12", "x", "ab12x"]);
  });

  it("writes umlauts both ways", () => {
    assert.deepEqual(listWords(["Türmatte weiß"]), ["turmatte", "weiss", "tuermatte"]);
  });

  it("takes scripts without spaces in pairs, apart from others, with the reading of Chinese ones", () => {
    assert.deepEqual(listWords(["USB接口线"]), ["usb", "接口", "口线", "线", "~jiekouxian", "~kouxian"]);
    assert.deepEqual(listWords(["茶"]), ["茶"]);
    assert.deepEqual(listWords(["データー"]), ["でー", "ーた", "たー", "ー"]);
  });

  it("has a word of the title in the title only", () => {
    const { title, rest } = toIndexWords({ titles: ["Red mug"], codes: [], texts: ["a mug"] });
    assert.deepEqual([[...title], [...rest]], [["red", "mug"], ["a"]]);
  });

  it("cuts words that are too long and is quick on long texts", () => {
    assert.deepEqual(listWords(["a".repeat(500)]), ["a".repeat(60)]);
    assert.equal(listWords(["-".repeat(50_000), "é ".repeat(25_000)]).length, 1);
  });
});

describe("toQueryWords", () => {
  const textsOf = (q: string): string[] => toQueryWords(q).map(({ text }) => text);

  it("asks for pairs, and for a single character when there is no more", () => {
    assert.deepEqual(textsOf("接口线 Mug"), ["接口", "口线", "mug"]);
    assert.deepEqual(textsOf("线"), ["线"]);
  });

  it("knows the other spelling of umlauts", () => {
    assert.deepEqual(toQueryWords("Tür"), [{ text: "tur", spelledOut: "tuer" }]);
  });

  it("finds no word in signs, and takes twelve at most", () => {
    assert.deepEqual(textsOf(" !? 🙂 "), []);
    assert.equal(textsOf("a b c d e f g h i j k l m n").length, 12);
  });
});
