/** Lines whose parts are read in two directions, as the Unicode Bidirectional Algorithm orders them (UAX #9). */
import createBidi from "bidi-js/dist/bidi.mjs";

/** A part of a line with its embedding level: odd ones are read from right to left. */
export interface Direction {
  readonly text: string;
  readonly level: number;
}

const bidi = createBidi();

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Letters that are read from right to left, and marks that turn the direction. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The level of each UTF-16 unit; undefined where everything is read from left to right. */
export function listDirections(text: string): Uint8Array | undefined {
  return RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text).levels : undefined;
}

/** Digits that Arabic fonts take for letters. */
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/u;

/** A part that is read from right to left, mirrored (rule L4), and turned unless its font does that with the shapes. */
function turn<T extends Direction>(part: T, isTurnedByFont: (part: T) => boolean): T {
  if (part.level % 2 === 0)
    // Numbers are read from left to right: what the font turns is turned before.
    return DIGITS.test(part.text) && isTurnedByFont(part)
      ? { ...part, text: Array.from(part.text).toReversed().join("") }
      : part;
  const letters = Array.from(part.text, (letter) => bidi.getMirroredCharacter(letter) ?? letter);
  const mirrored = { ...part, text: letters.join("") };
  if (isTurnedByFont(mirrored)) return mirrored;
  const clusters = Array.from(segmenter.segment(mirrored.text), ({ segment }) => segment);
  return { ...part, text: clusters.toReversed().join("") };
}

/** Parts in visual order, from the left (rule L2). */
export function orderVisually<T extends Direction>(
  parts: readonly T[],
  isTurnedByFont: (part: T) => boolean,
): T[] {
  let ordered = parts.map((part) => turn(part, isTurnedByFont));
  const highest = parts.reduce((most, { level }) => Math.max(most, level), 0);
  for (let level = highest; level > 0; level -= 1) {
    const next: T[] = [];
    let turned: T[] = [];
    for (const part of ordered)
      if (part.level >= level) turned = [part, ...turned];
      else {
        next.push(...turned, part);
        turned = [];
      }
    ordered = [...next, ...turned];
  }
  return ordered;
}
