/** Refresh tokens that need no list of spent ones. */
import { createHash, createHmac, randomBytes } from "node:crypto";

const PART_BYTES = 16;
const FORM = /^ref_[A-Za-z0-9_-]{43}$/u;

function toToken(family: Uint8Array, secret: Uint8Array): string {
  return `ref_${Buffer.concat([family, secret]).toString("base64url")}`;
}

function toBytes(token: string): Buffer | undefined {
  if (!FORM.test(token)) return undefined;
  const bytes = Buffer.from(token.slice(4), "base64url");
  // The last character has two bits that decode to nothing: of its spellings only one is the token.
  return bytes.toString("base64url") === token.slice(4) ? bytes : undefined;
}

/** The first token of a family: `ref_` and 32 random bytes. */
export function newRefreshToken(): string {
  return toToken(randomBytes(PART_BYTES), randomBytes(PART_BYTES));
}

/** The family ID of a token, as SHA-256 in hex; undefined when the token is malformed. */
export function findFamilyId(token: string): string | undefined {
  const bytes = toBytes(token);
  if (bytes === undefined) return undefined;
  return createHash("sha256").update(bytes.subarray(0, PART_BYTES)).digest("hex");
}

/** A random value to derive successors with. */
export function newRotationNonce(): string {
  return randomBytes(PART_BYTES).toString("base64url");
}

/**
 * The refresh and access token that follow `spent`: the same for the same nonce, and known only to who
 * holds `spent`, since the store has its hash alone. Throws for a malformed token.
 */
export function deriveSuccessor(spent: string, nonce: string): { refreshToken: string; accessToken: string } {
  const bytes = toBytes(spent);
  if (bytes === undefined) throw new Error("The refresh token is malformed");
  const derive = (use: string): Buffer => createHmac("sha256", spent).update(`${use}/${nonce}`).digest();
  return {
    refreshToken: toToken(bytes.subarray(0, PART_BYTES), derive("refresh").subarray(0, PART_BYTES)),
    accessToken: `acc_${derive("access").toString("base64url")}`,
  };
}
