/** The refusals of codes that people type, the same wherever one is asked for. */
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../base/errors.ts";
import type { WaitMs } from "../attempts/attempts.ts";

/** One text for wrong, expired and spent codes of a kind. */
const messages = {
  mail: "The code is wrong, expired or was used; ask for a new one",
  totp: "The code is wrong or was used; wait for the next one, and check the clock of the device that shows it",
  recovery: "The recovery code is wrong or was used",
  device: "No device waits with this code, or it waited too long; type what it shows now",
};

export function codeInvalid(method: keyof typeof messages = "mail"): AppError {
  return new AuthError("code_invalid", messages[method], { details: { method } });
}

export function tooManyCodes(waitMs: WaitMs): AppError {
  return new AppError("too_many_attempts", "Too many wrong codes; wait and try again", {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  });
}
