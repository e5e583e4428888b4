/**
 * How a segment of the sample log looks inside its frames: one header, then rows. The row of the documented
 * report takes 103 bytes with its frame, so 3,000 agents at one report in 3 s write 8.9 GB a day and keep
 * some 130 MB. Their payloads would be 91 GB. Checkpoints of 3.5 kB an agent every 5 minutes add 3 GB.
 *
 *     header: 1, version, seq, base time, seq and sound bytes of the segment before, kinds
 *     row:    2, bytes since the last sync, key number (a new one is followed by the key),
 *             received at − base, at − received at, bitmap, values
 */
import { ByteReader, createByteReader, createByteWriter } from "../../../kit/text/varint.ts";
import type { SampleKind, SampleRow } from "./samples.ts";

/** Largest payload of a frame in a segment. */
export const maxRowBytes = 16 * 1024;
const MAX_KEY_BYTES = 512;
const MAX_COLUMNS = 1_024;
/** Since 2 keys name servers (`monitor/base/server-key.ts`); programs before it would leave such rows out. */
const VERSION = 2;

/** The header of every segment. */
export interface SegmentHeader {
  readonly seq: number;
  /** Unix epoch in milliseconds; times in rows are relative to it. */
  readonly baseMs: number;
  /** The segment with rows before this one (seq 0: none), and how much of it was durable. */
  readonly previous: { readonly seq: number; readonly durableBytes: number };
  readonly kinds: readonly SampleKind[];
}

type FrameType = "header" | "row";
const frameTypes: Readonly<Record<FrameType, number>> = { header: 1, row: 2 };

function expectType(reader: ByteReader, type: FrameType): void {
  if (reader.byte() !== frameTypes[type]) throw new RangeError(`Not a ${type} frame`);
}

/** The payload of a header frame. */
export function encodeHeader(header: SegmentHeader): Uint8Array {
  const writer = createByteWriter(64);
  writer.byte(frameTypes.header);
  writer.varint(VERSION);
  writer.varint(header.seq);
  writer.varint(header.baseMs);
  writer.varint(header.previous.seq);
  writer.varint(header.previous.durableBytes);
  writer.varint(header.kinds.length);
  for (const kind of header.kinds) writer.byte(kind === "fraction" ? 0 : 1);
  return writer.take();
}

/** Reads a header. @throws RangeError when it is none, or of a version that this program does not know. */
export function decodeHeader(payload: Uint8Array): SegmentHeader {
  const reader = createByteReader(payload);
  expectType(reader, "header");
  const version = reader.varint();
  if (version > VERSION) throw new RangeError(`Version ${version} is not known to this program`);
  const seq = reader.varint();
  const baseMs = reader.varint();
  const previous = { seq: reader.varint(), durableBytes: reader.varint() };
  const count = reader.varint();
  if (count > MAX_COLUMNS) throw new RangeError("Too many columns");
  const kinds = Array.from({ length: count }, (): SampleKind => (reader.byte() === 0 ? "fraction" : "whole"));
  return { seq, baseMs, previous, kinds };
}

/** Creates the function that encodes the rows of one segment, in order; it keeps the segment's numbers of keys. */
export function createRowEncoder(
  header: SegmentHeader,
): (row: SampleRow, unsyncedBytes: number) => Uint8Array {
  const { kinds, baseMs } = header;
  const numbers = new Map<string, number>();
  const writer = createByteWriter(512);
  const text = new TextEncoder();

  function writeKey(key: string): boolean {
    const known = numbers.get(key);
    writer.varint(known ?? numbers.size);
    if (known !== undefined) return false;
    const bytes = text.encode(key);
    if (bytes.length > MAX_KEY_BYTES) throw new RangeError(`A key must be at most ${MAX_KEY_BYTES} bytes`);
    writer.varint(bytes.length);
    writer.bytes(bytes);
    return true;
  }

  function writeValues(values: ArrayLike<number>): void {
    for (let first = 0; first < kinds.length; first += 8) {
      let bits = 0;
      for (let index = first; index < first + 8; index += 1) {
        const value = values[index];
        if (value !== undefined && !Number.isNaN(value)) bits |= 1 << (index - first);
      }
      writer.byte(bits);
    }
    for (let index = 0; index < kinds.length; index += 1) {
      const value = values[index];
      if (value === undefined || Number.isNaN(value)) continue;
      if (kinds[index] === "fraction") writer.float32(value);
      else writer.varint(value);
    }
  }

  return (row, unsyncedBytes) => {
    writer.clear();
    writer.byte(frameTypes.row);
    writer.varint(unsyncedBytes);
    const isNewKey = writeKey(row.key);
    writer.signed(row.receivedAt - baseMs);
    writer.signed(row.at - row.receivedAt);
    writeValues(row.values);
    // Only now: a row refused above must not use up a number.
    if (isNewKey) numbers.set(row.key, numbers.size);
    return writer.view();
  };
}

/** Creates the function that decodes the rows of one segment, in order. It throws RangeError on a malformed one. */
export function createRowDecoder(header: SegmentHeader): (payload: Uint8Array) => SampleRow {
  const { kinds, baseMs } = header;
  const keys: string[] = [];
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const reader = new ByteReader();
  const bitmap = new Uint8Array(Math.ceil(kinds.length / 8));

  function readKey(): string {
    const number = reader.varint();
    const known = keys[number];
    if (known !== undefined) return known;
    if (number !== keys.length) throw new RangeError("Key number out of order");
    const key = text.decode(reader.bytes(reader.varint()));
    keys.push(key);
    return key;
  }

  function readValues(): number[] {
    for (let index = 0; index < bitmap.length; index += 1) bitmap[index] = reader.byte();
    const values: number[] = [];
    for (let index = 0; index < kinds.length; index += 1) {
      const isPresent = ((bitmap[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
      values.push(!isPresent ? Number.NaN : kinds[index] === "fraction" ? reader.float32() : reader.varint());
    }
    return values;
  }

  return (payload) => {
    expectType(reader.reset(payload), "row");
    reader.varint();
    const key = readKey();
    const receivedAt = baseMs + reader.signed();
    const at = receivedAt + reader.signed();
    return { key, at, receivedAt, values: readValues() };
  };
}

/**
 * How many bytes of the segment were durable when the row whose frame starts at `offset` was written.
 * Undefined when the payload is no row.
 */
export function readDurableMark(payload: Uint8Array, offset: number): number | undefined {
  try {
    const reader = createByteReader(payload);
    expectType(reader, "row");
    return offset - reader.varint();
  } catch {
    return undefined;
  }
}
