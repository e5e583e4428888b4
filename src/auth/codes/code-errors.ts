/** Errors of codes that people type, the same on every page. */
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../base/errors.ts";
import type { WaitMs } from "../attempts/attempts.ts";

/** One text for wrong, expired and spent codes of a kind. */
const messages = {
  mail: "The code is wrong, expired or already used. Request a new one",
  totp: "The code is wrong or already used. Wait for the next code, and check the clock of your device",
  recovery: "The recovery code is wrong or already used. Use another one",
  device: "The device code is unknown or expired. Enter the code that the device shows now",
};

export function codeInvalid(method: keyof typeof messages = "mail"): AppError {
  return new AuthError("code_invalid", messages[method], { details: { method } });
}

export function tooManyCodes(waitMs: WaitMs): AppError {
  return new AppError("too_many_attempts", "Too many wrong codes. Wait, then try again", {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  });
}
