/**
 * Applications that authenticate with a private key instead of a secret: private_key_jwt (RFC 7523, OpenID Connect
 * Core 1.0 section 9).
 */
import {
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  createLocalJWKSet,
  decodeJwt,
  errors,
  jwtVerify,
} from "jose";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import type { AuthDeps } from "../base/deps.ts";
import { usedAssertions } from "./records.ts";
import { createKeySets } from "./key-sets.ts";

/** The value of `client_assertion_type` (RFC 7523 section 2.2). */
export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Accepted signature algorithms; never a shared secret, and never none. */
export const assertionAlgorithms = ["RS256", "PS256", "ES256", "ES384", "EdDSA"] as const;

/** An assertion ends within it; clocks differ by as much as the skew. */
const MAX_LIFE_SECONDS = 600;
const SKEW_SECONDS = 60;

/** Paths of the endpoints that take assertions: programs name the one that they ask, or the issuer. */
const endpoints = [
  "",
  "/oauth/token",
  "/oauth/par",
  "/oauth/revoke",
  "/oauth/device_authorization",
  "/api/auth/introspect",
  "/api/auth/validate",
];

/** An application with its keys, or the address where it publishes them. */
interface KeyHolder {
  readonly id: string;
  readonly jwks: JSONWebKeySet;
  /** "" where there is none. */
  readonly jwksUri: string;
}

/** The application that an assertion names, before anything of it is believed; "" for what is none. */
export function readAssertionSubject(assertion: string): string {
  try {
    // Nothing has checked the claims yet, whatever their type says.
    const { sub }: { readonly sub?: unknown } = decodeJwt(assertion);
    return typeof sub === "string" ? sub : "";
  } catch {
    return "";
  }
}

export type Assertions = ReturnType<typeof createAssertions>;

export function createAssertions({
  store,
  expiry,
  clock,
  outbound,
  issuer,
}: Pick<AuthDeps, "store" | "expiry" | "clock" | "outbound"> & { readonly issuer: string }) {
  const keySets = createKeySets({ outbound, clock });
  const audience = endpoints.map((path) => issuer + path);

  function toKeys({ jwks, jwksUri }: KeyHolder): JWTVerifyGetKey {
    return jwksUri === "" ? createLocalJWKSet(jwks) : keySets.open(jwksUri);
  }

  /** Notes an assertion; whether it came for the first time. */
  function spend(clientId: string, jti: string, endsAtMs: number): Promise<boolean> {
    const id = hashSecret(`${clientId}\n${jti}`);
    return store.transact(async (tx) => {
      if ((await tx.get(usedAssertions, id)) !== undefined) return false;
      await tx.insert(usedAssertions, { id, expiresAt: endsAtMs });
      return true;
    });
  }

  return {
    /** Whether the application signed it for this center, a moment ago, and shows it for the first time. */
    check: async (client: KeyHolder, assertion: string): Promise<boolean> => {
      if (issuer === "") return false;
      const nowMs = expiry.now();
      try {
        const { payload } = await jwtVerify(assertion, toKeys(client), {
          issuer: client.id,
          subject: client.id,
          audience,
          requiredClaims: ["exp", "jti"],
          algorithms: [...assertionAlgorithms],
          clockTolerance: SKEW_SECONDS,
          currentDate: new Date(nowMs),
        });
        const jti: unknown = payload.jti;
        const { exp = 0, aud } = payload;
        // For several audiences, another of them could show it here.
        const isForUs = typeof aud === "string" || aud?.length === 1;
        const endsAtMs = (exp + SKEW_SECONDS) * 1_000;
        if (!isForUs || typeof jti !== "string" || jti === "" || jti.length > 200) return false;
        if (endsAtMs > nowMs + (MAX_LIFE_SECONDS + 2 * SKEW_SECONDS) * 1_000) return false;
        return await spend(client.id, jti, endsAtMs);
      } catch (error) {
        // A DOMException: the application's key is none.
        if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
          return false;
        throw error;
      }
    },
  };
}
