/**
 * Wrong credentials by address (IPv6 by /64), whatever account they are for. Hidden here: the limit, and
 * that many guesses at once do not pass it before the first of them is known to be wrong.
 */
import { AppError } from "../kit/errors.ts";
import { createKeyedQueue } from "../kit/keyed-queue.ts";
import { addressKey } from "../kit/rate-limit.ts";
import type { LimitSource } from "../kit/shared-limit.ts";
import type { Caller } from "./caller.ts";

/** Failures of one address in 10 minutes. */
const FAILURES = 10;
const WINDOW_MS = 10 * 60_000;
/** Guesses of one address that wait for their turn; what is more is refused. */
const MAX_QUEUED = 256;

export interface AddressThrottle {
  /** Throws `too_many_attempts` when the address had its failures. */
  assert(caller: Caller): void;
  /** Counts a failure. */
  fail(caller: Caller): void;
  /** Runs a guess that may fail. Throws as `assert`, and `unavailable` when too many wait. */
  run<R>(caller: Caller, guess: () => Promise<R>): Promise<R>;
}

/** Makes the throttle. */
export function createAddressThrottle(limits: LimitSource): AddressThrottle {
  const failures = limits.create("sign-in-failures", { limit: FAILURES, windowMs: WINDOW_MS });
  const anyFailure = limits.create("sign-in-any-failure", { limit: 1, windowMs: WINDOW_MS });
  const inTurn = createKeyedQueue({ maxQueued: MAX_QUEUED });
  const running = new Map<string, number>();

  function assert(caller: Caller): void {
    const { allowed, retryAfterSeconds } = failures.check(addressKey(caller.clientAddress));
    if (allowed) return;
    throw new AppError("too_many_attempts", "Too many failures from this address; wait and try again", {
      retryAfterSeconds,
    });
  }

  async function besideOthers<R>(key: string, work: () => Promise<R>): Promise<R> {
    running.set(key, (running.get(key) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(key) ?? 0) - 1;
      if (left > 0) running.set(key, left);
      else running.delete(key);
    }
  }

  return {
    assert,
    fail: (caller) => {
      const key = addressKey(caller.clientAddress);
      failures.hit(key);
      anyFailure.hit(key);
    },
    run: async (caller, guess) => {
      const key = addressKey(caller.clientAddress);
      assert(caller);
      // An address without failures, such as a whole office, signs in side by side; others one by one.
      const isFree = anyFailure.check(key).allowed && (running.get(key) ?? 0) < FAILURES;
      if (isFree) return besideOthers(key, guess);
      return inTurn(key, async () => {
        assert(caller);
        return guess();
      });
    },
  };
}
