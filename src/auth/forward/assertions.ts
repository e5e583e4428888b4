/**
 * Signed assertions of the user for an application behind a proxy: valid for a minute, and only for this application.
 */
import type { AuthDeps } from "../base/deps.ts";
import type { Jwts } from "../sessions/jwt.ts";

/** How long an assertion is valid, in seconds. */
const ASSERTION_SECONDS = 60;
/** Distinguishes it from an ID token, which has the same issuer and audience (RFC 8725 section 3.11). */
export const ASSERTION_TYPE = "auth-assertion+jwt";
/** An assertion is sent again for so long, so that pages with many requests don't sign one each. */
const REUSE_MS = 20_000;
/** Assertions that are kept, the oldest go first. */
const MAX_KEPT = 10_000;

/** The claims of an assertion, except its times. */
export interface AssertionClaims {
  readonly iss: string;
  readonly sub: string;
  /** The application. */
  readonly aud: string;
  /** The sign-in. */
  readonly sid: string;
  readonly [name: string]: unknown;
}

interface Kept {
  /** The signed text: an account or a session may change meanwhile. */
  readonly text: string;
  readonly atMs: number;
  readonly token: Promise<string>;
}

export function createAssertions({ clock, jwts }: Pick<AuthDeps, "clock"> & { jwts: Pick<Jwts, "sign"> }) {
  const kept = new Map<string, Kept>();
  return (claims: AssertionClaims): Promise<string> => {
    const key = `${claims.sid} ${claims.aud}`;
    const text = JSON.stringify(claims);
    const known = kept.get(key);
    const nowMs = clock.monotonic();
    if (known?.text === text && nowMs - known.atMs < REUSE_MS) return known.token;
    const token = jwts.sign(claims, { alg: "ES256", typ: ASSERTION_TYPE, seconds: ASSERTION_SECONDS });
    const made = { text, atMs: nowMs, token };
    // Move it to the end: the oldest comes first.
    kept.delete(key);
    kept.set(key, made);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    token.catch(() => {
      if (kept.get(key) === made) kept.delete(key);
    });
    return token;
  };
}
