/**
 * Signatures of webhooks as Standard Webhooks has them (https://www.standardwebhooks.com, specification 1.0):
 * HMAC-SHA-256 over "<id>.<timestamp>.<body>", in base64 after "v1,".
 */
import { createHmac } from "node:crypto";
import { newSecret } from "./id.ts";
import { isSameText } from "./same-text.ts";

/** What a signature covers; `timestamp` in epoch seconds, as in its header. */
export interface SignedMessage {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
}

const SECRET_PREFIX = "whsec_";
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const MIN_SECRET_CHARACTERS = 24;
const NEW_SECRET_BYTES = 32;

/**
 * The problem of a secret; undefined if it is valid. "whsec_" is followed by base64 of 24 to 64 bytes (Standard
 * Webhooks 1.0); any other text has at least 24 characters.
 */
export function findSecretProblem(secret: string): string | undefined {
  if (!secret.startsWith(SECRET_PREFIX))
    return secret.length >= MIN_SECRET_CHARACTERS
      ? undefined
      : `must have at least ${MIN_SECRET_CHARACTERS} characters`;
  const text = secret.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(text, "base64");
  // The decoder silently drops invalid base64.
  const isStrict = bytes.toString("base64") === text;
  return isStrict && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES
    ? undefined
    : `must be base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes after "${SECRET_PREFIX}"`;
}

/** A new secret: "whsec_" and base64 of 32 bytes. */
export function newWebhookSecret(): string {
  const text = newSecret("", NEW_SECRET_BYTES).slice(1);
  // From base64url: 32 bytes are 43 characters and one of padding.
  return `${SECRET_PREFIX}${text.replaceAll("-", "+").replaceAll("_", "/")}=`;
}

/** Keys of fewer bytes sign nothing: what was meant as a key may decode to none at all. */
const MIN_KEY_BYTES = 16;

/** "whsec_" and base64 are bytes; any other text is its own UTF-8. Undefined for a key that is too short. */
function findKey(secret: string): Buffer | undefined {
  const key = secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), "base64")
    : Buffer.from(secret, "utf8");
  return key.length >= MIN_KEY_BYTES ? key : undefined;
}

/** Whether a secret is long enough to sign with. */
export function canSign(secret: string): boolean {
  return findKey(secret) !== undefined;
}

function sign(key: Buffer, { id, timestamp, body }: SignedMessage): string {
  const hash = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`, "utf8");
  return `v1,${hash.digest("base64")}`;
}

/** The signature of a message: "v1," and base64. Throws RangeError for a secret that is too short. */
export function signWebhook(secret: string, message: SignedMessage): string {
  const key = findKey(secret);
  if (key === undefined)
    throw new RangeError(`The secret of a webhook has fewer than ${MIN_KEY_BYTES} bytes`);
  return sign(key, message);
}

/** Signatures in one header that are looked at: a sender that changes its secret sends two. */
const MAX_SIGNATURES = 10;

/** Whether one of the signatures of a header, which spaces part, is right; never with a secret that is too short to sign with. */
export function isWebhookSignature(header: string, secret: string, message: SignedMessage): boolean {
  const key = findKey(secret);
  if (key === undefined) return false;
  const expected = sign(key, message);
  let isMatch = false;
  for (const signature of header.split(" ").slice(0, MAX_SIGNATURES))
    isMatch = isSameText(signature, expected) || isMatch;
  return isMatch;
}
