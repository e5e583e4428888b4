/** Secrets of endpoints: made here, sealed in the store, shown once. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { EndpointRecord } from "./schema.ts";

const PURPOSE = "webhook-out";

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
