/**
 * The points of one server in memory: times and metric rows, sorted by time. Hidden here: how values are
 * split into 32-bit words, and a ring that grows slowly. The upper half of most whole numbers never changes,
 * so whole numbers are exact and still take four bytes.
 */
import type { MetricKind } from "../metric-names.ts";
import { createWordTable } from "./word-table.ts";

const GROWTH = 64;
const WORD = 2 ** 32;
/** As the upper word of a whole number: no value. Real ones stay below 2^21. */
const ABSENT_HIGH = 0xffff_ffff;

const float = new DataView(new ArrayBuffer(4));

function toFloatBits(value: number): number {
  float.setFloat32(0, value);
  return float.getUint32(0);
}

function fromFloatBits(bits: number): number {
  float.setUint32(0, bits);
  return float.getFloat32(0);
}

/** Where a metric's words stand among all words of a point. A fraction takes one, a whole number two. */
export interface PointLayout {
  readonly wordCount: number;
  readonly kinds: readonly MetricKind[];
  /** First word of each metric; words 0 and 1 are the time. */
  readonly firstWords: readonly number[];
  /** Holds one point while it is inserted. */
  readonly scratch: Uint32Array;
}

/** Lays out points of metrics of these kinds. */
export function createPointLayout(kinds: readonly MetricKind[]): PointLayout {
  const firstWords: number[] = [];
  let wordCount = 2;
  for (const kind of kinds) {
    firstWords.push(wordCount);
    wordCount += kind === "fraction" ? 1 : 2;
  }
  return { wordCount, kinds, firstWords, scratch: new Uint32Array(wordCount) };
}

function encodePoint(layout: PointLayout, at: number, row: ArrayLike<number>): Uint32Array {
  const { scratch: words, kinds } = layout;
  words[0] = at % WORD;
  words[1] = Math.floor(at / WORD);
  let word = 2;
  for (let metric = 0; metric < kinds.length; metric += 1) {
    const value = row[metric] ?? Number.NaN;
    const isAbsent = Number.isNaN(value);
    if (kinds[metric] === "fraction") {
      words[word++] = toFloatBits(value);
    } else {
      words[word++] = isAbsent ? 0 : value % WORD;
      words[word++] = isAbsent ? ABSENT_HIGH : Math.floor(value / WORD);
    }
  }
  return words;
}

function decodeValue(layout: PointLayout, metric: number, read: (word: number) => number): number {
  const first = layout.firstWords[metric];
  if (first === undefined) return Number.NaN;
  if (layout.kinds[metric] === "fraction") return fromFloatBits(read(first));
  const high = read(first + 1);
  return high === ABSENT_HIGH ? Number.NaN : read(first) + high * WORD;
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
  insert(at: number, row: ArrayLike<number>): void;
  /** Drops points before `at`. */
  dropBefore(at: number): void;
  /** Bytes of the points. */
  readonly sizeBytes: number;
}

/** Makes the points of one server, at most `maxPoints`. */
export function createPointRing(layout: PointLayout, maxPoints: number): PointRing {
  const table = createWordTable(layout.wordCount);
  let start = 0;
  let count = 0;

  function slotOf(index: number): number {
    const slot = start + index;
    return slot < table.capacity ? slot : slot - table.capacity;
  }

  function timeAt(index: number): number {
    const slot = slotOf(index);
    return table.read(0, slot) + table.read(1, slot) * WORD;
  }

  function lowerBound(at: number): number {
    // Most questions are about an end: a new point comes last, and what has passed lies first.
    if (count === 0 || timeAt(count - 1) < at) return count;
    if (timeAt(0) >= at) return 0;
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
    start = slotOf(dropped);
    count -= dropped;
  }

  function makeRoom(words: Uint32Array): void {
    if (count === 0) table.reset(words);
    const isFull = count === table.capacity && count < maxPoints;
    if (!isFull && !table.isNew(words)) return;
    const slots = Array.from({ length: count }, (_, index) => slotOf(index));
    table.rebuild(isFull ? Math.min(maxPoints, count + GROWTH) : table.capacity, slots, words);
    start = 0;
  }

  /** Moves the points from `index` on one place up. */
  function openGap(index: number): void {
    for (let to = count; to > index; to -= 1) table.copy(slotOf(to - 1), slotOf(to));
    count += 1;
  }

  return {
    get count() {
      return count;
    },
    get sizeBytes() {
      return table.sizeBytes;
    },
    at: timeAt,
    value: (index, metric) => decodeValue(layout, metric, (word) => table.read(word, slotOf(index))),
    lowerBound,
    insert(at, row) {
      let index = lowerBound(at);
      const isReplaced = index < count && timeAt(index) === at;
      if (!isReplaced && count === maxPoints) {
        if (index === 0) return;
        dropFirst(1);
        index -= 1;
      }
      const words = encodePoint(layout, at, row);
      makeRoom(words);
      if (!isReplaced) openGap(index);
      table.write(slotOf(index), words);
    },
    dropBefore(at) {
      const dropped = lowerBound(at);
      if (dropped > 0) dropFirst(dropped);
    },
  };
}
