/** The refusals of codes that people type, the same wherever one is asked for. */
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../errors.ts";
import type { WaitMs } from "../attempts/attempts.ts";

/** One text for wrong, expired and spent codes. */
export function codeInvalid(): AppError {
  return new AuthError("code_invalid", "The code is wrong, expired or was used; ask for a new one");
}

/** Too many wrong codes. */
export function tooManyCodes(waitMs: WaitMs): AppError {
  return new AppError("too_many_attempts", "Too many wrong codes; wait and try again", {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  });
}
