/** Sets of small numbers, one bit each: products by their place in memory. */

function countOnes(word: number): number {
  let n = word - ((word >>> 1) & 0x5555_5555);
  n = (n & 0x3333_3333) + ((n >>> 2) & 0x3333_3333);
  return (((n + (n >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}

/** A set of numbers from 0 on; it grows by itself. */
export class Bits {
  #words: Uint32Array;

  /** An empty set with room for numbers below `size`, or one of these words of 32 bits. */
  constructor(from: number | Uint32Array = 0) {
    this.#words = typeof from === "number" ? new Uint32Array((from + 31) >>> 5) : from;
  }

  has(bit: number): boolean {
    return (((this.#words[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
  }

  add(bit: number): void {
    const index = bit >>> 5;
    if (index >= this.#words.length) {
      const larger = new Uint32Array(Math.max(index + 1, this.#words.length * 2));
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[index] = (this.#words[index] ?? 0) | (1 << (bit & 31));
  }

  remove(bit: number): void {
    const index = bit >>> 5;
    if (index < this.#words.length) this.#words[index] = (this.#words[index] ?? 0) & ~(1 << (bit & 31));
  }

  /** Keeps only what is in `other` too. */
  intersect(other: Bits): void {
    const [own, theirs] = [this.#words, other.#words];
    const shared = Math.min(own.length, theirs.length);
    for (let i = 0; i < shared; i += 1) own[i] = (own[i] ?? 0) & (theirs[i] ?? 0);
    own.fill(0, shared);
  }

  /** Adds what is in `other`. */
  unite(other: Bits): void {
    const theirs = other.#words;
    if (theirs.length > this.#words.length) {
      const larger = new Uint32Array(theirs.length);
      larger.set(this.#words);
      this.#words = larger;
    }
    const own = this.#words;
    for (let i = 0; i < theirs.length; i += 1) own[i] = (own[i] ?? 0) | (theirs[i] ?? 0);
  }

  /** Removes what is in `other`. */
  subtract(other: Bits): void {
    const [own, theirs] = [this.#words, other.#words];
    const shared = Math.min(own.length, theirs.length);
    for (let i = 0; i < shared; i += 1) own[i] = (own[i] ?? 0) & ~(theirs[i] ?? 0);
  }

  isEmpty(): boolean {
    const own = this.#words;
    for (let i = 0; i < own.length; i += 1) if (own[i] !== 0) return false;
    return true;
  }

  copy(): Bits {
    return new Bits(this.#words.slice());
  }

  count(): number {
    const own = this.#words;
    let sum = 0;
    for (let i = 0; i < own.length; i += 1) sum += countOnes(own[i] ?? 0);
    return sum;
  }

  /** A set of those for which `isKept` is true. */
  filter(isKept: (bit: number) => boolean): Bits {
    const kept = new Uint32Array(this.#words.length);
    for (let i = 0; i < this.#words.length; i += 1) {
      let rest = this.#words[i] ?? 0;
      let word = 0;
      while (rest !== 0) {
        const bit = 31 - Math.clz32(rest & -rest);
        if (isKept(i * 32 + bit)) word |= 1 << bit;
        rest &= rest - 1;
      }
      kept[i] = word;
    }
    return new Bits(kept);
  }

  /** All numbers of the set, ascending. */
  toArray(): number[] {
    const own = this.#words;
    const all: number[] = [];
    for (let i = 0; i < own.length; i += 1)
      for (let rest = own[i] ?? 0; rest !== 0; rest &= rest - 1)
        all.push(i * 32 + 31 - Math.clz32(rest & -rest));
    return all;
  }
}
