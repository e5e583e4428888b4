/** Which products have which words. */
import sortedBtree from "sorted-btree";
import { Bits } from "./bits.ts";

// A CommonJS module: both runtimes have the class as the default of its default.
const BTree = sortedBtree.default;

/** A beginning that stands at more places than this is a broad one. */
const BROAD = 1_000;
/** Broad beginnings are few by nature; so many are kept. */
const MAX_KEPT = 500;
/** So many candidates are asked one by one. */
const ASK_AT_MOST = 500;

function compareWords(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Words and the places (small numbers) of what has them. */
export class WordIndex {
  readonly #placesOf = new Map<string, number[]>();
  readonly #sorted = new BTree<string, number[]>(undefined, compareWords);
  readonly #wordsAt: (ReadonlySet<string> | undefined)[] = [];
  readonly #broad = new Map<string, Bits>();

  /** Replaces the words of a place; undefined when nothing is there any more. */
  set(place: number, words: ReadonlySet<string> | undefined): void {
    const before = this.#wordsAt[place];
    for (const word of before ?? []) if (words?.has(word) !== true) this.#remove(word, place);
    for (const word of words ?? []) if (before?.has(word) !== true) this.#add(word, place);
    this.#wordsAt[place] = words;
  }

  /** Places that have, for each of these, a word that begins so; `size` is beyond every place. */
  find(beginnings: readonly string[], size: number): Bits {
    let result: Bits | undefined;
    const broad: string[] = [];
    for (const beginning of beginnings) {
      const bits = this.#broad.has(beginning) ? undefined : this.#collect(beginning, { size, atMost: BROAD });
      if (bits === undefined) broad.push(beginning);
      else if (result === undefined) result = bits;
      else result.intersect(bits);
    }
    for (const beginning of broad) {
      if (result !== undefined && result.count() <= ASK_AT_MOST) {
        result = result.filter((place) => this.#hasBeginning(place, beginning));
        continue;
      }
      const bits = this.#collectBroad(beginning, size);
      if (result === undefined) result = bits.copy();
      else result.intersect(bits);
    }
    return result ?? new Bits();
  }

  #add(word: string, place: number): void {
    this.#forget(word);
    const places = this.#placesOf.get(word);
    if (places !== undefined) {
      places.push(place);
      return;
    }
    const first = [place];
    this.#placesOf.set(word, first);
    this.#sorted.set(word, first);
  }

  #remove(word: string, place: number): void {
    this.#forget(word);
    const places = this.#placesOf.get(word);
    const at = places?.indexOf(place) ?? -1;
    if (places === undefined || at === -1) return;
    const last = places.pop();
    if (last !== undefined && at < places.length) places[at] = last;
    if (places.length > 0) return;
    this.#placesOf.delete(word);
    this.#sorted.delete(word);
  }

  /** What was gathered for beginnings of a word that changes is right no more. */
  #forget(word: string): void {
    if (this.#broad.size === 0) return;
    for (let length = 1; length <= word.length; length += 1) this.#broad.delete(word.slice(0, length));
  }

  /** Places with words that begin so; undefined when there are more than `atMost`, a place counting for each word. */
  #collect(beginning: string, { size, atMost }: { size: number; atMost: number }): Bits | undefined {
    const bits = new Bits(size);
    let count = 0;
    for (const [word, places] of this.#sorted.entries(beginning)) {
      if (!word.startsWith(beginning)) break;
      count += places.length;
      if (count > atMost) return undefined;
      for (const place of places) bits.add(place);
    }
    return bits;
  }

  #collectBroad(beginning: string, size: number): Bits {
    const known = this.#broad.get(beginning);
    if (known !== undefined) return known;
    const bits = this.#collect(beginning, { size, atMost: Number.POSITIVE_INFINITY }) ?? new Bits();
    const oldest = this.#broad.size < MAX_KEPT ? undefined : this.#broad.keys().next().value;
    if (oldest !== undefined) this.#broad.delete(oldest);
    this.#broad.set(beginning, bits);
    return bits;
  }

  #hasBeginning(place: number, beginning: string): boolean {
    for (const word of this.#wordsAt[place] ?? []) if (word.startsWith(beginning)) return true;
    return false;
  }
}
