/** Finds what is wrong with a JSON text (RFC 8259), and where, in one pass and without recursion. */

/** What is wrong, at an offset in UTF-16 code units. */
export interface JsonFault {
  readonly offset: number;
  readonly reason: string;
}

class Fault extends Error {
  readonly offset: number;
  constructor(offset: number, reason: string) {
    super(reason);
    this.offset = offset;
  }
}

const enough = 8; // keys of an object that a plain list searches faster than a set

/** The keys seen in one object. */
class Keys {
  readonly #list: string[] = [];
  #set: Set<string> | undefined;

  /** False when the key was there before. */
  add(key: string): boolean {
    const list = this.#list;
    if (this.#set === undefined) {
      if (list.includes(key)) return false;
      list.push(key);
      if (list.length > enough) this.#set = new Set(list);
      return true;
    }
    if (this.#set.has(key)) return false;
    this.#set.add(key);
    return true;
  }

  clear(): void {
    this.#list.length = 0;
    this.#set = undefined;
  }
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

class Scanner {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #isObject: boolean[] = [];
  readonly #keys: Keys[] = [];
  #at = 0;
  #depth = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  scan(): void {
    for (let isAfterValue = this.#value(); this.#depth > 0;) {
      isAfterValue = isAfterValue ? this.#afterValue() : this.#value();
    }
    if (this.#skipSpace() < this.#text.length) throw this.#unexpected();
  }

  /** Reads a value or the opening of one; true when a value is complete. */
  #value(): boolean {
    const code = this.#text.charCodeAt(this.#skipSpace());
    if (code === 0x22) this.#string();
    else if (code === 0x7b || code === 0x5b) return this.#open(code === 0x7b);
    else if (code === 0x2d || isDigit(code)) this.#number();
    else if (code === 0x74) this.#word("true");
    else if (code === 0x66) this.#word("false");
    else if (code === 0x6e) this.#word("null");
    else throw this.#unexpected();
    return true;
  }

  #open(isObject: boolean): boolean {
    if (this.#depth === this.#maxDepth)
      throw new Fault(this.#at, `nesting deeper than ${this.#maxDepth} levels`);
    this.#isObject[this.#depth] = isObject;
    this.#depth += 1;
    this.#at += 1;
    const code = this.#text.charCodeAt(this.#skipSpace());
    if (code === (isObject ? 0x7d : 0x5d)) return this.#close();
    if (isObject) {
      this.#keysHere().clear();
      this.#key();
    }
    return false;
  }

  #close(): boolean {
    this.#depth -= 1;
    this.#at += 1;
    return true;
  }

  /** After a value: a comma (then true is false: a value must follow) or the end of the container. */
  #afterValue(): boolean {
    const isObject = this.#isObject[this.#depth - 1] === true;
    const code = this.#text.charCodeAt(this.#skipSpace());
    if (code === (isObject ? 0x7d : 0x5d)) return this.#close();
    if (code !== 0x2c) throw this.#unexpected();
    this.#at += 1;
    if (isObject) {
      this.#skipSpace();
      this.#key();
    }
    return false;
  }

  #keysHere(): Keys {
    return (this.#keys[this.#depth] ??= new Keys());
  }

  #key(): void {
    const start = this.#at;
    if (this.#text.charCodeAt(start) !== 0x22) throw this.#unexpected();
    const hasEscape = this.#string();
    const key = hasEscape
      ? String(JSON.parse(this.#text.slice(start, this.#at)))
      : this.#text.slice(start + 1, this.#at - 1);
    // An own "__proto__" becomes the prototype in a later Object.assign.
    if (key === "__proto__") throw new Fault(start, 'the key "__proto__" is not allowed');
    if (!this.#keysHere().add(key)) throw new Fault(start, "an object has the same key twice");
    if (this.#text.charCodeAt(this.#skipSpace()) !== 0x3a) throw this.#unexpected();
    this.#at += 1;
  }

  /** Reads a string; true when it holds an escape. */
  #string(): boolean {
    const text = this.#text;
    let hasEscape = false;
    let at = this.#at + 1; // a local, because a field costs a store for every character
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 0x22) break;
      if (code >= 0x20 && code !== 0x5c) {
        at += 1;
        continue;
      }
      this.#at = at;
      if (code !== 0x5c) throw this.#unexpected(); // a control character, or NaN at the end of the text
      hasEscape = true;
      this.#escape();
      at = this.#at;
    }
    this.#at = at + 1;
    return hasEscape;
  }

  #escape(): void {
    const start = this.#at;
    const kind = this.#text[start + 1];
    if (kind === undefined || !'"\\/bfnrtu'.includes(kind)) throw new Fault(start, "a bad escape");
    this.#at += 2;
    if (kind !== "u") return;
    const code = this.#hex(start);
    if (isLowSurrogate(code)) throw new Fault(start, "a lone surrogate");
    if (!isHighSurrogate(code)) return;
    if (this.#text[this.#at] !== "\\" || this.#text[this.#at + 1] !== "u")
      throw new Fault(start, "a lone surrogate");
    this.#at += 2;
    if (!isLowSurrogate(this.#hex(start))) throw new Fault(start, "a lone surrogate");
  }

  #hex(start: number): number {
    let value = 0;
    for (const end = this.#at + 4; this.#at < end; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      const letter = code | 0x20; // lower case
      if (isDigit(code)) value = value * 16 + code - 48;
      else if (letter >= 97 && letter <= 102) value = value * 16 + letter - 87;
      else throw new Fault(start, "a bad escape");
    }
    return value;
  }

  #number(): void {
    const text = this.#text;
    const start = this.#at;
    if (text.charCodeAt(this.#at) === 0x2d) this.#at += 1;
    if (text.charCodeAt(this.#at) === 0x30) this.#at += 1;
    else this.#digits();
    if (text.charCodeAt(this.#at) === 0x2e) {
      this.#at += 1;
      this.#digits();
    }
    const hasExponent = (text.charCodeAt(this.#at) | 0x20) === 0x65;
    if (hasExponent) {
      this.#at += 1;
      const sign = text.charCodeAt(this.#at);
      if (sign === 0x2b || sign === 0x2d) this.#at += 1;
      this.#digits();
    }
    if (!hasExponent && this.#at - start < 300) return;
    if (!Number.isFinite(Number(text.slice(start, this.#at))))
      throw new Fault(start, "a number out of range");
  }

  #digits(): void {
    const text = this.#text;
    let at = this.#at;
    if (!isDigit(text.charCodeAt(at))) throw this.#unexpected();
    while (isDigit(text.charCodeAt(at))) at += 1;
    this.#at = at;
  }

  #word(word: string): void {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected();
    this.#at += word.length;
  }

  #skipSpace(): number {
    const text = this.#text;
    let at = this.#at;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) break;
      at += 1;
    }
    this.#at = at;
    return at;
  }

  #unexpected(): Fault {
    const isEnd = this.#at >= this.#text.length;
    return new Fault(this.#at, isEnd ? "an unexpected end" : "an unexpected character");
  }
}

/** The first fault of `text` as strict JSON, or undefined when there is none. */
export function findJsonFault(text: string, maxDepth: number): JsonFault | undefined {
  try {
    new Scanner(text, maxDepth).scan();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return { offset: error.offset, reason: error.message };
    throw error;
  }
}
