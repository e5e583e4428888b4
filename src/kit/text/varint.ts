/** Creates a writer whose buffer starts with `capacity` bytes. */
export function createByteWriter(capacity = 256) {
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

  /** A whole number from 0 to 2^53 − 1. Throws RangeError for any other. */
  function varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`Not a whole number from 0 to 2^53 − 1: ${value}`);
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
    get length(): number {
      return length;
    },
    byte(value: number): void {
      room(1);
      buffer[length++] = value;
    },
    varint,
    /** A whole number whose double is exact (±2^52). Throws RangeError for any other. */
    signed: (value: number): void => varint(value >= 0 ? value * 2 : -value * 2 - 1),
    float32(value: number): void {
      room(4);
      data.setFloat32(length, value, true);
      length += 4;
    },
    bytes(value: Uint8Array): void {
      room(value.length);
      buffer.set(value, length);
      length += value.length;
    },
    uint32(value: number): void {
      room(4);
      data.setUint32(length, value, true);
      length += 4;
    },
    /** Starts again, empty. */
    clear(): void {
      length = 0;
    },
    /** The bytes so far, without copying; valid until the next write. */
    view: (): Uint8Array => buffer.subarray(0, length),
    /** A copy of all bytes; the writer starts again, empty. */
    take(): Uint8Array<ArrayBuffer> {
      const copy = buffer.slice(0, length);
      length = 0;
      return copy;
    },
  };
}

/**
 * Compact bytes: whole numbers as LEB128 varints (7 bits a byte, lowest first, exact up to 2^53 − 1), signed ones
 * zigzag-coded, float32 little-endian.
 */

/** Collects bytes in one buffer that is used again; `take` hands out a copy. */
export type ByteWriter = ReturnType<typeof createByteWriter>;

/**
 * Reads what a {@link ByteWriter} wrote; every call throws RangeError past the end or on a malformed number.
 * A class, because one is made or pointed at new bytes for each of a million rows: closures cost more there.
 */
export class ByteReader {
  #source: Uint8Array;
  #offset = 0;

  constructor(source: Uint8Array = new Uint8Array(0)) {
    this.#source = source;
  }

  /** Starts at the beginning of other bytes. */
  reset(source: Uint8Array): this {
    this.#source = source;
    this.#offset = 0;
    return this;
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#offset;
  }

  /** Bytes not yet read. */
  get left(): number {
    return this.#source.length - this.#offset;
  }

  byte(): number {
    const value = this.#source[this.#offset];
    if (value === undefined) throw new RangeError("Bytes end too early");
    this.#offset += 1;
    return value;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 8; count += 1) {
      const part = this.byte();
      value += (part & 0x7f) * scale;
      if (part < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      scale *= 128;
    }
    throw new RangeError("Malformed varint");
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  uint32(): number {
    return this.byte() + this.byte() * 0x100 + this.byte() * 0x1_0000 + this.byte() * 0x100_0000;
  }

  float32(): number {
    bits.setUint32(0, this.uint32());
    return bits.getFloat32(0);
  }

  /** The next `count` bytes, not copied. */
  bytes(count: number): Uint8Array {
    if (count > this.left) throw new RangeError("Bytes end too early");
    this.#offset += count;
    return this.#source.subarray(this.#offset - count, this.#offset);
  }
}

const bits = new DataView(new ArrayBuffer(4));

/** Reads `source` from its start. */
export function createByteReader(source: Uint8Array): ByteReader {
  return new ByteReader(source);
}
