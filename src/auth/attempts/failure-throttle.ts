/**
 * Failures of who guesses, such as those of an address (IPv6 by /64), whatever they guess at. Many guesses at
 * once do not pass the limit before the first of them is known to be wrong.
 */
import { AppError } from "../../kit/errors.ts";
import { createHeldCounts } from "../../kit/limits/held-counts.ts";
import { createKeyedQueue } from "../../kit/limits/keyed-queue.ts";
import type { RateLimit } from "../../kit/limits/rate-limit.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { FailureAllowance } from "./failure-allowance.ts";

/** The allowance where no setting changes it. */
const FIXED: FailureAllowance = { failures: 10, windowMinutes: 10 };
const MINUTE_MS = 60_000;
/** Guesses of one key that wait for their turn; what is more is refused. */
const MAX_QUEUED = 256;

interface Window {
  readonly failures: RateLimit;
  readonly anyFailure: RateLimit;
}

/** The counts for each length of the window that was set, created with the first guess under it. */
function createWindows(limits: LimitSource, name: string): (minutes: number) => Window {
  const windows = new Map<number, Window>();
  return (minutes) => {
    const known = windows.get(minutes);
    if (known !== undefined) return known;
    const windowMs = minutes * MINUTE_MS;
    const window = {
      failures: limits.create(`${name}-failures-${minutes}`, { limit: FIXED.failures, windowMs }),
      anyFailure: limits.create(`${name}-any-failure-${minutes}`, { limit: 1, windowMs }),
    };
    windows.set(minutes, window);
    return window;
  };
}

/** Creates a throttle; `name` is that of its limit. Without `readAllowance` 10 failures are allowed in 10 minutes. */
export function createFailureThrottle(
  limits: LimitSource,
  name: string,
  readAllowance: () => Promise<FailureAllowance> = () => Promise.resolve(FIXED),
) {
  const windowOf = createWindows(limits, name);
  const inTurn = createKeyedQueue({ maxQueued: MAX_QUEUED });
  const running = createHeldCounts();
  /** As of the last guess: a failure follows one. */
  let allowance = FIXED;

  async function assert(key: string): Promise<void> {
    allowance = await readAllowance();
    const { failures } = windowOf(allowance.windowMinutes);
    const { allowed, retryAfterSeconds } = failures.check(key, allowance.failures);
    if (allowed) return;
    throw new AppError("too_many_attempts", "Too many failed attempts. Wait, then try again", {
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
      const { failures, anyFailure } = windowOf(allowance.windowMinutes);
      failures.hit(key, allowance.failures);
      anyFailure.hit(key);
    },
    /** Runs a guess that may fail. Throws as `assert`, and `unavailable` when too many wait. */
    run: async <R>(key: string, guess: () => Promise<R>): Promise<R> => {
      await assert(key);
      // An address without failures, such as a whole office, guesses side by side; others one by one.
      const { anyFailure } = windowOf(allowance.windowMinutes);
      const isFree = anyFailure.check(key).allowed && running.of(key) < allowance.failures;
      if (isFree) return besideOthers(key, guess);
      return inTurn(key, async () => {
        await assert(key);
        return guess();
      });
    },
  };
}
