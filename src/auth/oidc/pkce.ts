/** Proof that who redeems a code is who began (RFC 7636, S256 alone). */
import { fromBase64Url } from "../../kit/text/base64.ts";

/** Whether it has the form of a verifier. */
export function isVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/u.test(text);
}

/** The SHA-256 that a challenge is made of, in hexadecimal; undefined for another form. */
export function readChallenge(challenge: string): string | undefined {
  if (!/^[\w-]{43}$/u.test(challenge)) return undefined;
  return Array.from(fromBase64Url(challenge), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
