/** Checks the administrator token. A right token is never a guess: only wrong ones are limited. */
import { createSecretCheck } from "../kit/secrets/admin-token.ts";
import { AppError } from "../kit/errors.ts";
import { addressKey, type RateLimit } from "../kit/limits/rate-limit.ts";
import type { LimitSource } from "../bus/shared-limit.ts";

const FAILURES = 5;
const FAILURE_WINDOW_MS = 15 * 60_000;
/** Characters of base64url that hold 128 bits. What is shorter could be found by trying, so its tries are limited first. */
const UNGUESSABLE_LENGTH = 22;

/** Where a token came from: wrong tokens in a query, which other pages can cause, are counted separately. */
export type TokenPlace = "header" | "query";

/** Throws `unauthenticated` when this is not the administrator token, and `rate_limited` after 5 wrong ones in 15 minutes from an address. */
export type AdminTokenCheck = (token: string, clientAddress: string, place?: TokenPlace) => void;

function assertAllowed(failures: RateLimit, key: string): void {
  const { allowed, retryAfterSeconds } = failures.check(key);
  if (allowed) return;
  throw new AppError(
    "rate_limited",
    "Too many wrong administrator tokens from this address. Wait, then try again",
    { retryAfterSeconds },
  );
}

/** Creates the check; `tokenHashes` are SHA-256 in hex. `onFirstUse` is called once, at the first right token. */
export function createAdminTokenCheck(deps: {
  limits: LimitSource;
  tokenHashes: readonly string[];
  onFirstUse?: () => void;
}): AdminTokenCheck {
  const isToken = createSecretCheck(deps.tokenHashes);
  const limit = { limit: FAILURES, windowMs: FAILURE_WINDOW_MS };
  const limits: Readonly<Record<TokenPlace, RateLimit>> = {
    header: deps.limits.create("admin-token", limit),
    query: deps.limits.create("admin-token-query", limit),
  };
  let isUsed = false;
  return (token, clientAddress, place = "header") => {
    const key = addressKey(clientAddress);
    const failures = limits[place];
    if (token.length < UNGUESSABLE_LENGTH) assertAllowed(failures, key);
    if (isToken(token)) {
      if (!isUsed) deps.onFirstUse?.();
      isUsed = true;
      return;
    }
    assertAllowed(failures, key);
    failures.hit(key);
    throw new AppError(
      "unauthenticated",
      "The administrator token is wrong. It was shown once, at the first start",
    );
  };
}
