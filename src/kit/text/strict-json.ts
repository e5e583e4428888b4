/**
 * JSON as the house takes it from strangers: UTF-8 only, bounded depth, no duplicate keys, no numbers out of range,
 * no half characters.
 */
import { AppError } from "../errors.ts";
import { findJsonFault } from "./json-scan.ts";

const DEFAULT_MAX_DEPTH = 64;

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError("bad_request", "The JSON is not valid UTF-8", { cause });
  }
}

/** Line and column, from 1, as editors count them. */
function describePlace(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let at = before.indexOf("\n"); at !== -1; at = before.indexOf("\n", at + 1)) line += 1;
  return `${line}:${offset - lineStart + 1}`;
}

/**
 * Parses a JSON text. An own `__proto__` key is refused. Throws AppError `bad_request` that says
 * what is wrong and where (line:column).
 */
export function parseStrictJson(bytes: Uint8Array, options: { maxDepth?: number } = {}): unknown {
  const text = decode(bytes);
  const fault = findJsonFault(text, options.maxDepth ?? DEFAULT_MAX_DEPTH);
  if (fault !== undefined) {
    throw new AppError("bad_request", `The JSON has ${fault.reason} at ${describePlace(text, fault.offset)}`);
  }
  return JSON.parse(text);
}
