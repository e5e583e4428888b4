/**
 * What a search matches: products with all of its words; else with words that are spelled nearly so; else with most of
 * them. The first step finds other spellings of a right word ("Tuer" for "Tür", plurals, "tea pot" for "teapot").
 */
import { Bits } from "./bits.ts";
import { toMaxEdits } from "./near-words.ts";
import { listOtherForms } from "./other-forms.ts";
import { type QueryWord, READING, toReading } from "./words.ts";
import type { Found, Term, WordIndex } from "./word-index.ts";

export interface Match {
  /** "similar": spelled nearly so. "partial": with most of the words. */
  readonly kind: "exact" | "similar" | "partial";
  readonly places: Bits;
  /** The better ones, the best first; a place may be in several. Those of no tier come last. */
  readonly tiers: readonly Bits[];
  /** Words as they are likely meant, by what was typed. */
  readonly corrections: ReadonlyMap<string, string>;
}

/** Of the characters of a word without spaces, so many pairs must be there. */
const SHARE_OF_RUN = 0.6;
/** A part of a word that is two. */
const MIN_PART = 2;
/** Words with other spellings in place of one word. */
const MAX_SPELLINGS = 60;
/** A beginning that is this short is near everything. */
const MIN_READING = 3;

function hasDigit(word: string): boolean {
  return /\p{N}/u.test(word);
}

/** What each word stands for when it is spelled right. */
function toTerms(index: WordIndex, words: readonly QueryWord[]): Term[] {
  const joined = words.map((word, at) => {
    const next = words[at + 1];
    if (next === undefined || word.run !== undefined || next.run !== undefined) return [];
    const both = word.text + next.text;
    return [both, ...listOtherForms(both)].filter((each) => index.has(each));
  });
  return words.map(({ text, spelledOut }, at) => {
    const forms = listOtherForms(text).filter((form) => index.has(form));
    const others = [...forms, ...(joined[at - 1] ?? []), ...(joined[at] ?? [])];
    return { beginnings: spelledOut === undefined ? [text] : [text, spelledOut], words: others };
  });
}

/** "teapot" as "tea" and "pot", if some item has both: the one with the longest first part. */
function findSplit(index: WordIndex, word: string, size: number): Found | undefined {
  for (let at = word.length - 1; at > 0; at -= 1) {
    const [first, second] = [word.slice(0, at), word.slice(at)];
    const isUnit = hasDigit(first.slice(-1)) !== hasDigit(second.slice(0, 1));
    if (!isUnit && (first.length < MIN_PART || second.length < MIN_PART)) continue;
    const seconds = [second, ...listOtherForms(second)].filter((each) => index.has(each));
    if (!index.has(first) || seconds.length === 0) continue;
    const found = index.findWhole([first], size);
    const others = index.findWhole(seconds, size);
    found.all.intersect(others.all);
    found.inTitle.intersect(others.inTitle);
    if (!found.all.isEmpty()) return found;
  }
  return undefined;
}

interface Spelled {
  readonly found: Found;
  readonly correction?: string | undefined;
}

/** Words that a person may have meant; `isKnown`: some items have this one. */
function findSpellings(
  index: WordIndex,
  { text, spelledOut, run }: QueryWord,
  { term, size }: { term: Term; size: number },
): Spelled {
  if (run !== undefined) {
    const reading = toReading(text);
    const beginnings = reading.length > READING.length ? [text, reading] : [text];
    return { found: index.find([{ beginnings, words: [] }], size) };
  }
  const known = index.find([term], size);
  const own = { all: known.all.copy(), inTitle: known.inTitle.copy() };
  const split = findSplit(index, text, size);
  if (split !== undefined) {
    own.all.unite(split.all);
    own.inTitle.unite(split.inTitle);
  }
  const isKnown = !own.all.isEmpty();
  const nears = [text, ...(spelledOut === undefined ? [] : [spelledOut])]
    .flatMap((each) => index.findNear(each, toMaxEdits(each)))
    .filter(({ word }) => !word.startsWith(READING) && !hasDigit(word))
    .toSorted((a, b) => a.edits - b.edits || index.count(b.word) - index.count(a.word))
    .slice(0, MAX_SPELLINGS);
  if (nears.length === 0) {
    if (isKnown || text.length < MIN_READING) return { found: own };
    return { found: index.find([{ beginnings: [READING + text], words: [] }], size) };
  }
  const near = index.findWhole(
    nears.map(({ word }) => word),
    size,
  );
  own.all.unite(near.all);
  own.inTitle.unite(near.inTitle);
  return { found: own, correction: isKnown ? undefined : nears[0]?.word };
}

const NOTHING = new Bits();

