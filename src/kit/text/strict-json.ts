/** JSON as strangers may send it: UTF-8 only, of bounded depth, no numbers out of range, no half characters. */
import { AppError } from "../errors.ts";
import { parseForeignJson } from "./foreign-text.ts";

const DEFAULT_MAX_DEPTH = 64;

const utf8 = new TextDecoder("utf-8", { fatal: true });

function refuse(what: string, cause?: unknown): never {
  throw new AppError("bad_request", `The JSON has ${what}`, { cause });
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError("bad_request", "The JSON is not valid UTF-8", { cause });
  }
}

/** V8's message, with line and column from 1 if it contains the position. The message itself quotes the text. */
function describeFault(text: string, error: unknown): string {
  const position = /at position (\d+)/u.exec(error instanceof Error ? error.message : "")?.[1];
  const isEnd = position === undefined ? /end of JSON/u.test(String(error)) : Number(position) >= text.length;
  if (position === undefined && !isEnd) return "an unexpected character";
  const before = text.slice(0, isEnd ? text.length : Number(position));
  const place = `${before.split("\n").length}:${before.length - before.lastIndexOf("\n")}`;
  return `an unexpected ${isEnd ? "end" : "character"} at ${place}`;
}

/** Refuses what JSON.parse takes and no service does: too deep, out of range, and in strings what only an escape writes. */
function checkValue(value: unknown, depthLeft: number, hasEscapes: boolean): void {
  if (typeof value === "number" && !Number.isFinite(value)) refuse("a number out of range");
  if (typeof value === "string" && hasEscapes && /\p{Surrogate}/u.test(value)) refuse("a lone surrogate");
  if (typeof value !== "object" || value === null) return;
  if (depthLeft === 0) refuse("too many levels of nesting");
  // An own "__proto__" becomes the prototype in a later Object.assign.
  if (Object.hasOwn(value, "__proto__")) refuse('the key "__proto__", which is not allowed');
  if (hasEscapes) for (const key of Object.keys(value)) checkValue(key, depthLeft, true);
  for (const item of Object.values(value)) checkValue(item, depthLeft - 1, hasEscapes);
}

/**
 * A JSON text of at most `maxDepth` levels with what it says. With `isForeign`, U+0000 and lone surrogates become U+FFFD:
 * a program that sends them sends them again and again. Throws AppError `bad_request` that says what is wrong.
 */
export function readStrictJson(
  bytes: Uint8Array,
  { maxDepth = DEFAULT_MAX_DEPTH, isForeign = false } = {},
): { readonly text: string; readonly value: unknown } {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = isForeign ? parseForeignJson(text) : JSON.parse(text);
  } catch (error) {
    refuse(describeFault(text, error), error);
  }
  checkValue(value, maxDepth, !isForeign && text.includes("\\u"));
  return { text, value };
}

/** Parses a JSON text of at most `maxDepth` levels. Throws AppError `bad_request` that says what is wrong. */
export function parseStrictJson(bytes: Uint8Array, options: { maxDepth?: number } = {}): unknown {
  return readStrictJson(bytes, options).value;
}
