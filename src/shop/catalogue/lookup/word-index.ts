/** Which products have which words. */
import { findFirst } from "../../../kit/find-first.ts";
import { Bits } from "./bits.ts";

/** A prefix with more matches than this is a broad one. */
const BROAD = 1_000;
/** Broad beginnings are few by nature; so many are kept. */
const MAX_KEPT = 500;
/** Up to this many candidates are checked one by one. */
const ASK_AT_MOST = 500;

/** Precedes each word of an item; no word contains it. */
const MARK = "\n";

/** Position of a word in a sorted list, or where to insert it. */
function findPlace(sorted: readonly string[], word: string): number {
  return findFirst(sorted.length, (place) => (sorted[place] ?? "") < word);
}

/**
 * Words and the items (small numbers) that contain them. Optimized for memory: most words occur in one item, whose
 * number is stored without an array around it, and the words of an item are one text.
 */
export class WordIndex {
  readonly #placesOf = new Map<string, number | number[]>();
  /** In the order of their characters; computed on first use. */
  #sorted: string[] | undefined;
  readonly #textAt: (string | undefined)[] = [];
  readonly #broad = new Map<string, Bits>();

  /** Replaces the words of an item; undefined when it was removed. */
  set(place: number, words: ReadonlySet<string> | undefined): void {
    const before = new Set(this.#textAt[place]?.split(MARK).slice(1));
    for (const word of before) if (words?.has(word) !== true) this.#remove(word, place);
    for (const word of words ?? []) if (!before.has(word)) this.#add(word, place);
    this.#textAt[place] = words === undefined ? undefined : ["", ...words].join(MARK);
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
    if (typeof places === "object") places.push(place);
    else this.#placesOf.set(word, places === undefined ? place : [places, place]);
    if (places === undefined) this.#sorted?.splice(findPlace(this.#sorted, word), 0, word);
  }

  #remove(word: string, place: number): void {
    this.#forget(word);
    const places = this.#placesOf.get(word);
    if (typeof places === "object") {
      places.splice(places.indexOf(place), 1);
      if (places.length > 0) return;
    }
    this.#placesOf.delete(word);
    this.#sorted?.splice(findPlace(this.#sorted, word), 1);
  }

  /** Cached prefixes of a changed word are stale. */
  #forget(word: string): void {
    if (this.#broad.size === 0) return;
    for (let length = 1; length <= word.length; length += 1) this.#broad.delete(word.slice(0, length));
  }

  /** Places with words that begin so; undefined when there are more than `atMost`, a place counting for each word. */
  #collect(beginning: string, { size, atMost }: { size: number; atMost: number }): Bits | undefined {
    const bits = new Bits(size);
    let count = 0;
    const sorted = (this.#sorted ??= [...this.#placesOf.keys()].sort());
    for (let at = findPlace(sorted, beginning); sorted[at]?.startsWith(beginning) === true; at += 1) {
      const places = this.#placesOf.get(sorted[at] ?? "") ?? [];
      count += typeof places === "number" ? 1 : places.length;
      if (count > atMost) return undefined;
      if (typeof places === "number") bits.add(places);
      else for (const place of places) bits.add(place);
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
    return this.#textAt[place]?.includes(MARK + beginning) === true;
  }
}
