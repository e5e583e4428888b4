/** Words of a sorted list that differ by few typing errors. */
import { findFirst } from "../../../kit/find-first.ts";

export interface NearWord {
  readonly word: string;
  /** Letters that were added, dropped, replaced, or swapped with their neighbor. */
  readonly edits: number;
  /** Whether only a beginning of the word is near. */
  readonly isBeginning: boolean;
}

/** Sorts behind every other letter. */
const LAST = "\uffff";
const MAX_FOUND = 40;
/** Beginnings of shorter words are near too many words. */
const MIN_FOR_BEGINNING = 5;

/** Errors that a word of this length may have; none where digits distinguish what looks alike. */
export function toMaxEdits(word: string): number {
  if (word.length < 3 || /\p{N}/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

/** Fills the row of distances (optimal string alignment) of a prefix of `candidate`; returns the lowest. */
function fillRow(rows: readonly Uint8Array[], depth: number, candidate: string, word: string): number {
  const [row, above, twoAbove] = [rows[depth], rows[depth - 1], rows[depth - 2]];
  if (row === undefined || above === undefined) return Number.POSITIVE_INFINITY;
  const letter = candidate.charCodeAt(depth - 1);
  row[0] = depth;
  let lowest = depth;
  for (let i = 1; i <= word.length; i += 1) {
    const cost = word.charCodeAt(i - 1) === letter ? 0 : 1;
    let value = Math.min((above[i] ?? 0) + 1, (row[i - 1] ?? 0) + 1, (above[i - 1] ?? 0) + cost);
    const isSwap =
      cost === 1 &&
      i > 1 &&
      depth > 1 &&
      word.charCodeAt(i - 2) === letter &&
      word.charCodeAt(i - 1) === candidate.charCodeAt(depth - 2);
    if (isSwap) value = Math.min(value, (twoAbove?.[i - 2] ?? 0) + 1);
    row[i] = value;
    if (value < lowest) lowest = value;
  }
  return lowest;
}

function sharedLength(a: string, b: string, most: number): number {
  let length = 0;
  while (length < most && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

/** Fewer errors first; of as many, those of whole words first. */
function toScore(edits: number, isBeginning: boolean): number {
  return edits * 2 + Number(isBeginning);
}

function isSwap(a: string, b: string): boolean {
  return a.length === b.length && Array.from(a).sort().join("") === Array.from(b).sort().join("");
}

/** The best of the near words: with the fewest errors, and of those the ones with the same first letter. */
class Best {
  readonly #word: string;
  score: number;
  found: NearWord[] = [];

  constructor(word: string, maxEdits: number) {
    this.#word = word;
    this.score = toScore(maxEdits, true);
  }

  add(near: NearWord): void {
    const score = toScore(near.edits, near.isBeginning);
    // Of three letters, another one makes another word.
    if (score > this.score || (this.#word.length === 3 && !isSwap(near.word, this.#word))) return;
    if (score < this.score) this.found = [];
    this.score = score;
    this.found.push(near);
  }

  choose(): NearWord[] {
    const alike = this.found.filter(({ word }) => word.startsWith(this.#word.slice(0, 1)));
    return (alike.length > 0 ? alike : this.found).slice(0, MAX_FOUND);
  }
}

/**
 * The words that are near with the fewest errors: whole ones, else those of which a beginning is near. None for a word
 * without errors: one that is there, as a whole or, if it is long enough, as a beginning.
 */
export function findNearWords(sorted: readonly string[], word: string, maxEdits: number): NearWord[] {
  const { length } = word;
  const self = sorted[findFirst(sorted.length, (at) => (sorted[at] ?? "") < word)];
  if (self === word || (length >= MIN_FOR_BEGINNING && self?.startsWith(word) === true)) return [];
  const longest = length + maxEdits;
  const rows = Array.from({ length: longest + 1 }, () => new Uint8Array(length + 1));
  rows[0]?.forEach((_, i, row) => (row[i] = i));
  const best = new Best(word, maxEdits);
  let before = "";
  let filled = 0;
  for (let at = 0; at < sorted.length;) {
    const candidate = sorted[at] ?? "";
    const most = Math.min(candidate.length, longest);
    const bound = best.score >> 1;
    let depth = sharedLength(before, candidate, Math.min(filled, most));
    let isTooFar = false;
    while (depth < most && !isTooFar) {
      depth += 1;
      isTooFar = fillRow(rows, depth, candidate, word) > bound;
    }
    [before, filled] = [candidate, depth];
    let beginning = Number.POSITIVE_INFINITY;
    if (length >= MIN_FOR_BEGINNING)
      for (let i = length; i <= depth; i += 1)
        beginning = Math.min(beginning, rows[i]?.[length] ?? beginning);
    if (!isTooFar && candidate.length <= longest) {
      const edits = rows[candidate.length]?.[length] ?? Number.POSITIVE_INFINITY;
      if (edits <= bound) best.add({ word: candidate, edits, isBeginning: false });
    }
    if (beginning <= bound) best.add({ word: candidate, edits: beginning, isBeginning: true });
    const beyond = candidate.slice(0, depth) + LAST;
    at = isTooFar && beginning > bound ? findFirst(sorted.length, (i) => (sorted[i] ?? "") < beyond) : at + 1;
  }
  return best.choose();
}
