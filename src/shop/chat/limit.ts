/** How fast one user may write in the chat and send pictures for it. */
import { AppError } from "../../kit/errors.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";

const PER_MINUTE = 20;

/**
 * Creates a limit with its own name; the result counts for a user. @throws AppError `rate_limited` beyond 20 a minute
 */
export function createChatLimit(limits: LimitSource, name: string): (userId: string) => void {
  const limit = limits.create(name, { limit: PER_MINUTE, windowMs: 60_000 });
  return (userId) => {
    const { allowed, retryAfterSeconds } = limit.hit(userId);
    if (allowed) return;
    throw new AppError("rate_limited", `You can send up to ${PER_MINUTE} per minute. Wait, then try again`, {
      retryAfterSeconds,
    });
  };
}
