import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { findNearWords, toMaxEdits } from "../../../../src/shop/catalogue/lookup/near-words.ts";

/** Optimal string alignment, the plain way. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 0; j <= b.length; j += 1) (rows[0] ?? [])[j] = j;
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 99;
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const others = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost];
      (rows[i] ?? [])[j] = Math.min(...others, isSwap ? at(i - 2, j - 2) + 1 : 99);
    }
  return at(a.length, b.length);
}

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d", "e"), minLength: 4, maxLength: 9 });

describe("findNearWords", () => {
  it("finds the nearest whole words, as comparing with each word does", () => {
    const run = (words: readonly string[], asked: string): void => {
      const sorted = [...new Set(words)].sort();
      const most = toMaxEdits(asked);
      const best = Math.min(...sorted.map((each) => distance(asked, each)));
      const found = findNearWords(sorted, asked, most);
      const whole = found.filter(({ isBeginning }) => !isBeginning);
      if (best > most) return assert.deepEqual(whole, []);
      if (best === 0) return assert.deepEqual(found, []);
      for (const { word: each, edits } of whole) assert.equal(edits, distance(asked, each));
      // A beginning with fewer errors comes before a whole word.
      const first = found[0] ?? assert.fail(`nothing near ${asked}`);
      assert.ok(first.isBeginning ? first.edits < best : first.edits === best);
      const alike = (each: string): boolean => each.startsWith(asked.slice(0, 1));
      const nearest = sorted.filter((each) => distance(asked, each) === best);
      const expected = nearest.some(alike) ? nearest.filter(alike) : nearest;
      if (!first.isBeginning)
        assert.deepEqual(
          whole.map((near) => near.word),
          expected.slice(0, 40),
        );
    };
    fc.assert(fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), word, run), { numRuns: 500 });
  });

  it("takes a beginning while the rest is not typed yet", () => {
    const found = findNearWords(["headphones", "keyboard"], "haedp", 1);
    assert.deepEqual(found, [{ word: "headphones", edits: 1, isBeginning: true }]);
  });

  it("finds nothing for a word that is there, nor for its beginning of five letters", () => {
    const sorted = ["form", "from", "headphone", "headphones"];
    assert.deepEqual(
      ["from", "headphone", "headp"].map((each) => findNearWords(sorted, each, 1)),
      [[], [], []],
    );
    assert.deepEqual(findNearWords(["forms"], "form", 1), [{ word: "forms", edits: 1, isBeginning: false }]);
  });

  it("allows no error where digits distinguish products, and two in long words", () => {
    assert.deepEqual(
      ["ab", "mug", "kettle", "headphone", "hp2001", "2001"].map(toMaxEdits),
      [0, 1, 1, 2, 0, 0],
    );
    assert.deepEqual(findNearWords(["mud", "mug", "rug"], "bug", 1), []);
  });
});
