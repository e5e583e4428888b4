/** Secrets of endpoints: made here, sealed in the store, shown once. */
import { newSecret } from "../../kit/secrets/id.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { EndpointRecord } from "./schema.ts";

const PURPOSE = "webhook-out";
const SECRET_BYTES = 32;

/** A new secret as Standard Webhooks 1.0 writes them: "whsec_" and base64. */
export function makeSecret(): string {
  const text = newSecret("", SECRET_BYTES).slice(1);
  // From base64url: 32 bytes are 43 characters and one of padding.
  return `whsec_${text.replaceAll("-", "+").replaceAll("_", "/")}=`;
}

/** A secret as the store keeps it. */
export function sealSecret(box: SecretBox, secret: string): string {
  return box.seal(secret, PURPOSE);
}

/** The secrets that sign now: that of the endpoint, and for a day after a rotation also the one before. */
export function openSecrets(
  box: SecretBox,
  { sealedSecret, sealedPrevious, previousUntil = 0 }: EndpointRecord,
  nowMs: number,
): string[] {
  const sealed = previousUntil > nowMs && sealedPrevious !== undefined ? [sealedPrevious] : [];
  return [sealedSecret, ...sealed].map((text) => box.open(text, PURPOSE));
}
