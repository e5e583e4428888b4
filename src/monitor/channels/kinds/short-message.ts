/**
 * Notices as one SMS: 160 septets of the GSM 7-bit alphabet (3GPP TS 23.038 section 6.2.1), or, where a character has
 * no place in it, 70 units of UCS-2.
 */
import type { Notice } from "./notice.ts";

const MAX_SEPTETS = 160;
const MAX_UNITS = 70;

const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** Those behind an escape take two septets. */
const extended = new Set("^{}\\[~]|€");

/** What notices hold beside the alphabet, without loss of meaning. */
const similar: Readonly<Record<string, string>> = {
  "…": "...",
  "–": "-",
  "—": "-",
  "·": "-",
  "•": "-",
  "→": "->",
  "’": "'",
  "‘": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "≥": ">=",
  "≤": "<=",
  "°": "",
  "\u00a0": " ",
  "\u202f": " ",
  "\t": " ",
};

function septetsOf(character: string): number {
  if (basic.has(character)) return 1;
  return extended.has(character) ? 2 : Number.NaN;
}

/** Characters of the alphabet that stand for it; itself where there are none. */
function toAlphabet(character: string): string {
  if (septetsOf(character) > 0) return character;
  const known = similar[character];
  if (known !== undefined) return known;
  const plain = character.normalize("NFKD").replace(/\p{M}/gu, "");
  return plain !== "" && Array.from(plain).every((one) => septetsOf(one) > 0) ? plain : character;
}

/** The characters that fit, with an ending where some do not. */
function cut(text: string, { limit, sizeOf }: { limit: number; sizeOf: (part: string) => number }): string {
  const sizeOfAll = (all: string): number => Array.from(all).reduce((sum, one) => sum + sizeOf(one), 0);
  if (sizeOfAll(text) <= limit) return text;
  const left = limit - sizeOfAll("...");
  let size = 0;
  let kept = "";
  for (const character of text) {
    size += sizeOf(character);
    if (size > left) break;
    kept += character;
  }
  return `${kept.trimEnd()}...`;
}

/** The title, and the address where both fit. */
export function toShortMessage({ title, url = "" }: Pick<Notice, "title" | "url">): {
  readonly text: string;
  readonly isUnicode: boolean;
} {
  // The colored sign alone would halve the length.
  const line = title
    .normalize("NFC")
    .replace(/[\p{Extended_Pictographic}\ufe0f\u200d]/gu, "")
    .trim();
  const plain = Array.from(line, toAlphabet).join("");
  const isUnicode = Array.from(plain).some((character) => Number.isNaN(septetsOf(character)));
  const bounds = isUnicode
    ? { limit: MAX_UNITS, sizeOf: (part: string) => part.length }
    : { limit: MAX_SEPTETS, sizeOf: septetsOf };
  const text = cut(isUnicode ? line : plain, bounds);
  const whole = `${text}\n${url}`;
  return { text: url !== "" && cut(whole, bounds) === whole ? whole : text, isUnicode };
}
