/** Identifiers and secrets. Hidden here: their alphabet, the random source and how ids sort by time. */
import { randomInt } from "node:crypto";
import { takeRandomBytes } from "./random-pool.ts";

/** Crockford's base32 in lower case: no i, l, o, u, and its order is the order of the characters. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 10; // 48 bits of milliseconds, with two to spare
const RANDOM_BYTES = 10; // 80 bits, which are 16 characters

function encodeTime(ms: number): string {
  let rest = ms;
  let text = "";
  for (let i = 0; i < TIME_CHARACTERS; i += 1) {
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

/** A new id such as `srv_01jd5v6m0c8f3k2n7q4x9y1z5a`: sorts by the millisecond it was made in, safe in URLs. */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  return `${prefix}_${encodeTime(nowMs)}${encodeBytes(takeRandomBytes(RANDOM_BYTES))}`;
}

/** A new secret of `bytes` random bytes (default 32) in base64url after the prefix, such as `agt_…`. */
export function newSecret(prefix: string, bytes: number = 32): string {
  return `${prefix}_${takeRandomBytes(bytes).toString("base64url")}`;
}

/** A code of `count` decimal digits, each equally likely; for people to type. */
export function newDigits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join("");
}

/** Random text for people to type, in the alphabet of ids: 5 bits a character. */
export function newCodeText(length: number): string {
  return encodeBytes(takeRandomBytes(Math.ceil((length * 5) / 8))).slice(0, length);
}
