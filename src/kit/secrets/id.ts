/** Identifiers and secrets. */
import { takeRandomBytes } from "./random-pool.ts";

/** Crockford's base32 in lower case: no i, l, o, u, and its order is the order of the characters. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 10; // 48 bits of milliseconds, with two to spare
const COUNT_CHARACTERS = 4;
const COUNT_END = 2 ** (5 * COUNT_CHARACTERS);
const RANDOM_BYTES = 8; // 12 characters, of 60 bits
/** A clock set back by less is not followed, so that ids go on in order; one set back by more is. */
const BRIDGED_MS = 60_000;

function encodeNumber(number: number, characters: number): string {
  let rest = number;
  let text = "";
  for (let i = 0; i < characters; i += 1) {
    text = (ALPHABET[rest % 32] ?? "") + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeBytes(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(held >> bits) & 31] ?? "";
    }
    held &= (1 << bits) - 1;
  }
  return text;
}

/** Time and count of the newest id of each prefix. */
const newest = new Map<string, { ms: number; count: number }>();

/** Begins the count of a millisecond anywhere in its first sixteenth, so that it reveals nothing of how many there were. */
function startCount(): number {
  return takeRandomBytes(2).readUInt16BE();
}

function advance(prefix: string, nowMs: number): { ms: number; count: number } {
  const last = newest.get(prefix);
  if (last === undefined || nowMs > last.ms || nowMs < last.ms - BRIDGED_MS)
    return { ms: nowMs, count: startCount() };
  return last.count + 1 < COUNT_END
    ? { ms: last.ms, count: last.count + 1 }
    : { ms: last.ms + 1, count: startCount() };
}

/** The beginning of ids: those that sort after it were made at `ms` or later. */
export function toIdStart(prefix: string, ms: number): string {
  return `${prefix}_${encodeNumber(ms, TIME_CHARACTERS)}`;
}

/**
 * A new id such as `srv_01jd5v6m0c8f3k2n7q4x9y1z5a`, safe in URLs: the millisecond, a count, 60 random bits. Ids of a
 * prefix that this process makes sort as they were made, also within a millisecond and when the clock is set back.
 */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  const next = advance(prefix, nowMs);
  newest.set(prefix, next);
  const random = encodeBytes(takeRandomBytes(RANDOM_BYTES));
  return `${toIdStart(prefix, next.ms)}${encodeNumber(next.count, COUNT_CHARACTERS)}${random}`;
}

/** A new secret of `bytes` random bytes (default 32) in base64url after the prefix, such as `agt_…`. */
export function newSecret(prefix: string, bytes: number = 32): string {
  return `${prefix}_${takeRandomBytes(bytes).toString("base64url")}`;
}

/** A code of `count` decimal digits, each equally likely; for people to type. */
export function newDigits(count: number): string {
  let text = "";
  while (text.length < count) {
    const [byte = 255] = takeRandomBytes(1);
    // 250 to 255 would make the first six digits likelier.
    if (byte < 250) text += byte % 10;
  }
  return text;
}

/** Consonants, of which no word is made, and none that is taken for another letter (RFC 8628 section 6.1). */
const typedAlphabet = "BCDFGHJKLMNPQRSTVWXZ";

/** A code of `count` of those letters, each equally likely; for people to type. */
export function newTypedCode(count: number): string {
  let text = "";
  while (text.length < count) {
    const [byte = 255] = takeRandomBytes(1);
    // 240 to 255 would make the first letters likelier.
    if (byte < 240) text += typedAlphabet[byte % typedAlphabet.length] ?? "";
  }
  return text;
}

/** Random text for people to type, in the alphabet of ids: 5 bits a character. */
export function newCodeText(length: number): string {
  return encodeBytes(takeRandomBytes(Math.ceil((length * 5) / 8))).slice(0, length);
}
