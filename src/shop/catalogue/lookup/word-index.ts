/** Which products have which words. */
import { findFirst } from "../../../kit/find-first.ts";
import { Bits } from "./bits.ts";
import { type NearWord, findNearWords } from "./near-words.ts";
import type { IndexWords } from "./words.ts";

/** A prefix with more matches than this is a broad one. */
const BROAD = 1_000;
/** Broad beginnings are few by nature; so many are kept. */
const MAX_KEPT = 500;
/** Up to this many candidates are checked one by one. */
const ASK_AT_MOST = 500;
/** Checking the title of one candidate takes as long as so many entries of a word. */
const CHECK_COST = 50;

/** Precedes each word of an item; no word contains it. */
const MARK = "\n";
/** Ends the words of its title. */
const END_OF_TITLE = "\t";

/** Where a search finds one of its words. */
export interface Term {
  /** The item has a word that begins so: any of these. */
  readonly beginnings: readonly string[];
  /** Or it has one of these as a whole. */
  readonly words: readonly string[];
}

/** Places that have all terms. */
export interface Found {
  readonly all: Bits;
  /** Those of them with all terms in their titles. */
  readonly inTitle: Bits;
}

/** Position of a word in a sorted list, or where to insert it. */
function findPlace(sorted: readonly string[], word: string): number {
  return findFirst(sorted.length, (place) => (sorted[place] ?? "") < word);
}

function createFound(size: number): Found {
  return { all: new Bits(size), inTitle: new Bits(size) };
}

function copyFound({ all, inTitle }: Found): Found {
  return { all: all.copy(), inTitle: inTitle.copy() };
}

function uniteFound(found: Found, other: Found): void {
  found.all.unite(other.all);
  found.inTitle.unite(other.inTitle);
}

/** A place, and whether the word is in the title there. */
function toEntry(place: number, isInTitle: boolean): number {
  return place * 2 + Number(isInTitle);
}

function addEntry(entry: number, { all, inTitle }: Found): void {
  all.add(entry >>> 1);
  if (entry % 2 === 1) inTitle.add(entry >>> 1);
}

/** The words of an item as one text, and back. */
function toText({ title, rest }: IndexWords): string {
  return ["", ...title].join(MARK) + END_OF_TITLE + ["", ...rest].join(MARK);
}

function parseText(text: string | undefined): IndexWords {
  const [title = "", rest = ""] = (text ?? "").split(END_OF_TITLE);
  return { title: new Set(title.split(MARK).slice(1)), rest: new Set(rest.split(MARK).slice(1)) };
}

/**
 * Words and the items (small numbers) that contain them. Optimized for memory: most words occur in one item, whose
 * number is stored without an array around it, and the words of an item are one text.
 */
export class WordIndex {
  readonly #entriesOf = new Map<string, number | number[]>();
  /** In the order of their characters; computed on first use. */
  #sorted: string[] | undefined;
  readonly #textAt: (string | undefined)[] = [];
  readonly #broad = new Map<string, Found>();

  /** Replaces the words of an item; undefined when it was removed. */
  set(place: number, words: IndexWords | undefined): void {
    const before = parseText(this.#textAt[place]);
    this.#replace(before.title, { words: words?.title, entry: toEntry(place, true) });
    this.#replace(before.rest, { words: words?.rest, entry: toEntry(place, false) });
    this.#textAt[place] = words && toText(words);
  }

  #replace(
    before: ReadonlySet<string>,
    { words, entry }: { words: ReadonlySet<string> | undefined; entry: number },
  ): void {
    for (const word of before) if (words?.has(word) !== true) this.#remove(word, entry);
    for (const word of words ?? []) if (!before.has(word)) this.#add(word, entry);
  }

  /** Whether some item has the word as a whole. */
  has(word: string): boolean {
    return this.#entriesOf.has(word);
  }

  /** Whether some item has a word that begins so. */
  hasBeginning(beginning: string): boolean {
    const sorted = this.#listSorted();
    return sorted[findPlace(sorted, beginning)]?.startsWith(beginning) === true;
  }

  /** How many items have the word. */
  count(word: string): number {
    const entries = this.#entriesOf.get(word);
    return typeof entries === "object" ? entries.length : Number(entries !== undefined);
  }

