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

describe("toIndexWords", () => {
  it("splits at everything that is neither letter nor digit", () => {
    assert.deepEqual([...toIndexWords(["Red-mug, 0.3 l (new!)"], [])], ["red", "mug", "0", "3", "l", "new"]);
    assert.deepEqual([...toIndexWords(["Чай чёрный"], [])], ["чаи", "черныи"]);
  });

  it("has a code also as one word", () => {
    assert.deepEqual([...toIndexWords([], ["AB-12/x", ""])], ["ab", "12", "x", "ab12x"]);
  });

  it("takes scripts without spaces in pairs, apart from others", () => {
    assert.deepEqual([...toIndexWords(["USB接口线"], [])], ["usb", "接口", "口线", "线"]);
    assert.deepEqual([...toIndexWords(["茶"], [])], ["茶"]);
    assert.deepEqual([...toIndexWords(["データー"], [])], ["デー", "ータ", "ター", "ー"]);
  });

  it("cuts words that are too long and is quick on long texts", () => {
    assert.deepEqual([...toIndexWords(["a".repeat(500)], [])], ["a".repeat(60)]);
    assert.equal(toIndexWords(["-".repeat(50_000), "é ".repeat(25_000)], []).size, 1);
  });
});

describe("toQueryWords", () => {
  it("asks for pairs, and for a single character when there is no more", () => {
    assert.deepEqual(toQueryWords("接口线 Mug"), ["接口", "口线", "mug"]);
    assert.deepEqual(toQueryWords("线"), ["线"]);
  });

  it("finds no word in signs, and takes twelve at most", () => {
    assert.deepEqual(toQueryWords(" !? 🙂 "), []);
    assert.equal(toQueryWords("a b c d e f g h i j k l m n").length, 12);
  });
});
