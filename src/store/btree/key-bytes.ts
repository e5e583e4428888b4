/**
 * Keys as bytes in the order of `compareKeys`, so that a file of them is searched without making values of what it
 * holds. Each part is a tag and its content; texts go unit by unit of UTF-16, as `<` compares them.
 */
import type { IndexValue } from "../store.ts";
import type { Key, KeyPart } from "../keys.ts";

const FALSE = 1;
const TRUE = 2;
const NUMBER = 3;
const TEXT = 4;
/** Ends a text. One within a text is followed by `TOP`, which is no tag that could come after an end. */
const END = 0;
/** Sorts after every part. */
const TOP = 0xff;
const NUMBER_BYTES = 8;

let scratch = Buffer.allocUnsafe(16 * 1024);

function makeRoom(sizeBytes: number): void {
  if (sizeBytes <= scratch.byteLength) return;
  const larger = Buffer.allocUnsafe(2 * sizeBytes);
  scratch.copy(larger);
  scratch = larger;
}

/** A double whose bytes are in the order of its value: a negative one inverted, any other with its sign set. */
function writeNumber(value: number, offset: number): number {
  scratch.writeDoubleBE(value === 0 ? 0 : value, offset);
  if ((scratch[offset] ?? 0) < 0x80) scratch[offset] = (scratch[offset] ?? 0) | 0x80;
  else for (let i = offset; i < offset + NUMBER_BYTES; i += 1) scratch[i] = ~(scratch[i] ?? 0);
  return offset + NUMBER_BYTES;
}

/** As UTF-8 would write each unit by itself, which keeps the order of the units. */
function writeUnits(text: string, start: number): number {
  let offset = start;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      scratch[offset++] = unit;
      if (unit === END) scratch[offset++] = TOP;
    } else if (unit < 0x800) {
      scratch[offset++] = 0xc0 | (unit >> 6);
      scratch[offset++] = 0x80 | (unit & 0x3f);
    } else {
      scratch[offset++] = 0xe0 | (unit >> 12);
      scratch[offset++] = 0x80 | ((unit >> 6) & 0x3f);
      scratch[offset++] = 0x80 | (unit & 0x3f);
    }
  }
  return offset;
}

function writeText(text: string, offset: number): number {
  makeRoom(offset + 3 * text.length + 2);
  // As long in UTF-8 as in units: nothing but ASCII.
  const isPlain = Buffer.byteLength(text) === text.length && !text.includes("\0");
  const end = isPlain ? offset + scratch.write(text, offset, "latin1") : writeUnits(text, offset);
  scratch[end] = END;
  return end + 1;
}

function writePart(part: KeyPart, start: number): number {
  makeRoom(start + 1 + NUMBER_BYTES);
  if (typeof part === "string") {
    scratch[start] = TEXT;
    return writeText(part, start + 1);
  }
  if (typeof part === "number") {
    scratch[start] = NUMBER;
    return writeNumber(part, start + 1);
  }
  scratch[start] = part === null ? TOP : part ? TRUE : FALSE;
  return start + 1;
}

/** A key's bytes; two of them compare as `compareKeys` compares the keys. */
export function toKeyBytes(key: Key): Uint8Array {
  let end = 0;
  for (const part of key) end = writePart(part, end);
  return Buffer.from(scratch.subarray(0, end));
}

function readNumber(bytes: Buffer, offset: number): number {
  for (let i = 0; i < NUMBER_BYTES; i += 1) scratch[i] = bytes[offset + i] ?? 0;
  if ((scratch[0] ?? 0) >= 0x80) scratch[0] = (scratch[0] ?? 0) & 0x7f;
  else for (let i = 0; i < NUMBER_BYTES; i += 1) scratch[i] = ~(scratch[i] ?? 0);
  return scratch.readDoubleBE(0);
}

function readUnits(bytes: Buffer, start: number, end: number): string {
  const units: number[] = [];
  for (let i = start; i < end;) {
    const [first = 0, second = 0, third = 0] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    const size = first < 0x80 ? (first === END ? 2 : 1) : first < 0xe0 ? 2 : 3;
    if (size === 3) units.push(((first & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f));
    else units.push(size === 2 && first !== END ? ((first & 0x1f) << 6) | (second & 0x3f) : first);
    i += size;
  }
  return String.fromCharCode(...units);
}

/** Where a text that begins at `start`, in a key that ends at `keyEnd`, has its end byte. */
function findEnd(bytes: Buffer, start: number, keyEnd: number): number {
  let end = bytes.indexOf(END, start);
  while (end + 1 < keyEnd && bytes[end + 1] === TOP) end = bytes.indexOf(END, end + 2);
  return end;
}

/** Parses the key in the bytes from `start` to `end`. */
export function parseKeyBytes(bytes: Buffer, start: number, end: number): IndexValue[] {
  const key: IndexValue[] = [];
  for (let offset = start; offset < end;) {
    const tag = bytes[offset];
    offset += 1;
    if (tag === TEXT) {
      const textEnd = findEnd(bytes, offset, end);
      const text = bytes.toString("latin1", offset, textEnd);
      // Non-ASCII characters and U+0000 are encoded differently.
      key.push(/[\0\x80-\xff]/u.test(text) ? readUnits(bytes, offset, textEnd) : text);
      offset = textEnd + 1;
    } else if (tag === NUMBER) {
      key.push(readNumber(bytes, offset));
      offset += NUMBER_BYTES;
    } else key.push(tag === TRUE);
  }
  return key;
}
