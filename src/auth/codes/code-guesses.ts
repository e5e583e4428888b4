/**
 * Guesses at codes of mailboxes by people who are not signed in, limited in memory and in front of the store:
 * by the address that guesses and in all. Who holds the challenge of a sending is counted by it, and is not
 * hindered by what others guess (decision 028).
 */
import { AppError } from "../../kit/errors.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import { codeInvalid } from "./code-errors.ts";
import type { Codes, TakeOptions } from "./codes.ts";
import { createFailureThrottle } from "../attempts/failure-throttle.ts";

/** Wrong codes in 10 minutes over all addresses, of guesses without a challenge. */
const FAILURES_IN_ALL = 1_000;
const WINDOW_MS = 10 * 60_000;
const ALL = "all";

export type CodeGuesses = ReturnType<typeof createCodeGuesses>;

export function createCodeGuesses({ limits, codes }: { limits: LimitSource; codes: Codes }) {
  const throttle = createFailureThrottle(limits, "code");
  const inAll = limits.create("code-failures-in-all", { limit: FAILURES_IN_ALL, windowMs: WINDOW_MS });

  function assertFewInAll(): void {
    const { allowed, retryAfterSeconds } = inAll.check(ALL);
    if (allowed) return;
    throw new AppError(
      "too_many_attempts",
      "Too many wrong codes. Send the challengeId that was returned with the code, or wait and try again",
      { retryAfterSeconds },
    );
  }

  return {
    /** Runs a guess, which resolves with undefined when it is wrong. Throws `code_invalid`, `too_many_attempts`, `unavailable`. */
    run: async <R>(
      guess: Pick<TakeOptions, "purpose" | "address" | "owner" | "challengeId" | "caller">,
      work: () => Promise<R | undefined>,
    ): Promise<R> => {
      const challenge = codes.findChallenge(guess, guess.challengeId);
      if (challenge === undefined) assertFewInAll();
      const key = challenge ?? addressKey(guess.caller.clientAddress);
      return throttle.run(key, async () => {
        const result = await work();
        if (result !== undefined) return result;
        throttle.fail(key);
        if (challenge === undefined) inAll.hit(ALL);
        throw codeInvalid();
      });
    },
  };
}
