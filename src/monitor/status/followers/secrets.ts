/** Secrets that requests to webhooks of subscribers are signed with, as the store keeps them. */
import type { SecretBox } from "../../../kit/secrets/secret-box.ts";

const PURPOSE = "status-webhook";

/** A secret as the store keeps it. */
export function sealSecret(box: SecretBox, secret: string): string {
  return box.seal(secret, PURPOSE);
}

/** The secret; undefined when it was sealed with another key. */
export function openSecret(box: SecretBox, sealed: string | undefined): string | undefined {
  if (sealed === undefined) return undefined;
  try {
    return box.open(sealed, PURPOSE);
  } catch {
    return undefined;
  }
}
