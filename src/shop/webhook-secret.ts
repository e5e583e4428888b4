/** What counts as a secret of a payment provider: long enough not to be guessed, and read by both sides alike. */

const PREFIX = "whsec_";
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const MIN_CHARACTERS = 24;

/**
 * What is wrong with a secret; undefined when nothing is. "whsec_" is followed by base64 of 24 to 64 bytes
 * (Standard Webhooks 1.0); any other text has at least 24 characters.
 */
export function findSecretProblem(secret: string): string | undefined {
  if (!secret.startsWith(PREFIX))
    return secret.length >= MIN_CHARACTERS ? undefined : `must have at least ${MIN_CHARACTERS} characters`;
  const text = secret.slice(PREFIX.length);
  const bytes = Buffer.from(text, "base64");
  // What is no base64 is dropped without a word by the decoder.
  const isStrict = bytes.toString("base64") === text;
  return isStrict && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES
    ? undefined
    : `must be base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes after "${PREFIX}"`;
}
