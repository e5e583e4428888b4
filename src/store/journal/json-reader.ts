/**
 * Walks over JSON of any size, of which a piece is in memory at a time. It finds where values begin and end; whether
 * they are valid is seen when they are parsed.
 */

/** Larger values are refused: one that is never ended would be read to the end of the file. */
const MAX_VALUE_BYTES = 64 * 1024 * 1024;

const [QUOTE, BACKSLASH, COMMA, COLON, NEW_LINE] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a];
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A value's text. The bytes are valid until the next value is read. */
export interface JsonValue {
  /** Where it begins in the file. */
  readonly offset: number;
  readonly bytes: Buffer;
}

/**
 * Thrown for bytes at an offset that are not valid JSON; `rest` is a value that begins there and does not
 * end.
 */
export class BrokenJson extends Error {
  readonly offset: number;
  readonly rest: Buffer;
  constructor(offset: number, rest: Buffer = Buffer.alloc(0)) {
    super(`not valid JSON at byte ${offset}`);
    this.offset = offset;
    this.rest = rest;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === NEW_LINE || byte === 0x0d || byte === 0x09;
}

/** Follows one value byte by byte, over as many pieces as it takes. */
class ValueEnd {
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  /** Where the value ends that began before `from`; undefined when it goes on after `end`. */
  find(bytes: Buffer, from: number, end: number): number | undefined {
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at];
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#isText = false;
          if (this.#depth === 0) return at + 1;
        }
      } else if (byte === QUOTE) this.#isText = true;
      else if (byte === BRACE || byte === BRACKET) this.#depth += 1;
      else if (byte === BRACE_END || byte === BRACKET_END) {
        this.#depth -= 1;
        if (this.#depth <= 0) return this.#depth < 0 ? at : at + 1;
      } else if (this.#depth === 0 && (byte === COMMA || byte === COLON || isSpace(byte ?? 0))) return at;
    }
    return undefined;
  }
}

/** See the module's header. Throws {@link BrokenJson}. */
export class JsonReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #bytes = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  /** Offset in the file of the first byte in memory. */
  #offset = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads on; what lies before is forgotten. False at the end. */
  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    const chunk = next.value;
    const kept = this.#end - this.#at;
    // Twice as much when a value is longer, so that a long one is not copied again with each piece.
    const isLarger = kept + chunk.byteLength > this.#bytes.byteLength;
    const bytes = isLarger ? Buffer.allocUnsafeSlow(2 * (kept + chunk.byteLength)) : this.#bytes;
    this.#bytes.copy(bytes, 0, this.#at, this.#end);
    bytes.set(chunk, kept);
    this.#bytes = bytes;
    this.#offset += this.#at;
    this.#at = 0;
    this.#end = kept + chunk.byteLength;
    return true;
  }

  /** The next byte that is no white space, which stays; undefined at the end. */
  async peek(): Promise<number | undefined> {
    for (;;) {
      while (this.#at < this.#end) {
        const byte = this.#bytes[this.#at] ?? 0;
        if (!isSpace(byte)) return byte;
        this.#at += 1;
      }
      if (!(await this.#more())) return undefined;
    }
  }

  async isObject(): Promise<boolean> {
    return (await this.peek()) === BRACE;
  }

  async isList(): Promise<boolean> {
    return (await this.peek()) === BRACKET;
  }

  #fail(): never {
    throw new BrokenJson(this.#offset + this.#at);
  }

  async #take(byte: number): Promise<void> {
    if ((await this.peek()) !== byte) this.#fail();
    this.#at += 1;
  }

  /** After a value: true when another one follows, false after the end of the list or object. */
  async #goesOn(end: number): Promise<boolean> {
    const byte = await this.peek();
    if (byte !== COMMA && byte !== end) this.#fail();
    this.#at += 1;
    return byte === COMMA;
  }

  /** Before anything else: skips what an editor may put before all. */
  async skipMark(): Promise<void> {
    while (this.#end < BYTE_ORDER_MARK.length && (await this.#more()));
    const first = this.#bytes.subarray(0, Math.min(this.#end, BYTE_ORDER_MARK.length));
    if (first.equals(BYTE_ORDER_MARK)) this.#at = BYTE_ORDER_MARK.length;
  }

  /** Iterates the names of an object's members. The caller reads each value before it takes the next name. */
  async *members(): AsyncGenerator<JsonValue> {
    await this.#take(BRACE);
    if ((await this.peek()) === BRACE_END) {
      this.#at += 1;
      return;
    }
    do {
      if ((await this.peek()) !== QUOTE) this.#fail();
      const name = await this.value();
      // A copy: the bytes move when the colon is in the next piece.
      const bytes = Buffer.from(name.bytes);
      await this.#take(COLON);
      yield { offset: name.offset, bytes };
    } while (await this.#goesOn(BRACE_END));
  }

  /** The values of a list. With `isLines` each is known to be a line by itself. */
  async *items({ isLines }: { readonly isLines: boolean }): AsyncGenerator<JsonValue> {
    await this.#take(BRACKET);
    if ((await this.peek()) === BRACKET_END) {
      this.#at += 1;
      return;
    }
    do yield await (isLines ? this.#line() : this.value());
    while (await this.#goesOn(BRACKET_END));
  }

  #cut(end: number): JsonValue {
    const value = { offset: this.#offset + this.#at, bytes: this.#bytes.subarray(this.#at, end) };
    this.#at = end;
    return value;
  }

  async value(): Promise<JsonValue> {
    await this.peek();
    const search = new ValueEnd();
    for (let scanned = this.#at; ;) {
      const end = search.find(this.#bytes, scanned, this.#end);
      if (end !== undefined) return end === this.#at ? this.#fail() : this.#cut(end);
      const kept = this.#end - this.#at;
      if (kept > MAX_VALUE_BYTES || !(await this.#more()))
        throw new BrokenJson(this.#offset + this.#at, this.#bytes.subarray(this.#at, this.#end));
      scanned = kept;
    }
  }

  async #line(): Promise<JsonValue> {
    await this.peek();
    for (let scanned = this.#at; ;) {
      const end = this.#bytes.subarray(0, this.#end).indexOf(NEW_LINE, scanned);
      if (end >= 0) return this.#cut(this.#bytes[end - 1] === COMMA ? end - 1 : end);
      const kept = this.#end - this.#at;
      if (!(await this.#more())) this.#fail();
      scanned = kept;
    }
  }

  /** @throws BrokenJson when anything but white space follows */
  async end(): Promise<void> {
    if ((await this.peek()) !== undefined) this.#fail();
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
