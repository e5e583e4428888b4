/**
 * Rows of one server in few bytes, oldest first: time and values as differences to the row before. Nothing is lost:
 * what does not fit is written out.
 */
import { ByteReader, createByteWriter } from "../../kit/text/varint.ts";
import type { MetricKind } from "../base/metric.ts";

/** Differences below this are exact as signed varints. */
const EXACT = 2 ** 51;
const FRACTION_SCALE = 100;
/** How a changed value is written; from FIRST_DIFFERENCE on the number itself says it. */
const ABSENT = 0;
const WRITTEN_OUT = 1;
const FIRST_DIFFERENCE = 2;

const writer = createByteWriter();
const reader = new ByteReader();
const bits = new DataView(new ArrayBuffer(8));

/** A fraction as a whole number of hundredths; undefined when it is none. */
function toHundredths(value: number): number | undefined {
  const hundredths = Math.round(value * FRACTION_SCALE);
  const isSame = Math.fround(hundredths / FRACTION_SCALE) === value && !Object.is(value, -0);
  return isSame && Math.abs(hundredths) < EXACT ? hundredths : undefined;
}

/** The number whose difference is written: hundredths of a fraction, a whole number itself. */
function toNumber(kind: MetricKind | undefined, value: number): number | undefined {
  if (kind === "fraction") return toHundredths(value);
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : undefined;
}

function writeValue(kind: MetricKind | undefined, before: number, value: number): void {
  if (Number.isNaN(value)) return writer.varint(ABSENT);
  const number = toNumber(kind, value);
  const difference = (number ?? Number.NaN) - (toNumber(kind, before) ?? 0);
  if (Math.abs(difference) < EXACT) {
    const zigzag = difference >= 0 ? difference * 2 : -difference * 2 - 1;
    return writer.varint(zigzag + FIRST_DIFFERENCE);
  }
  writer.varint(WRITTEN_OUT);
  bits.setFloat64(0, value);
  writer.uint32(bits.getUint32(0));
  writer.uint32(bits.getUint32(4));
}

function readValue(kind: MetricKind | undefined, before: number): number {
  const code = reader.varint();
  if (code === ABSENT) return Number.NaN;
  if (code === WRITTEN_OUT) {
    bits.setUint32(0, reader.uint32());
    bits.setUint32(4, reader.uint32());
    return bits.getFloat64(0);
  }
  const zigzag = code - FIRST_DIFFERENCE;
  const difference = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  const number = (toNumber(kind, before) ?? 0) + difference;
  return kind === "fraction" ? Math.fround(number / FRACTION_SCALE) : number;
}

/** Writes a row after `before`; both are the time and then the values. */
function writeRow(kinds: readonly MetricKind[], before: Float64Array, row: Float64Array): Uint8Array {
  writer.clear();
  writer.signed((row[0] ?? 0) - (before[0] ?? 0));
  for (let first = 0; first < kinds.length; first += 8) {
    let changed = 0;
    for (let metric = first; metric < Math.min(first + 8, kinds.length); metric += 1)
      if (!Object.is(row[metric + 1], before[metric + 1])) changed |= 1 << (metric - first);
    writer.byte(changed);
    for (let metric = first; changed >> (metric - first) !== 0; metric += 1)
      if ((changed >> (metric - first)) & 1)
        writeValue(kinds[metric], before[metric + 1] ?? Number.NaN, row[metric + 1] ?? Number.NaN);
  }
  return writer.view();
}

/** Turns `row` from the row before into the next one. */
function readRow(kinds: readonly MetricKind[], row: Float64Array): void {
  row[0] = (row[0] ?? 0) + reader.signed();
  for (let first = 0; first < kinds.length; first += 8) {
    const changed = reader.byte();
    for (let metric = first; changed >> (metric - first) !== 0; metric += 1)
      if ((changed >> (metric - first)) & 1)
        row[metric + 1] = readValue(kinds[metric], row[metric + 1] ?? Number.NaN);
  }
}

/** Rows that follow each other in time. */
export class PackedRows {
  readonly #kinds: readonly MetricKind[];
  /** The last row; freed once no more come. */
  #last: Float64Array | undefined;
  #bytes = new Uint8Array(0);
  #used = 0;
  count = 0;
  /** Time of the first row; of none: 0. */
  firstAt = 0;
  lastAt = 0;

  constructor(kinds: readonly MetricKind[]) {
    this.#kinds = kinds;
  }

  get sizeBytes(): number {
    return this.#bytes.byteLength + (this.#last?.byteLength ?? 0);
  }

  /** Adds a row, the time and then the values, later than the last one. */
  append(row: Float64Array): void {
    const last = this.#last ?? new Float64Array(this.#kinds.length + 1);
    this.#last = last;
    const written = writeRow(this.#kinds, last, row);
    this.#makeRoom(written.length);
    this.#bytes.set(written, this.#used);
    this.#used += written.length;
    last.set(row);
    this.lastAt = row[0] ?? 0;
    if (this.count === 0) this.firstAt = this.lastAt;
    this.count += 1;
  }

  /** No more rows come: gives back what was held for them. */
  seal(): void {
    this.#bytes = this.#bytes.slice(0, this.#used);
    this.#last = undefined;
  }

  /** Reads all rows, one after another, into `into`. */
  unpack(into: Float64Array): void {
    const width = this.#kinds.length + 1;
    reader.reset(this.#bytes);
    into.fill(0, 0, width);
    for (let index = 0; index < this.count; index += 1) {
      if (index > 0) into.copyWithin(index * width, (index - 1) * width, index * width);
      readRow(this.#kinds, into.subarray(index * width, (index + 1) * width));
    }
  }

  #makeRoom(more: number): void {
    if (this.#used + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 1.5, this.#used + more + 128));
    larger.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = larger;
  }
}

/** Creates packed rows without rows; of the kinds of its metrics. */
export function createPackedRows(kinds: readonly MetricKind[]): PackedRows {
  return new PackedRows(kinds);
}
