/**
 * Regular expressions that administrators write and foreign texts are matched against. RE2's engine takes time in
 * proportion to the text and to the expression, whatever they say; the product is bounded.
 */
import { RE2JS } from "re2js";

/** Longest expression. */
export const MAX_PATTERN = 500;
/** Steps of a compiled expression: `x{500}` has 500. */
const MAX_STEPS = 500;
/** Steps times characters that one match may take: a second or two. */
const MAX_WORK = 100_000_000;
const MAX_KEPT = 100;

/** A match that would take too long. */
export class PatternLimitError extends Error {
  override readonly name = "PatternLimitError";
}

const compiled = new Map<string, RE2JS>();

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = RE2JS.compile(pattern);
  if (made.programSize() > MAX_STEPS) throw new PatternLimitError("it repeats too much");
  if (compiled.size >= MAX_KEPT) compiled.delete(compiled.keys().next().value ?? "");
  compiled.set(pattern, made);
  return made;
}

/** Error of an expression, or undefined. */
export function findPatternFault(pattern: string): string | undefined {
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /u, "") : "";
    return `must be a regular expression of RE2 (${why})`;
  }
}

/** Steps times characters that a match takes at most. @throws Error for what is no expression */
export function workOf(pattern: string, text: string): number {
  return compile(pattern).programSize() * text.length;
}

/** The first part of a text that matches; undefined when none does. @throws PatternLimitError; Error for what is no expression */
export function findMatch(pattern: string, text: string): string | undefined {
  if (workOf(pattern, text) > MAX_WORK)
    throw new PatternLimitError("The regular expression takes too long on a response of this size");
  const matcher = compile(pattern).matcher(text);
  return matcher.find() ? (matcher.group() ?? "") : undefined;
}
