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

/** What values in records are sealed for: to change the key, each value is opened with one of these. */
export const storedPurposes = [
  "outbox",
  "smtp",
  "secret",
  "delivery",
  "gift-card",
  "provider",
  "webhook-out",
  "withdrawal",
  "license-signing-key",
  "signing-key",
  "totp",
  "upstream-secret",
  "channel",
  "check",
  "center-tokens",
  "status-webhook",
  "lookups",
] as const;
/** What cookies, cursors and challenges are sealed for, which browsers keep: a new key makes them invalid. */
type PassingPurpose =
  | "page-step"
  | "trivet_comer"
  | "trivet_upstream"
  | `passkey-${string}`
  | `directory-cursor/${string}`;
export type SealPurpose = (typeof storedPurposes)[number] | PassingPurpose;

/** The keys that are derived from a secret, by purpose. */
function createKeys(secret: string): (purpose: string) => KeyObject {
  // As objects: from bytes Node 24 makes one for each use, 13 of the 16 µs of a keyed hash.
  const keys = new Map<string, KeyObject>();
  return (purpose) => {
    const known = keys.get(purpose);
    if (known !== undefined) return known;
    const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", `trivet/${purpose}`, 32)));
    keys.set(purpose, key);
    return key;
  };
}

/** Operations of a secret key. `purpose` separates uses: a value sealed for one opens for no other. */
export interface SecretBox {
  /** Encrypts a text; each call gives another result. */
  seal(text: string, purpose: SealPurpose): string;
  /** Decrypts what `seal` gave. Throws when it was changed, or sealed with another key or for another purpose. */
  open(sealed: string, purpose: SealPurpose): string;
  /** A keyed hash, 43 characters of base64url; the same for the same text and purpose until the secret changes. */
  mac(text: string, purpose: string): string;
  /** A keyed hash by which records are found. It stays when the secret changes: many of the texts are not stored. */
  lookup(text: string, purpose: string): string;
  /** The same box with the lookups of the first secret, which `sealLookups` gave. */
  withLookups(sealed: string): SecretBox;
  /** Seals what lookups depend on for the box that takes over. */
  sealLookups(next: SecretBox): string;
}

function seal(key: KeyObject, text: string): string {
  const iv = takeRandomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return VERSION + Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

function open(key: KeyObject, sealed: string): string {
  if (!sealed.startsWith(VERSION)) throw new Error("The value was not sealed by this version");
  const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), options);
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const body = bytes.subarray(IV_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
}

function hash(key: KeyObject, text: string): string {
  return createHmac("sha256", key).update(text, "utf8").digest("base64url");
}

/**
 * Creates a box from a secret of at least 32 characters or bytes; `lookups` is the first secret of the same records,
 * where that is another one. Throws RangeError for a shorter one.
 */
export function createSecretBox(secret: string, lookups: string = secret): SecretBox {
  if (secret.length < 32) throw new RangeError("The secret must have at least 32 characters");
  const keyOf = createKeys(secret);
  const lookupKeyOf = lookups === secret ? keyOf : createKeys(lookups);
  const box: SecretBox = {
    seal: (text, purpose) => seal(keyOf(`seal/${purpose}`), text),
    open: (sealed, purpose) => open(keyOf(`seal/${purpose}`), sealed),
    mac: (text, purpose) => hash(keyOf(`mac/${purpose}`), text),
    lookup: (text, purpose) => hash(lookupKeyOf(`mac/${purpose}`), text),
    withLookups: (sealed) => createSecretBox(secret, box.open(sealed, "lookups")),
    sealLookups: (next) => next.seal(lookups, "lookups"),
  };
  return box;
}
