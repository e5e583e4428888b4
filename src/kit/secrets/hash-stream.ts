/** SHA-256 of contents that pass by in parts; Web Crypto takes only whole ones. */
import { createHash } from "node:crypto";

/** Begins a hash of a content that is too large to hold. */
export function createHashStream() {
  const hash = createHash("sha256");
  return {
    /** Adds the next part. */
    add: (bytes: Uint8Array): void => {
      hash.update(bytes);
    },
    /** The SHA-256 of all parts so far, hex; more may follow. */
    digest: (): string => hash.copy().digest("hex"),
  };
}

/** A hash that is under way. */
export type HashStream = ReturnType<typeof createHashStream>;
