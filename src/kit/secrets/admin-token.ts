/** Tokens that grant access by being known: made, hashed for keeping, and compared without a timing hint. */
import { hash, timingSafeEqual } from "node:crypto";
import { newSecret } from "./id.ts";

/** A new administrator's token: `adm_` and 32 random bytes in base64url. */
export function newAdminToken(): string {
  return newSecret("adm");
}

/**
 * SHA-256 of a secret in hex. For random secrets of 128 bits or more, which cannot be guessed; never for
 * passwords.
 */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/**
 * Creates a check against the hashes of {@link hashSecret}. It takes the same time whichever hash
 * matches, or none, at any length of the candidate. Throws when a hash is not one.
 */
export function createSecretCheck(hashes: readonly string[]): (candidate: string | undefined) => boolean {
  const known = hashes.map((text) => {
    if (!/^[0-9a-f]{64}$/u.test(text)) throw new Error("A secret's hash must be 64 hex digits");
    return Buffer.from(text, "hex");
  });
  return (candidate) => {
    const digest = hash("sha256", candidate ?? "", "buffer");
    let isMatch = false;
    // Every hash is compared, so that the time does not reveal which one matched.
    for (const each of known) isMatch = timingSafeEqual(each, digest) || isMatch;
    return isMatch && candidate !== undefined && candidate !== "";
  };
}