  /** Words that are written nearly like this one. */
  findNear(word: string, maxEdits: number): NearWord[] {
    return findNearWords(this.#listSorted(), word, maxEdits);
  }

  /** Places of the items that have one of these words as a whole. */
  findWhole(words: readonly string[], size: number): Found {
    const found = createFound(size);
    for (const word of words) {
      const entries = this.#entriesOf.get(word);
      if (typeof entries === "number") addEntry(entries, found);
      else for (const entry of entries ?? []) addEntry(entry, found);
    }
    return found;
  }

  /** Those of `among`, which have all terms in their titles, that have them there as whole words. */
  findWholeTitles(terms: readonly Term[], { among, size }: { among: Bits; size: number }): Bits {
    if (among.isEmpty()) return among;
    const entries = terms.reduce((sum, { beginnings, words }) => sum + this.#countAll(beginnings, words), 0);
    if (among.count() * CHECK_COST < entries)
      return among.filter((place) => {
        const text = this.#textAt[place] ?? "";
        const title = text.slice(0, text.indexOf(END_OF_TITLE)) + MARK;
        const isThere = (word: string): boolean => title.includes(MARK + word + MARK);
        return terms.every(({ beginnings, words }) => beginnings.some(isThere) || words.some(isThere));
      });
    const [result = among, ...others] = terms.map(
      ({ beginnings, words }) => this.findWhole([...beginnings, ...words], size).inTitle,
    );
    for (const set of [...others, among]) result.intersect(set);
    return result;
  }

  /**
   * Places that have all of these terms; `size` is beyond every place. Without `isRanked`, `inTitle` is of no use. Do not
   * change what it returns.
   */
  find(terms: readonly Term[], size: number, isRanked: boolean = true): Found {
    let result: Found | undefined;
    /** Kept ones belong to all searches. */
    let isKept = false;
    const narrow = (by: Found, isKeptOne: boolean): void => {
      if (result === undefined) {
        [result, isKept] = [by, isKeptOne];
        return;
      }
      if (isKept) [result, isKept] = [copyFound(result), false];
      result.all.intersect(by.all);
      if (isRanked) result.inTitle.intersect(by.inTitle);
    };
    const broad: Term[] = [];
    for (const term of terms) {
      const isBroad = term.beginnings.some((beginning) => this.#broad.has(beginning));
      const found = isBroad ? undefined : this.#collectTerm(term, { size, atMost: BROAD });
      if (found === undefined) broad.push(term);
      else narrow(found, false);
    }
    for (const term of broad) {
      if (result !== undefined && result.all.count() <= ASK_AT_MOST)
        narrow(this.#checkTerm(term, { among: result.all, size }), false);
      else narrow(this.#collectBroad(term, size), term.beginnings.length === 1 && term.words.length === 0);
    }
    return result ?? createFound(0);
  }

  #checkTerm(term: Term, { among, size }: { among: Bits; size: number }): Found {
    const inTitle = new Bits(size);
    const all = among.filter((place) => {
      const where = this.#findIn(place, term);
      if (where === "title") inTitle.add(place);
      return where !== undefined;
    });
    return { all, inTitle };
  }

  #countAll(...lists: readonly (readonly string[])[]): number {
    return lists.reduce((sum, words) => words.reduce((each, word) => each + this.count(word), sum), 0);
  }

  #listSorted(): string[] {
    return (this.#sorted ??= [...this.#entriesOf.keys()].sort());
  }

  #add(word: string, entry: number): void {
    this.#forget(word);
    const entries = this.#entriesOf.get(word);
    if (typeof entries === "object") entries.push(entry);
    else this.#entriesOf.set(word, entries === undefined ? entry : [entries, entry]);
    if (entries === undefined) this.#sorted?.splice(findPlace(this.#sorted, word), 0, word);
  }

  #remove(word: string, entry: number): void {
    this.#forget(word);
    const entries = this.#entriesOf.get(word);
    if (typeof entries === "object") {
      entries.splice(entries.indexOf(entry), 1);
      if (entries.length > 0) return;
    }
    this.#entriesOf.delete(word);
    this.#sorted?.splice(findPlace(this.#sorted, word), 1);
  }

  /** Cached prefixes of a changed word are stale. */
  #forget(word: string): void {
    if (this.#broad.size === 0) return;
    for (let length = 1; length <= word.length; length += 1) this.#broad.delete(word.slice(0, length));
  }

  /** Adds what has words that begin so; false when there are more than `atMost`, a place counting for each word. */
  #collect(beginning: string, { found, atMost }: { found: Found; atMost: number }): boolean {
    let count = 0;
    const sorted = this.#listSorted();
    for (let at = findPlace(sorted, beginning); sorted[at]?.startsWith(beginning) === true; at += 1) {
      const entries = this.#entriesOf.get(sorted[at] ?? "") ?? [];
      count += typeof entries === "number" ? 1 : entries.length;
      if (count > atMost) return false;
      if (typeof entries === "number") addEntry(entries, found);
      else for (const entry of entries) addEntry(entry, found);
    }
    return true;
  }

  #collectTerm({ beginnings, words }: Term, { size, atMost }: { size: number; atMost: number }) {
    const found = words.length === 0 ? createFound(size) : this.findWhole(words, size);
    for (const beginning of beginnings) if (!this.#collect(beginning, { found, atMost })) return undefined;
    return found;
  }

  /** Of a term with one beginning alone, what is kept. */
  #collectBroad({ beginnings, words }: Term, size: number): Found {
    const [first = "", ...others] = beginnings;
    const known = this.#broad.get(first) ?? this.#keepBroad(first, size);
    if (others.length === 0 && words.length === 0) return known;
    const found = this.findWhole(words, size);
    uniteFound(found, known);
    for (const other of others) uniteFound(found, this.#broad.get(other) ?? this.#keepBroad(other, size));
    return found;
  }

  #keepBroad(beginning: string, size: number): Found {
    const found = createFound(size);
    this.#collect(beginning, { found, atMost: Number.POSITIVE_INFINITY });
    const oldest = this.#broad.size < MAX_KEPT ? undefined : this.#broad.keys().next().value;
    if (oldest !== undefined) this.#broad.delete(oldest);
    this.#broad.set(beginning, found);
    return found;
  }

  #findIn(place: number, { beginnings, words }: Term): "title" | "rest" | undefined {
    const text = this.#textAt[place] ?? "";
    let first = -1;
    const look = (sought: string): void => {
      const at = text.indexOf(sought);
      if (at !== -1 && (first === -1 || at < first)) first = at;
    };
    for (const beginning of beginnings) look(MARK + beginning);
    for (const word of words) {
      look(MARK + word + MARK);
      look(MARK + word + END_OF_TITLE);
      if (text.endsWith(MARK + word)) look(MARK + word);
    }
    if (first === -1) return undefined;
    return text.indexOf(END_OF_TITLE) > first ? "title" : "rest";
  }
}
