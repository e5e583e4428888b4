/**
 * Encrypts what a browser stores for an application, so that it can be neither read nor forged (AES-256-GCM).
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const IV_BYTES = 12;

/** Bytes as base64url (RFC 4648 section 5) without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/(?<!=)=+$/u, "");
}

/** Throws for a text that is no base64url. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}

/** Random text of 256 bits. */
export function newSecretText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** The S256 challenge of a verifier (RFC 7636 section 4.2). */
export async function toChallenge(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(verifier))));
}

/** Seals and opens texts; what was sealed for one purpose does not open for another. */
export interface Seal {
  seal(text: string, purpose: string): Promise<string>;
  /** Undefined for what this secret did not seal for this purpose. */
  open(sealed: string, purpose: string): Promise<string | undefined>;
}

/** Creates the seal of a secret. */
export function createSeal(secret: string): Seal {
  const key = crypto.subtle
    .importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"])
    .then((base) =>
      crypto.subtle.deriveKey(
        { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode("trivet-auth-client") },
        base,
        { name: "AES-GCM", length: 256 },
        false,
        ["encrypt", "decrypt"],
      ),
    );
  return {
    seal: async (text, purpose) => {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const how = { name: "AES-GCM", iv, additionalData: encoder.encode(purpose) };
      const sealed = new Uint8Array(await crypto.subtle.encrypt(how, await key, encoder.encode(text)));
      const whole = new Uint8Array(IV_BYTES + sealed.length);
      whole.set(iv);
      whole.set(sealed, IV_BYTES);
      return toBase64Url(whole);
    },
    open: async (sealed, purpose) => {
      try {
        const whole = fromBase64Url(sealed);
        const how = {
          name: "AES-GCM",
          iv: whole.subarray(0, IV_BYTES),
          additionalData: encoder.encode(purpose),
        };
        return decoder.decode(await crypto.subtle.decrypt(how, await key, whole.subarray(IV_BYTES)));
      } catch {
        return undefined;
      }
    },
  };
}
