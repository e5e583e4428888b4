/**
 * Compact bytes: whole numbers as LEB128 varints (7 bits a byte, lowest first, exact up to 2^53 − 1),
 * signed ones zigzag-coded, float32 little-endian. Hidden here: the growing buffer and the bounds.
 */

/** Collects bytes in one buffer that is used again; `take` hands out a copy. */
export interface ByteWriter {
  readonly length: number;
  byte(value: number): void;
  /** A whole number from 0 to 2^53 − 1. Throws RangeError for any other. */
  varint(value: number): void;
  /** A whole number whose double is exact (±2^52). Throws RangeError for any other. */
  signed(value: number): void;
  float32(value: number): void;
  bytes(value: Uint8Array): void;
  uint32(value: number): void;
  /** Starts anew. */
  clear(): void;
  /** The bytes so far, without copying; valid until the next write. */
  view(): Uint8Array;
  /** A copy of all bytes; the writer starts anew. */
  take(): Uint8Array<ArrayBuffer>;
}

/** Makes a writer whose buffer starts with `capacity` bytes. */
export function createByteWriter(capacity = 256): ByteWriter {
  let buffer = new Uint8Array(capacity);
  let length = 0;
  let data = new DataView(buffer.buffer);

  function room(extra: number): void {
    if (length + extra <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + extra));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
    data = new DataView(buffer.buffer);
  }

  function varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`Not a whole number from 0 to 2^53 − 1: ${value}`);
    room(8);
    let rest = value;
    // Bitwise operators work on 32 bits only, so the upper part is divided off first.
    while (rest >= 0x8000_0000) {
      buffer[length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest >= 0x80) {
      buffer[length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[length++] = rest;
  }

  return {
    get length() {
      return length;
    },
    byte(value) {
      room(1);
      buffer[length++] = value;
    },
    varint,
    signed: (value) => varint(value >= 0 ? value * 2 : -value * 2 - 1),
    float32(value) {
      room(4);
      data.setFloat32(length, value, true);
      length += 4;
    },
    bytes(value) {
      room(value.length);
      buffer.set(value, length);
      length += value.length;
    },
    uint32(value) {
      room(4);
      data.setUint32(length, value, true);
      length += 4;
    },
    clear() {
      length = 0;
    },
    view: () => buffer.subarray(0, length),
    take() {
      const copy = buffer.slice(0, length);
      length = 0;
      return copy;
    },
  };
}

/** Reads what a {@link ByteWriter} wrote; every call throws RangeError past the end or on a malformed number. */
export interface ByteReader {
  readonly offset: number;
  readonly left: number;
  byte(): number;
  varint(): number;
  signed(): number;
  float32(): number;
  uint32(): number;
  /** The next `count` bytes, not copied. */
  bytes(count: number): Uint8Array;
}

/** Reads `source` from `start`. */
export function createByteReader(source: Uint8Array, start = 0): ByteReader {
  let offset = start;
  const data = new DataView(source.buffer, source.byteOffset, source.byteLength);

  function byte(): number {
    const value = source[offset];
    if (value === undefined) throw new RangeError("Bytes end too early");
    offset += 1;
    return value;
  }

  function varint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 8; count += 1) {
      const part = byte();
      value += (part & 0x7f) * scale;
      if (part < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      scale *= 128;
    }
    throw new RangeError("Malformed varint");
  }

  function skip(count: number): number {
    if (count > source.length - offset) throw new RangeError("Bytes end too early");
    offset += count;
    return offset - count;
  }

  return {
    get offset() {
      return offset;
    },
    get left() {
      return source.length - offset;
    },
    byte,
    varint,
    signed() {
      const value = varint();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    },
    float32: () => data.getFloat32(skip(4), true),
    uint32: () => data.getUint32(skip(4), true),
    bytes(count) {
      const from = skip(count);
      return source.subarray(from, from + count);
    },
  };
}
