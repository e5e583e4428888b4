/**
 * Spans as bytes. Whole numbers are exact and written as differences; others as float32; a constant column is
 * written once.
 */
import type { ByteReader, ByteWriter } from "../../../kit/text/varint.ts";
import { STATS, createStats } from "./bucket.ts";
import type { RollupBucket } from "./rollups.ts";

/** How a column of a span is written: four bits, of which the upper one says that its count is its own. */
const codes = {
  absent: 0,
  wholeStill: 1,
  whole: 2,
  wholeLargeSum: 3,
  fractionStill: 4,
  fraction: 5,
  exact: 6,
} as const;
type Code = (typeof codes)[keyof typeof codes];
const OWN_COUNT = 8;
const MAX_COLUMNS = 1_024;
/** Differences up to this can be written, with their sign. */
const MAX_DIFFERENCE = 2 ** 52 - 1;
const MAX_FLOAT32 = 3.4e38;

const double = new DataView(new ArrayBuffer(8));

function writeDouble(writer: ByteWriter, value: number): void {
  double.setFloat64(0, value, true);
  writer.uint32(double.getUint32(0, true));
  writer.uint32(double.getUint32(4, true));
}

function readDouble(reader: ByteReader): number {
  double.setUint32(0, reader.uint32(), true);
  double.setUint32(4, reader.uint32(), true);
  return double.getFloat64(0, true);
}

interface Column {
  count: number;
  min: number;
  max: number;
  sum: number;
  /** The least of the span before, 0 at first. */
  before: number;
}

function chooseWhole({ count, min, max, sum }: Column): Code {
  if (min === max && sum === min * count) return codes.wholeStill;
  const above = sum - min * count;
  const isExact = Number.isSafeInteger(sum) && Number.isSafeInteger(min * count);
  return isExact && above >= 0 && Number.isSafeInteger(above) ? codes.whole : codes.wholeLargeSum;
}

function chooseCode(column: Column): Code {
  const { count, min, max, before } = column;
  if (count === 0) return codes.absent;
  if (Number.isInteger(min) && Number.isInteger(max)) {
    const isNear = Math.abs(min - before) <= MAX_DIFFERENCE && max - min <= MAX_DIFFERENCE;
    return isNear && Number.isSafeInteger(min) ? chooseWhole(column) : codes.exact;
  }
  if (Math.abs(min) > MAX_FLOAT32 || Math.abs(max) > MAX_FLOAT32) return codes.exact;
  return min === max ? codes.fractionStill : codes.fraction;
}

function writeColumn(writer: ByteWriter, code: Code, { count, min, max, sum, before }: Column): void {
  switch (code) {
    case codes.absent:
      return;
    case codes.wholeStill:
      return writer.signed(min - before);
    case codes.whole:
      writer.signed(min - before);
      writer.varint(max - min);
      return writer.varint(sum - min * count);
    case codes.wholeLargeSum:
      writer.signed(min - before);
      writer.varint(max - min);
      return writeDouble(writer, sum);
    case codes.fractionStill:
      return writer.float32(min);
    case codes.fraction:
      writer.float32(min);
      writer.float32(max);
      return writer.float32(sum / count);
    case codes.exact:
      writeDouble(writer, min);
      writeDouble(writer, max);
      return writeDouble(writer, sum);
  }
}

function readColumn(reader: ByteReader, code: number, column: Column): void {
  switch (code) {
    case codes.wholeStill:
    case codes.whole:
    case codes.wholeLargeSum:
      column.min = column.before + reader.signed();
      column.max = column.min + (code === codes.wholeStill ? 0 : reader.varint());
      column.sum = column.min * column.count;
      if (code === codes.whole) column.sum += reader.varint();
      if (code === codes.wholeLargeSum) column.sum = readDouble(reader);
      return;
    case codes.fractionStill:
      column.min = reader.float32();
      column.max = column.min;
      column.sum = column.min * column.count;
      return;
    case codes.fraction:
      column.min = reader.float32();
      column.max = reader.float32();
      column.sum = reader.float32() * column.count;
      return;
    case codes.exact:
      column.min = readDouble(reader);
      column.max = readDouble(reader);
      column.sum = readDouble(reader);
      return;
    default:
      throw new RangeError(`Spans of an unknown form ${code}`);
  }
}

