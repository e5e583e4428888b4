/**
 * Which products have a word. Hidden here: a sorted dictionary, in which all words of one beginning are
 * neighbours, and the places of the products that have each.
 */
import sortedBtree from "sorted-btree";
import type { Bits } from "./bits.ts";

// A CommonJS module: both runtimes have the class as the default of its default.
const BTree = sortedBtree.default;

function compareWords(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Words (or tags, or categories) and the numbers that have them. */
export class WordIndex {
  readonly #places = new BTree<string, number[]>(undefined, compareWords);

  /** Number of distinct words. */
  get size(): number {
    return this.#places.size;
  }

  add(word: string, place: number): void {
    const places = this.#places.get(word);
    if (places === undefined) this.#places.set(word, [place]);
    else places.push(place);
  }

  remove(word: string, place: number): void {
    const places = this.#places.get(word);
    const at = places?.indexOf(place) ?? -1;
    if (places === undefined || at === -1) return;
    const last = places.pop();
    if (places.length === 0) this.#places.delete(word);
    else if (last !== undefined && at < places.length) places[at] = last;
  }

  /** Adds to `bits` what has exactly this word. */
  collect(word: string, bits: Bits): void {
    for (const place of this.#places.get(word) ?? []) bits.add(place);
  }

  /** Adds to `bits` what has a word that begins so. */
  collectPrefix(prefix: string, bits: Bits): void {
    for (const [word, places] of this.#places.entries(prefix)) {
      if (!word.startsWith(prefix)) return;
      for (const place of places) bits.add(place);
    }
  }
}
