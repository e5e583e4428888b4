/**
 * Signatures of webhooks as Standard Webhooks has them (https://www.standardwebhooks.com, specification 1.0):
 * HMAC-SHA-256 over "<id>.<timestamp>.<body>", in base64 after "v1,". Hidden here: the forms of secrets and of lists.
 */
import { createHmac } from "node:crypto";
import { isSameText } from "./same-text.ts";

/** What a signature covers; `timestamp` in epoch seconds, as it stood in its header. */
export interface SignedMessage {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
}

/** "whsec_" and base64 are bytes; any other text is its own UTF-8. */
function toKey(secret: string): Buffer {
  return secret.startsWith("whsec_")
    ? Buffer.from(secret.slice("whsec_".length), "base64")
    : Buffer.from(secret, "utf8");
}

/** The signature of a message: "v1," and base64. */
export function signWebhook(secret: string, { id, timestamp, body }: SignedMessage): string {
  const hash = createHmac("sha256", toKey(secret)).update(`${id}.${timestamp}.${body}`, "utf8");
  return `v1,${hash.digest("base64")}`;
}

/** Signatures in one header that are looked at: a sender that changes its secret sends two. */
const MAX_SIGNATURES = 10;

/** Whether one of the signatures of a header, which spaces part, is right. */
export function isWebhookSignature(header: string, secret: string, message: SignedMessage): boolean {
  const expected = signWebhook(secret, message);
  let isMatch = false;
  for (const signature of header.split(" ").slice(0, MAX_SIGNATURES))
    isMatch = isSameText(signature, expected) || isMatch;
  return isMatch;
}
