/** Keys that are told apart without being shown. */

/** Keys with fewer characters show none of them. */
const MIN_LENGTH_TO_HINT = 12;
const HINT_LENGTH = 4;

/** Dots, and the last characters of a long one. */
export function toMasked(value: string): string {
  return `••••${value.length < MIN_LENGTH_TO_HINT ? "" : value.slice(-HINT_LENGTH)}`;
}
