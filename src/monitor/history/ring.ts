/** The points of one server in memory, sorted by time. */
import { findFirst } from "../../kit/find-first.ts";
import type { MetricKind } from "../base/metric.ts";
import { type PackedRows, createPackedRows } from "./packed-rows.ts";

/** Points of a piece. More would pack a little better and cost more to read. */
const PIECE = 32;
/** A piece that late points made this long is cut in two. */
const LONGEST = 2 * PIECE;

/** Shared by all servers' points: the kinds of the metrics, and the piece that was read last. */
export interface PointLayout {
  readonly kinds: readonly MetricKind[];
  /** Numbers of a point: its time, and the metrics. */
  readonly width: number;
  /** A point while it is inserted. */
  readonly scratch: Float64Array;
  /** The rows of `unpackedFrom`, as many as it had. */
  readonly unpacked: Float64Array;
  unpackedFrom: PackedRows | undefined;
  unpackedCount: number;
}

/** Lays out points of metrics of these kinds. */
export function createPointLayout(kinds: readonly MetricKind[]): PointLayout {
  const width = kinds.length + 1;
  return {
    kinds,
    width,
    scratch: new Float64Array(width),
    unpacked: new Float64Array(width * (LONGEST + 1)),
    unpackedFrom: undefined,
    unpackedCount: 0,
  };
}

/** The rows of a piece; valid until another is unpacked. */
function unpack(layout: PointLayout, piece: PackedRows): Float64Array {
  if (layout.unpackedFrom !== piece || layout.unpackedCount !== piece.count) {
    piece.unpack(layout.unpacked);
    layout.unpackedFrom = piece;
    layout.unpackedCount = piece.count;
  }
  return layout.unpacked;
}

/** The first of `count` rows whose time is `at` or later. */
function findRow(rows: Float64Array, width: number, { count, at }: { count: number; at: number }): number {
  return findFirst(count, (place) => (rows[place * width] ?? Number.NaN) < at);
}

/** One server's points, oldest first. Indexes count from the oldest. */
export class PointRing {
  readonly #layout: PointLayout;
  readonly #maxPoints: number;
  /** Oldest first; none is empty. */
  #pieces: PackedRows[] = [];
  count = 0;

  constructor(layout: PointLayout, maxPoints: number) {
    this.#layout = layout;
    this.#maxPoints = maxPoints;
  }

  /** Bytes of the points. */
  get sizeBytes(): number {
    return this.#pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  at(index: number): number {
    return this.#read(index, 0);
  }

  /** The metric's value; NaN when the point has none. */
  value(index: number, metric: number): number {
    return this.#read(index, metric + 1);
  }

  /** The first index whose time is `at` or later. */
  lowerBound(at: number): number {
    let before = 0;
    for (const piece of this.#pieces) {
      if (piece.lastAt >= at) {
        if (piece.firstAt >= at) return before;
        const { width } = this.#layout;
        return before + findRow(unpack(this.#layout, piece), width, { count: piece.count, at });
      }
      before += piece.count;
    }
    return this.count;
  }

  /** Puts a point in its place, in place of one of the same time, and drops old ones when there are too many. */
  insert(at: number, row: ArrayLike<number>): void {
    const { scratch, kinds } = this.#layout;
    scratch[0] = at;
    for (let metric = 0; metric < kinds.length; metric += 1) {
      const value = row[metric] ?? Number.NaN;
      scratch[metric + 1] = kinds[metric] === "fraction" ? Math.fround(value) : value;
    }
    const last = this.#pieces.at(-1);
    if (last === undefined || at > last.lastAt) this.#append(last);
    else this.#insertLate(at);
    const [first] = this.#pieces;
    if (first !== undefined && this.count - first.count >= this.#maxPoints) this.#dropFirst();
  }

  /** Drops pieces whose points all lie before `at`. */
  dropBefore(at: number): void {
    while ((this.#pieces[0]?.lastAt ?? Number.POSITIVE_INFINITY) < at) this.#dropFirst();
  }

  #read(index: number, column: number): number {
    let left = index;
    for (const piece of this.#pieces) {
      if (left < piece.count)
        return unpack(this.#layout, piece)[left * this.#layout.width + column] ?? Number.NaN;
      left -= piece.count;
    }
    return Number.NaN;
  }

  #append(last: PackedRows | undefined): void {
    let piece = last;
    if (piece === undefined || piece.count >= PIECE) {
      piece?.seal();
      piece = createPackedRows(this.#layout.kinds);
      this.#pieces.push(piece);
    }
    piece.append(this.#layout.scratch);
    this.count += 1;
  }

  /** Packs the piece that the point belongs to again. */
  #insertLate(at: number): void {
    const { width, scratch } = this.#layout;
    const place = this.#pieces.findIndex(({ lastAt }) => lastAt >= at);
    const piece = this.#pieces[place];
    if (piece === undefined) return;
    const rows = unpack(this.#layout, piece);
    this.#layout.unpackedFrom = undefined; // it is changed here
    const index = findRow(rows, width, { count: piece.count, at });
    const isReplaced = rows[index * width] === at;
    if (!isReplaced) rows.copyWithin((index + 1) * width, index * width, piece.count * width);
    rows.set(scratch, index * width);
    const count = piece.count + (isReplaced ? 0 : 1);
    this.count += count - piece.count;
    const isLast = place === this.#pieces.length - 1;
    this.#pieces.splice(place, 1, ...this.#pack(rows, { count, isLast }));
  }

  #pack(rows: Float64Array, { count, isLast }: { count: number; isLast: boolean }): PackedRows[] {
    const { width, kinds } = this.#layout;
    const size = count > LONGEST ? PIECE : count;
    const packed: PackedRows[] = [];
    for (let from = 0; from < count; from += size) {
      const piece = createPackedRows(kinds);
      for (let index = from; index < Math.min(from + size, count); index += 1)
        piece.append(rows.subarray(index * width, (index + 1) * width));
      packed.push(piece);
    }
    for (const piece of isLast ? packed.slice(0, -1) : packed) piece.seal();
    return packed;
  }

  #dropFirst(): void {
    this.count -= this.#pieces.shift()?.count ?? 0;
  }
}

/** Creates the points of one server: at least the newest `maxPoints`, and less than a piece more. */
export function createPointRing(layout: PointLayout, maxPoints: number): PointRing {
  return new PointRing(layout, maxPoints);
}
