/** What all targets of the fuzzer share. */
import assert from "node:assert/strict";
import { AppError } from "../../src/kit/errors.ts";

export interface FuzzTarget {
  /** Part of the paths of the files whose coverage counts. */
  readonly files: RegExp;
  /** Pieces that inputs are made of. */
  readonly words: readonly string[];
  readonly seeds: readonly (string | Uint8Array)[];
  /** @throws for a fault */
  run(bytes: Uint8Array): void | Promise<void>;
}

const decoder = new TextDecoder();
export const toText = (bytes: Uint8Array): string => decoder.decode(bytes);

/** A rejection that the sender sees is an answer; everything else is a fault. */
export function allow(error: unknown): void {
  if (error instanceof AppError && error.code !== "internal") {
    assert.doesNotMatch(error.message, /[\0\u2028\u2029]/u);
    return;
  }
  throw error;
}

export function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    allow(error);
  }
}

export const jsonWords = [
  "{",
  "}",
  "[",
  "]",
  '"',
  ":",
  ",",
  "\\u0000",
  "\\ud800",
  "1e999",
  "-0",
  "null",
  "true",
  "__proto__",
];
export const NOW = Date.UTC(2026, 10, 29);
