/**
 * Singular and plural of words in English and German. A form counts only where the catalog contains it as a whole
 * word, so that "messer" does not find "messing"; umlauts are folded already ("Gläser" is "glaser").
 */

/** An ending, and what takes its place in the other number. */
type Rule = readonly [ending: string, other: string];

/** By the last letter. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  s: [
    ["ies", "y"],
    ["ves", "f"],
    ["ves", "fe"],
    ["es", ""],
    ["s", ""],
  ],
  y: [["y", "ies"]],
  f: [["f", "ves"]],
  e: [
    ["fe", "ves"],
    ["e", ""],
  ],
  n: [
    ["man", "men"],
    ["men", "man"],
    ["nen", ""],
    ["en", ""],
    ["n", ""],
  ],
  r: [["er", ""]],
};

const irregular: Readonly<Record<string, string>> = {
  mice: "mouse",
  mouse: "mice",
  feet: "foot",
  foot: "feet",
  teeth: "tooth",
  tooth: "teeth",
  children: "child",
  people: "person",
};

/** Shorter stems have too many meanings. */
const MIN_STEM = 3;

const NONE: readonly string[] = [];

/** Other forms that a word may have; some are not words. */
export function listOtherForms(word: string): readonly string[] {
  if (word.length <= MIN_STEM) return NONE;
  const other = Object.hasOwn(irregular, word) ? irregular[word] : undefined;
  if (other !== undefined) return [other];
  const fitting = rules[word.at(-1) ?? ""];
  if (fitting === undefined) return NONE;
  return fitting
    .filter(([ending]) => word.length - ending.length >= MIN_STEM && word.endsWith(ending))
    .map(([ending, replacement]) => word.slice(0, word.length - ending.length) + replacement);
}
