/** Whether somebody holds the administrator token. Hidden here: the throttle of guesses. */
import { createSecretCheck } from "./admin-token.ts";
import { AppError } from "./errors.ts";
import { addressKey } from "./rate-limit.ts";
import type { LimitSource } from "./shared-limit.ts";

const FAILURES = 5;
const FAILURE_WINDOW_MS = 15 * 60_000;

/** Throws `unauthenticated` when this is not the administrator token, and `rate_limited` after 5 wrong ones in 15 minutes from an address. */
export type AdminTokenCheck = (token: string, clientAddress: string) => void;

/** Makes the check; `tokenHashes` are SHA-256 in hex. */
export function createAdminTokenCheck(deps: {
  limits: LimitSource;
  tokenHashes: readonly string[];
}): AdminTokenCheck {
  const isToken = createSecretCheck(deps.tokenHashes);
  const failures = deps.limits.create("admin-token", { limit: FAILURES, windowMs: FAILURE_WINDOW_MS });
  return (token, clientAddress) => {
    const key = addressKey(clientAddress);
    const { allowed, retryAfterSeconds } = failures.check(key);
    if (!allowed) {
      throw new AppError(
        "rate_limited",
        "Too many wrong administrator tokens from this address; wait and try again",
        { retryAfterSeconds },
      );
    }
    if (isToken(token)) return;
    failures.hit(key);
    throw new AppError(
      "unauthenticated",
      "The administrator token is wrong; it was shown once at the first start",
    );
  };
}
