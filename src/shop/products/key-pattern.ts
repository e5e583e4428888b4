/** Patterns of generated license keys: text with `{random:5}`, `{digits:4}` and `{uuid}` in it. */
import { newCodeText, newDigits } from "../../kit/secrets/id.ts";

/** Fewer random bits could be guessed, in spite of the limits on requests. */
export const MIN_PATTERN_BITS = 60;
export const DEFAULT_PATTERN = "{random:5}-{random:5}-{random:5}-{random:5}";
const MAX_COUNT = 40;
const RANDOM_BITS = 5;
const DIGIT_BITS = Math.log2(10);
const UUID_BITS = 122;

type Part =
  | { readonly text: string }
  | { readonly kind: "random" | "digits" | "uuid"; readonly count: number };

const PART = /\{(random|digits):(\d{1,2})\}|\{(uuid)\}|([^{}]+)/gu;

/** The parts of a pattern; undefined for one with other braces or counts. */
function parsePattern(pattern: string): Part[] | undefined {
  const parts: Part[] = [];
  let end = 0;
  for (const match of pattern.matchAll(PART)) {
    if (match.index !== end) return undefined;
    end += match[0].length;
    const [, kind, count = "1", uuid, text = ""] = match;
    if (uuid !== undefined) parts.push({ kind: "uuid", count: 1 });
    else if (kind === "random" || kind === "digits") parts.push({ kind, count: Number(count) });
    else parts.push({ text });
  }
  const isRight = parts.every((part) => !("kind" in part) || (part.count >= 1 && part.count <= MAX_COUNT));
  return end === pattern.length && isRight ? parts : undefined;
}

/** The random bits of a key. */
function toBits(part: Part): number {
  if (!("kind" in part)) return 0;
  if (part.kind === "uuid") return UUID_BITS;
  return part.count * (part.kind === "random" ? RANDOM_BITS : DIGIT_BITS);
}

/** What is wrong with a pattern, if something is. */
export function findPatternFault(pattern: string): string | undefined {
  const parts = parsePattern(pattern);
  if (parts === undefined)
    return `may contain text, {random:1} to {random:${MAX_COUNT}}, {digits:1} to {digits:${MAX_COUNT}} and {uuid}`;
  const bits = Math.floor(parts.reduce((sum, part) => sum + toBits(part), 0));
  if (bits >= MIN_PATTERN_BITS) return undefined;
  const most = Math.ceil(MIN_PATTERN_BITS / RANDOM_BITS);
  return `must have at least ${MIN_PATTERN_BITS} random bits, such as ${most} random characters; this one has ${bits}`;
}

function toText(part: Part): string {
  if (!("kind" in part)) return part.text;
  if (part.kind === "uuid") return crypto.randomUUID().toUpperCase();
  // Crockford's alphabet: no I, L, O, U.
  return part.kind === "random" ? newCodeText(part.count).toUpperCase() : newDigits(part.count);
}

/** A new key of a pattern that {@link findPatternFault} accepts. */
export function generateKey(pattern: string): string {
  return (parsePattern(pattern) ?? []).map(toText).join("");
}