/** State for the next span: the last minimum as a whole number. */
function remember(before: Float64Array, index: number, code: number, min: number): void {
  if (code === codes.wholeStill || code === codes.whole || code === codes.wholeLargeSum) before[index] = min;
}

function writeBucket(writer: ByteWriter, stats: Float64Array, before: Float64Array): void {
  const columns = stats.length / STATS;
  let most = 0;
  for (let index = 0; index < columns; index += 1) most = Math.max(most, stats[index * STATS] ?? 0);
  writer.varint(most);
  const chosen: Code[] = [];
  const read = (index: number): Column => ({
    count: stats[index * STATS] ?? 0,
    min: stats[index * STATS + 1] ?? 0,
    max: stats[index * STATS + 2] ?? 0,
    sum: stats[index * STATS + 3] ?? 0,
    before: before[index] ?? 0,
  });
  const nibble = (index: number): number => {
    if (index >= columns) return 0;
    const column = read(index);
    const code = chooseCode(column);
    chosen.push(code);
    return code | (code !== codes.absent && column.count !== most ? OWN_COUNT : 0);
  };
  for (let index = 0; index < columns; index += 2) {
    const low = nibble(index);
    writer.byte(low | (nibble(index + 1) << 4));
  }
  for (const [index, code] of chosen.entries()) {
    const column = read(index);
    if (code !== codes.absent && column.count !== most) writer.varint(column.count);
    writeColumn(writer, code, column);
    remember(before, index, code, column.min);
  }
}

/** Writes the spans of one key, sorted by time. */
export function writeBuckets(writer: ByteWriter, buckets: readonly RollupBucket[]): void {
  const columns = buckets.reduce((most, { stats }) => Math.max(most, stats.length / STATS), 0);
  writer.varint(buckets.length);
  writer.varint(columns);
  const before = new Float64Array(columns);
  let lastAt = 0;
  for (const { at, stats } of buckets) {
    writer.signed(at - lastAt);
    lastAt = at;
    if (stats.length === columns * STATS) {
      writeBucket(writer, stats, before);
      continue;
    }
    // A span from a time when there were fewer columns.
    const wider = createStats(columns);
    wider.set(stats);
    writeBucket(writer, wider, before);
  }
}

function readBucket(reader: ByteReader, nibbles: Uint8Array, before: Float64Array): Float64Array {
  const columns = before.length;
  const stats = createStats(columns);
  const most = reader.varint();
  for (let index = 0; index < nibbles.length; index += 1) nibbles[index] = reader.byte();
  const column: Column = { count: 0, min: 0, max: 0, sum: 0, before: 0 };
  for (let index = 0; index < columns; index += 1) {
    const nibble = ((nibbles[index >> 1] ?? 0) >> (index % 2 === 0 ? 0 : 4)) & 0x0f;
    const code = nibble & ~OWN_COUNT;
    if (code === codes.absent) continue;
    column.count = (nibble & OWN_COUNT) === 0 ? most : reader.varint();
    column.before = before[index] ?? 0;
    readColumn(reader, code, column);
    const base = index * STATS;
    stats[base] = column.count;
    stats[base + 1] = column.min;
    stats[base + 2] = column.max;
    stats[base + 3] = column.sum;
    remember(before, index, code, column.min);
  }
  return stats;
}

/** Reads what {@link writeBuckets} wrote. @throws RangeError when the bytes are something else */
export function readBuckets(reader: ByteReader): RollupBucket[] {
  const count = reader.varint();
  const columns = reader.varint();
  if (columns > MAX_COLUMNS) throw new RangeError("Too many columns");
  const before = new Float64Array(columns);
  const nibbles = new Uint8Array(Math.ceil(columns / 2));
  const buckets: RollupBucket[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    at += reader.signed();
    buckets.push({ at, stats: readBucket(reader, nibbles, before) });
  }
  return buckets;
}
