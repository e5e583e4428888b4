/**
 * A table of 32-bit words, one row a slot. Hidden here: a word that is the same in all slots takes no room;
 * the others are columns of one block, because thousands of small arrays would cost more than their content.
 */

const CONSTANT = -1;

export interface WordTable {
  /** Slots there are. */
  readonly capacity: number;
  readonly sizeBytes: number;
  read(word: number, slot: number): number;
  /** Sets what all slots share; for a table without rows. */
  reset(words: Uint32Array): void;
  /** Whether a row must be preceded by `rebuild`, as it differs where all rows were equal. */
  isNew(words: Uint32Array): boolean;
  /** Makes a table of `capacity` slots that begins with the rows of `slots` and can take `words`. */
  rebuild(capacity: number, slots: readonly number[], words: Uint32Array): void;
  write(slot: number, words: Uint32Array): void;
  copy(fromSlot: number, toSlot: number): void;
}

/** Makes a table without slots. */
export function createWordTable(wordCount: number): WordTable {
  /** Per word: its column in `block`, or CONSTANT while all rows share `constants[word]`. */
  const columns = new Int16Array(wordCount).fill(CONSTANT);
  const constants = new Uint32Array(wordCount);
  let block = new Uint32Array(0);
  let columnCount = 0;
  let capacity = 0;

  function read(word: number, slot: number): number {
    const column = columns[word] ?? CONSTANT;
    return (column === CONSTANT ? constants[word] : block[column * capacity + slot]) ?? 0;
  }

  function differs(words: Uint32Array, word: number): boolean {
    return columns[word] === CONSTANT && constants[word] !== words[word];
  }

  return {
    get capacity() {
      return capacity;
    },
    get sizeBytes() {
      return block.byteLength + columns.byteLength + constants.byteLength;
    },
    read,
    reset: (words) => constants.set(words),
    isNew(words) {
      for (let word = 0; word < wordCount; word += 1) if (differs(words, word)) return true;
      return false;
    },
    rebuild(newCapacity, slots, words) {
      const added = [...words.keys()].filter((word) => differs(words, word));
      const larger = new Uint32Array((columnCount + added.length) * newCapacity);
      for (const [word, column] of columns.entries()) {
        if (column !== CONSTANT)
          for (const [index, slot] of slots.entries())
            larger[column * newCapacity + index] = read(word, slot);
      }
      for (const word of added) {
        larger.fill(
          constants[word] ?? 0,
          columnCount * newCapacity,
          columnCount * newCapacity + slots.length,
        );
        columns[word] = columnCount;
        columnCount += 1;
      }
      block = larger;
      capacity = newCapacity;
    },
    write(slot, words) {
      for (let word = 0; word < wordCount; word += 1) {
        const column = columns[word] ?? CONSTANT;
        if (column !== CONSTANT) block[column * capacity + slot] = words[word] ?? 0;
      }
    },
    copy(fromSlot, toSlot) {
      for (let first = 0; first < block.length; first += capacity)
        block[first + toSlot] = block[first + fromSlot] ?? 0;
    },
  };
}
