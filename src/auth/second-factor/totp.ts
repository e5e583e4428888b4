/** One-time codes by time (TOTP, RFC 6238) as authenticator apps make them: SHA-1, 6 digits, 30 s. */
import { timingSafeEqual } from "node:crypto";
import { HOTP, Secret, TOTP } from "otpauth";

const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20; // as long as the HMAC's output: RFC 4226 section 4, R6
const LEAST_SECRET_BYTES = 16; // the same requirement's least
const ALGORITHM = "SHA1"; // many apps ignore any other that the URI names

/** A new secret of 20 random bytes, in base32 without padding (32 characters). */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Throws TypeError for what is no base32, RangeError for a secret that could be guessed. */
function readSecret(base32: string): Secret {
  const secret = Secret.fromBase32(base32);
  if (secret.bytes.length < LEAST_SECRET_BYTES)
    throw new RangeError(`A TOTP secret must have at least ${LEAST_SECRET_BYTES} bytes`);
  return secret;
}

export interface TotpUriOptions {
  /** Base32. */
  readonly secret: string;
  /** The site's name, shown by the app. */
  readonly issuer: string;
  /** The account's name, for example the email address. */
  readonly account: string;
}

/**
 * The otpauth:// address that apps read from a QR code. Throws TypeError or RangeError for a secret that
 * is none.
 */
export function toTotpUri(options: TotpUriOptions): string {
  const { issuer, account } = options;
  const secret = readSecret(options.secret);
  const settings = { algorithm: ALGORITHM, digits: DIGITS, period: STEP_SECONDS };
  return new TOTP({ issuer, label: account, secret, ...settings }).toString();
}

export interface TotpCode {
  /** Base32. */
  readonly secret: string;
  /** As it was typed. */
  readonly code: string;
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

/**
 * The time step (number of 30 s since 1970) that a code belongs to, the current one or a neighbor; undefined when it
 * is wrong. The caller stores the step and rejects it and earlier ones afterward (RFC 6238 section 5.2). Spaces in the
 * code do not count. Throws TypeError or RangeError for a secret that is none, never for a code or a time.
 */
export function findTotpStep(options: TotpCode): number | undefined {
  const secret = readSecret(options.secret);
  const code = options.code.replaceAll(" ", "");
  if (!/^[0-9]{6}$/u.test(code)) return undefined;
  const present = Math.floor(options.nowMs / 1_000 / STEP_SECONDS);
  if (!Number.isSafeInteger(present)) return undefined;
  const given = Buffer.from(code);
  let found: number | undefined;
  // All are compared, so that the time does not tell which one it was. Should two steps have the same
  // code, the later one counts: kept by the caller, it leaves no step for which the code would do again.
  for (const step of [present - 1, present, present + 1]) {
    if (step < 0) continue;
    const expected = HOTP.generate({ secret, algorithm: ALGORITHM, digits: DIGITS, counter: step });
    if (timingSafeEqual(given, Buffer.from(expected))) found = step;
  }
  return found;
}
