/** ID tokens: who signed in, when and how, for one application (OpenID Connect Core 1.0 section 2). */
import { toBase64Url } from "../../kit/text/base64.ts";
import { toSid } from "../sessions/session-ends.ts";
import type { ClientRecord } from "../applications/schema.ts";
import type { Subject } from "../sessions/subject.ts";
import { readCustomClaims } from "./custom-claims.ts";
import type { OwnClaims } from "../claims/schema.ts";
import type { AuthDeps } from "../base/deps.ts";
import { type Jwts, toProofClaims } from "../sessions/jwt.ts";
import type { Granted } from "./grants.ts";
import { type Scope, readScopes, toClaims } from "./scopes.ts";

/** Lifetime in seconds. Applications read it at the sign-in, and then have their own sessions. */
const ID_TOKEN_SECONDS = 3_600;

/** The left half of a hash, base64url (section 3.1.3.6). EdDSA over Ed25519 goes with SHA-512, the others with SHA-256. */
async function toHalfHash(text: string, algorithm: ClientRecord["idTokenAlgorithm"]): Promise<string> {
  const name = algorithm === "EdDSA" ? "SHA-512" : "SHA-256";
  const hash = new Uint8Array(await crypto.subtle.digest(name, new TextEncoder().encode(text)));
  return toBase64Url(hash.slice(0, hash.length / 2));
}

/** Claims of an ID token about a sign-in, except those of one exchange: its times, the nonce and the access token. */
export function toIdClaims(
  { id, claimsInIdToken, claims: templates }: Pick<ClientRecord, "id" | "claimsInIdToken" | "claims">,
  {
    session,
    granted,
    ...person
  }: Pick<Subject, "user" | "session" | "displayName" | "profile"> & {
    readonly granted: readonly Scope[];
    readonly custom: OwnClaims;
  },
  issuer: string,
) {
  return {
    ...(claimsInIdToken ? toClaims(person, granted, { issuer, templates }) : {}),
    iss: issuer,
    sub: person.user.id,
    aud: id,
    ...toProofClaims(session),
    sid: toSid(session),
  };
}

export type IdTokens = ReturnType<typeof createIdTokens>;

/** Creates them in the name of `issuer`. */
export function createIdTokens({
  store,
  jwts,
  issuer,
}: Pick<AuthDeps, "store"> & { jwts: Pick<Jwts, "sign">; issuer: string }) {
  return {
    /** One for tokens that were just given; undefined when the application did not ask for `openid`. */
    issue: async (
      client: ClientRecord,
      { tokens, displayName, profile, nonce, rules }: Granted,
    ): Promise<string | undefined> => {
      const { user, session, accessToken } = tokens;
      const granted = readScopes(session.scope ?? "");
      if (!granted.includes("openid")) return undefined;
      const { idTokenAlgorithm: alg, claimsInIdToken } = client;
      const custom = claimsInIdToken ? await readCustomClaims(store, user, rules ?? {}) : {};
      const claims = {
        ...toIdClaims(client, { user, session, displayName, profile, granted, custom }, issuer),
        ...(nonce === undefined ? {} : { nonce }),
        at_hash: await toHalfHash(accessToken, alg),
      };
      return jwts.sign(claims, { alg, typ: "JWT", seconds: ID_TOKEN_SECONDS });
    },
  };
}
