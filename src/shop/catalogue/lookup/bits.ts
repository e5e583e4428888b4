/** Sets of small numbers, one bit each: products by their place in memory. */

function countOnes(word: number): number {
  let n = word - ((word >>> 1) & 0x5555_5555);
  n = (n & 0x3333_3333) + ((n >>> 2) & 0x3333_3333);
  return (((n + (n >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}

/** A set of numbers from 0 on; it grows by itself. */
export class Bits {
  #words: Uint32Array;

  /** An empty set with room for numbers below `size`. */
  constructor(size: number = 0) {
    this.#words = new Uint32Array((size + 31) >>> 5);
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
    const theirs = other.#words;
    for (let i = 0; i < this.#words.length; i += 1) this.#words[i] = (this.#words[i] ?? 0) & (theirs[i] ?? 0);
  }

  copy(): Bits {
    const copied = new Bits();
    copied.#words = this.#words.slice();
    return copied;
  }

  count(): number {
    let sum = 0;
    for (const word of this.#words) sum += countOnes(word);
    return sum;
  }

  /** A set of those for which `isKept` is true. */
  filter(isKept: (bit: number) => boolean): Bits {
    const kept = new Bits();
    kept.#words = new Uint32Array(this.#words.length);
    for (let i = 0; i < this.#words.length; i += 1) {
      let rest = this.#words[i] ?? 0;
      let word = 0;
      while (rest !== 0) {
        const bit = 31 - Math.clz32(rest & -rest);
        if (isKept(i * 32 + bit)) word |= 1 << bit;
        rest &= rest - 1;
      }
      kept.#words[i] = word;
    }
    return kept;
  }

  /** All numbers of the set, ascending. */
  toArray(): number[] {
    const all: number[] = [];
    this.filter((bit) => {
      all.push(bit);
      return false;
    });
    return all;
  }
}
