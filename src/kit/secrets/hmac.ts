/** Signatures by which a message proves that its sender knows a secret. */
import { createHmac } from "node:crypto";

/** HMAC-SHA-256 (RFC 2104) of a text in Base64. */
export function signText(text: string, key: string): string {
  return createHmac("sha256", key).update(text).digest("base64");
}
