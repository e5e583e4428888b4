/** Codes of gift cards: made, compared, and guessed. */
import { newCodeText } from "../../kit/secrets/id.ts";
import type { RateLimit } from "../../kit/limits/rate-limit.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";

/** What sealed codes open for, and what their hashes are keyed with. */
export const CODE_PURPOSE = "gift-card";
/** 80 random bits. */
const CHARACTERS = 16;
const GROUP = 4;
const SHOWN = 4;

/** A new code, "7KQ4-MPXA-2C8F-3K2N". */
export function newCode(): string {
  const text = newCodeText(CHARACTERS).toUpperCase();
  return Array.from({ length: CHARACTERS / GROUP }, (_, at) => text.slice(at * GROUP, (at + 1) * GROUP)).join(
    "-",
  );
}

/** The form in which codes are compared: capitals, without spaces and dashes. */
export function toCodeKey(code: string): string {
  return code
    .normalize("NFKC")
    .replaceAll(/[\s\p{Dash}]/gu, "")
    .toUpperCase();
}

export function toMac(box: SecretBox, code: string): string {
  return box.lookup(toCodeKey(code), CODE_PURPOSE);
}

/** The end of a code, which tells cards apart. */
export function toLastFour(code: string): string {
  return toCodeKey(code).slice(-SHOWN);
}

const GUESSES = 10;
const GUESS_WINDOW_MS = 15 * 60_000;
/** Codes of this shop cannot be guessed, but imported ones may be short: all networks together have a limit, too. */
const ALL_GUESSES = 300;

/** Codes that could not be used: by network address, and of all. */
export interface CardGuesses {
  readonly own: RateLimit;
  readonly all: RateLimit;
}

/** Creates the limits of wrong codes, which hold over all processes of the shop. */
export function createCardGuesses({ limits }: { readonly limits: LimitSource }): CardGuesses {
  return {
    own: limits.create("gift-card-codes", { limit: GUESSES, windowMs: GUESS_WINDOW_MS }),
    all: limits.create("gift-card-codes-all", { limit: ALL_GUESSES, windowMs: GUESS_WINDOW_MS }),
  };
}
