/**
 * Values that must be kept but not be readable in a store: sealed with AES-256-GCM (NIST SP 800-38D), or kept as
 * HMAC-SHA-256 (RFC 2104).
 */
import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
} from "node:crypto";
import { takeRandomBytes } from "./random-pool.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1.";

/** Creates a box from a secret of at least 32 characters or bytes. Throws RangeError for a shorter one. */
export function createSecretBox(secret: string) {
  if (secret.length < 32) throw new RangeError("The secret must have at least 32 characters");
  // As objects: from bytes Node 24 makes one for each use, 13 of the 16 µs of a keyed hash.
  const keys = new Map<string, KeyObject>();
  function keyOf(purpose: string): KeyObject {
    const known = keys.get(purpose);
    if (known !== undefined) return known;
    const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", `trivet/${purpose}`, 32)));
    keys.set(purpose, key);
    return key;
  }
  return {
    /** Encrypts a text; each call gives another result. */
    seal: (text: string, purpose: string): string => {
      const iv = takeRandomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", keyOf(`seal/${purpose}`), iv);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return VERSION + Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
    },
    /** Decrypts what `seal` gave. Throws when it was changed, or sealed with another key or for another purpose. */
    open: (sealed: string, purpose: string): string => {
      if (!sealed.startsWith(VERSION)) throw new Error("The value was not sealed by this version");
      const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
      const decipher = createDecipheriv(
        "aes-256-gcm",
        keyOf(`seal/${purpose}`),
        bytes.subarray(0, IV_BYTES),
        { authTagLength: TAG_BYTES },
      );
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const body = bytes.subarray(IV_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
    },
    /** A keyed hash, 43 characters of base64url; the same for the same text and purpose. */
    mac: (text: string, purpose: string): string =>
      createHmac("sha256", keyOf(`mac/${purpose}`))
        .update(text, "utf8")
        .digest("base64url"),
  };
}

/** Operations of a secret key. `purpose` separates uses: a value sealed for one opens for no other. */
export type SecretBox = ReturnType<typeof createSecretBox>;
