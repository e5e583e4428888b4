/** The challenge for a sign-in that is too weak or too old (RFC 9470 section 3). */
import { AuthError } from "../base/errors.ts";

export const INSUFFICIENT = "insufficient_user_authentication";

/** A step that the person can take. */
type Step = "two-factor" | "phishing-resistant" | "fresh sign-in";

/** The acr_values that request a stronger sign-in. */
export function toAcrValues(step: Exclude<Step, "fresh sign-in">): "aal2" | "phr" {
  return step === "two-factor" ? "aal2" : "phr";
}

/** The remedy for each. */
const remedies = {
  "two-factor": "sign in with two-factor authentication",
  "phishing-resistant": "sign in with a passkey",
  "fresh sign-in": "sign in again",
} as const satisfies Record<Step, string>;

/** The refusal as an error, which names what is missing and how to get it. */
export function insufficientProof(
  step: Step,
  { id, maxAgeSeconds }: { readonly id: string; readonly maxAgeSeconds: number },
): AuthError {
  return new AuthError(
    INSUFFICIENT,
    `The access policy of the application "${id}" requires more: ${remedies[step]}`,
    { details: step === "fresh sign-in" ? { max_age: maxAgeSeconds } : { acr_values: toAcrValues(step) } },
  );
}