/** Places that are in at least `least` of the sets; the element at n of the answer: in at least n of them. */
function countSets(sets: readonly Bits[]): Bits[] {
  const atLeast: Bits[] = [];
  for (const set of sets) {
    for (let n = atLeast.length; n > 0; n -= 1) {
      const more = atLeast[n - 1]?.copy();
      if (more === undefined) continue;
      more.intersect(set);
      more.unite(atLeast[n] ?? NOTHING);
      atLeast[n] = more;
    }
    const any = set.copy();
    any.unite(atLeast[0] ?? NOTHING);
    atLeast[0] = any;
  }
  return atLeast;
}

/** The words, those of one run without spaces as one: a place needs most of its pairs. */
function joinRuns(words: readonly QueryWord[], spelled: readonly Spelled[]): Found[] {
  const plain = spelled.filter((_, at) => words[at]?.run === undefined).map(({ found }) => found);
  const runs = [...new Set(words.flatMap(({ run }) => run ?? []))];
  const joined = runs.flatMap((run) => {
    const pairs = spelled.filter((_, at) => words[at]?.run === run);
    const least = Math.ceil(pairs.length * SHARE_OF_RUN) - 1;
    const all = countSets(pairs.map(({ found }) => found.all))[least];
    const inTitle = countSets(pairs.map(({ found }) => found.inTitle))[least];
    return all === undefined || inTitle === undefined ? [] : { all, inTitle };
  });
  return [...plain, ...joined];
}

function intersectAll(sets: readonly Bits[]): Bits {
  const all = sets[0]?.copy() ?? new Bits();
  for (const set of sets) all.intersect(set);
  return all;
}

/** Places with most of the words, those with the rarest word first. */
function findPartial(founds: readonly Found[], required: readonly Bits[]): Pick<Match, "places" | "tiers"> {
  const sets = founds.map(({ all }) => all);
  const atLeast = countSets(sets);
  for (const each of atLeast) for (const set of required) each.intersect(set);
  const least = Math.ceil(sets.length / 2) - 1;
  const most = atLeast.findLastIndex((each) => !each.isEmpty());
  const best = atLeast[most];
  if (most < least || best === undefined) return { places: new Bits(), tiers: [] };
  const byCount = sets.map((set) => ({ set, count: set.count() })).filter(({ count }) => count > 0);
  const rarest = byCount.toSorted((a, b) => a.count - b.count)[0]?.set;
  const first = best.copy();
  if (rarest !== undefined) first.intersect(rarest);
  return { places: atLeast[least] ?? best, tiers: [first, best] };
}

/** What is spelled nearly so, or has most of the words. */
function findSimilar(
  index: WordIndex,
  words: readonly QueryWord[],
  { terms, size }: { terms: readonly Term[]; size: number },
): Match {
  const spelled = words.map((word, at) =>
    findSpellings(index, word, { term: terms[at] ?? { beginnings: [], words: [] }, size }),
  );
  const corrections = new Map<string, string>();
  words.forEach(({ text }, at) => {
    const correction = spelled[at]?.correction;
    if (correction !== undefined) corrections.set(text, correction);
  });
  const founds = joinRuns(words, spelled);
  const all = intersectAll(founds.map((found) => found.all));
  if (!all.isEmpty() || founds.length < 2) {
    const tiers = [
      intersectAll(spelled.map(({ found }) => found.inTitle)),
      intersectAll(founds.map((found) => found.inTitle)),
    ];
    return { kind: "similar", places: all, tiers, corrections };
  }
  // What contains digits distinguishes products that are alike in all other words.
  const required = spelled.flatMap(({ found }, at) => (hasDigit(words[at]?.text ?? "") ? found.all : []));
  return { kind: "partial", ...findPartial(founds, required), corrections };
}

const NO_CORRECTIONS: ReadonlyMap<string, string> = new Map();

/**
 * Finds what a search matches. `size` is beyond every place; `oneWord` is the search as one word, by which codes are
 * found; undefined when the order does not matter.
 */
export function findMatch(
  index: WordIndex,
  words: readonly QueryWord[],
  { size, oneWord }: { size: number; oneWord: string | undefined },
): Match {
  const terms = toTerms(index, words);
  const { all, inTitle } = index.find(terms, size, oneWord !== undefined);
  if (all.isEmpty()) return findSimilar(index, words, { terms, size });
  if (oneWord === undefined) return { kind: "exact", places: all, tiers: [], corrections: NO_CORRECTIONS };
  const tiers = [index.findWholeTitles(terms, { among: inTitle, size }), inTitle];
  if (hasDigit(oneWord)) tiers.unshift(index.findWhole([oneWord], size).inTitle);
  return { kind: "exact", places: all, tiers, corrections: NO_CORRECTIONS };
}
