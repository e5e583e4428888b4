/**
 * Failures of who guesses, such as those of an address (IPv6 by /64), whatever they guess at. Many guesses at
 * once do not pass the limit before the first of them is known to be wrong.
 */
import { AppError } from "../../kit/errors.ts";
import { createHeldCounts } from "../../kit/limits/held-counts.ts";
import { createKeyedQueue } from "../../kit/limits/keyed-queue.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";

/** Failures of one key in 10 minutes. */
const FAILURES = 10;
const WINDOW_MS = 10 * 60_000;
/** Guesses of one key that wait for their turn; what is more is refused. */
const MAX_QUEUED = 256;

/** Makes a throttle; `name` is that of its limit. */
export function createFailureThrottle(limits: LimitSource, name: string) {
  const failures = limits.create(`${name}-failures`, { limit: FAILURES, windowMs: WINDOW_MS });
  const anyFailure = limits.create(`${name}-any-failure`, { limit: 1, windowMs: WINDOW_MS });
  const inTurn = createKeyedQueue({ maxQueued: MAX_QUEUED });
  const running = createHeldCounts();

  function assert(key: string): void {
    const { allowed, retryAfterSeconds } = failures.check(key);
    if (allowed) return;
    throw new AppError("too_many_attempts", "Too many failures; wait and try again", {
      retryAfterSeconds,
    });
  }

  async function besideOthers<R>(key: string, work: () => Promise<R>): Promise<R> {
    running.take(key);
    try {
      return await work();
    } finally {
      running.release(key);
    }
  }

  return {
    /** Throws `too_many_attempts` when the key had its failures. */
    assert,
    /** Counts a failure. */
    fail: (key: string): void => {
      failures.hit(key);
      anyFailure.hit(key);
    },
    /** Runs a guess that may fail. Throws as `assert`, and `unavailable` when too many wait. */
    run: async <R>(key: string, guess: () => Promise<R>): Promise<R> => {
      assert(key);
      // An address without failures, such as a whole office, guesses side by side; others one by one.
      const isFree = anyFailure.check(key).allowed && running.of(key) < FAILURES;
      if (isFree) return besideOthers(key, guess);
      return inTurn(key, async () => {
        assert(key);
        return guess();
      });
    },
  };
}
