/**
 * How long to wait before the next connection: 1 s × 1.6 with ±20 % jitter up to 60 s, the schedule of
 * https://grpc.github.io/grpc/core/md_doc_connection-backoff.html with a lower ceiling.
 */

const FIRST_MS = 1000;
const FACTOR = 1.6;
const JITTER = 0.2;
const LONGEST_MS = 60_000;

/** Creates a schedule. `random` gives 0 ≤ n < 1. */
export function createBackoff(options: { readonly random: () => number }) {
  let baseMs = FIRST_MS;
  function spread(ms: number): number {
    return Math.round(ms * (1 - JITTER + 2 * JITTER * options.random()));
  }
  return {
    /** Milliseconds until the next try; grows with each call. */
    next(): number {
      const ms = spread(baseMs);
      baseMs = Math.min(LONGEST_MS, baseMs * FACTOR);
      return ms;
    },
    /** Milliseconds for a refusal that only a person can end: the longest wait at once. */
    longest(): number {
      baseMs = LONGEST_MS;
      return spread(LONGEST_MS);
    },
    /** After a success: starts small again. */
    reset(): void {
      baseMs = FIRST_MS;
    },
  };
}

export type Backoff = ReturnType<typeof createBackoff>;
