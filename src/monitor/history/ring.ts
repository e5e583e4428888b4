/**
 * The points of one server in memory: times and metric rows, sorted by time. Hidden here: columns of
 * 32-bit words, of which only those whose value has ever changed take room, and a ring that grows slowly.
 */
import type { MetricKind, MetricRow } from "../metric-names.ts";

const GROWTH = 64;
const WORD = 2 ** 32;
/** As the upper word of a whole number: no value. Real ones stay below 2^21. */
const ABSENT_HIGH = 0xffff_ffff;
const CONSTANT = -1;

const scratch = new DataView(new ArrayBuffer(4));

function toFloatBits(value: number): number {
  scratch.setFloat32(0, value);
  return scratch.getUint32(0);
}

function fromFloatBits(bits: number): number {
  scratch.setUint32(0, bits);
  return scratch.getFloat32(0);
}

/** Where a metric's words stand among all words of a point. A fraction takes one, a whole number two. */
export interface PointLayout {
  readonly wordCount: number;
  readonly kinds: readonly MetricKind[];
  /** First word of each metric; words 0 and 1 are the time. */
  readonly firstWords: readonly number[];
}

/** Lays out points of metrics of these kinds. */
export function createPointLayout(kinds: readonly MetricKind[]): PointLayout {
  const firstWords: number[] = [];
  let wordCount = 2;
  for (const kind of kinds) {
    firstWords.push(wordCount);
    wordCount += kind === "fraction" ? 1 : 2;
  }
  return { wordCount, kinds, firstWords };
}

function encodePoint(layout: PointLayout, at: number, row: MetricRow): Uint32Array {
  const words = new Uint32Array(layout.wordCount);
  words[0] = at % WORD;
  words[1] = Math.floor(at / WORD);
  for (const [metric, first] of layout.firstWords.entries()) {
    const value = row[metric] ?? Number.NaN;
    if (layout.kinds[metric] === "fraction") {
      words[first] = toFloatBits(value);
    } else {
      words[first] = Number.isNaN(value) ? 0 : value % WORD;
      words[first + 1] = Number.isNaN(value) ? ABSENT_HIGH : Math.floor(value / WORD);
    }
  }
  return words;
}

/** One server's points, oldest first. Indexes count from the oldest. */
export interface PointRing {
  readonly count: number;
  at(index: number): number;
  /** The metric's value; NaN when the point has none. */
  value(index: number, metric: number): number;
  /** The first index whose time is `at` or later. */
  lowerBound(at: number): number;
  /** Puts a point in its place, in place of one of the same time, and drops the oldest when full. */
  insert(at: number, row: MetricRow): void;
  /** Drops points before `at`. */
  dropBefore(at: number): void;
  /** Bytes of the points. */
  readonly sizeBytes: number;
}

/** Makes the points of one server, at most `maxPoints`. */
export function createPointRing(layout: PointLayout, maxPoints: number): PointRing {
  /** Per word: its column in `block`, or CONSTANT while all points share `constants[word]`. */
  const columns = new Int16Array(layout.wordCount).fill(CONSTANT);
  const constants = new Uint32Array(layout.wordCount);
  let block = new Uint32Array(0);
  let columnCount = 0;
  let capacity = 0;
  let start = 0;
  let count = 0;

  function slotOf(index: number): number {
    const slot = start + index;
    return slot < capacity ? slot : slot - capacity;
  }

  function read(word: number, index: number): number {
    const column = columns[word] ?? CONSTANT;
    return (column === CONSTANT ? constants[word] : block[column * capacity + slotOf(index)]) ?? 0;
  }

  function rebuild(newCapacity: number, newColumns: readonly number[]): void {
    const larger = new Uint32Array((columnCount + newColumns.length) * newCapacity);
    for (let word = 0; word < layout.wordCount; word += 1) {
      const column = columns[word] ?? CONSTANT;
      if (column === CONSTANT) continue;
      for (let index = 0; index < count; index += 1) larger[column * newCapacity + index] = read(word, index);
    }
    for (const word of newColumns) {
      larger.fill(constants[word] ?? 0, columnCount * newCapacity, columnCount * newCapacity + count);
      columns[word] = columnCount;
      columnCount += 1;
    }
    block = larger;
    capacity = newCapacity;
    start = 0;
  }

  /** Makes columns for the words in which this point differs from all before. */
  function widen(words: Uint32Array): void {
    if (count === 0) {
      // Nothing is kept of what went before: the point sets all constants, and old columns stay in use.
      constants.set(words);
      return;
    }
    const changed: number[] = [];
    for (let word = 0; word < words.length; word += 1) {
      if (columns[word] === CONSTANT && constants[word] !== words[word]) changed.push(word);
    }
    const isFull = count === capacity && capacity < maxPoints;
    if (changed.length === 0 && !isFull) return;
    rebuild(isFull ? Math.min(maxPoints, capacity + GROWTH) : capacity, changed);
  }

  function write(words: Uint32Array, index: number): void {
    const slot = slotOf(index);
    for (let word = 0; word < words.length; word += 1) {
      const column = columns[word] ?? CONSTANT;
      if (column !== CONSTANT) block[column * capacity + slot] = words[word] ?? 0;
    }
  }

  /** Moves the points from `index` on one place up; the last place is free. */
  function openGap(index: number): void {
    for (let column = 0; column < columnCount; column += 1) {
      const first = column * capacity;
      for (let to = count; to > index; to -= 1) block[first + slotOf(to)] = block[first + slotOf(to - 1)] ?? 0;
    }
  }

  function timeAt(index: number): number {
    return read(0, index) + read(1, index) * WORD;
  }

  function lowerBound(at: number): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (timeAt(middle) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function dropFirst(dropped: number): void {
    count -= dropped;
    start = count === 0 ? 0 : slotOf(dropped);
  }

  return {
    get count() {
      return count;
    },
    at: timeAt,
    value(index, metric) {
      const first = layout.firstWords[metric];
      if (first === undefined) return Number.NaN;
      if (layout.kinds[metric] === "fraction") return fromFloatBits(read(first, index));
      const high = read(first + 1, index);
      return high === ABSENT_HIGH ? Number.NaN : read(first, index) + high * WORD;
    },
    lowerBound,
    insert(at, row) {
      let index = count > 0 && timeAt(count - 1) < at ? count : lowerBound(at);
      const isReplaced = index < count && timeAt(index) === at;
      if (!isReplaced && count === maxPoints) {
        if (index === 0) return;
        dropFirst(1);
        index -= 1;
      }
      const words = encodePoint(layout, at, row);
      if (capacity === 0) capacity = Math.min(GROWTH, maxPoints);
      widen(words);
      if (!isReplaced) {
        openGap(index);
        count += 1;
      }
      write(words, index);
    },
    dropBefore(at) {
      const dropped = lowerBound(at);
      if (dropped > 0) dropFirst(dropped);
    },
    get sizeBytes() {
      return block.byteLength + columns.byteLength + constants.byteLength;
    },
  };
}
