/**
 * Tokens that applications verify themselves: short access tokens (RFC 9068), ID tokens (OpenID Connect Core 1.0
 * section 2), and their public keys (RFC 7517).
 */
import { type JWTPayload, SignJWT, errors, jwtVerify } from "jose";
import { AuthError } from "../base/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import { mayUse } from "../applications/may-use.ts";
import type { SigningAlgorithm } from "../applications/schema.ts";
import { type Subject, isFirstParty, opensScope } from "./subject.ts";
import type { AuthDeps } from "../base/deps.ts";
import { toAcr } from "../policy/assurance.ts";
import { clients } from "../applications/records.ts";
import type { SessionRecord } from "./schema.ts";
import type { SigningKeys } from "../signing-keys/signing-keys.ts";

/** Life of a token, in seconds: it cannot be revoked. */
export const JWT_SECONDS = 300;
/** Applications that are looked at together. */
const CLIENTS_AT_ONCE = 200;

/** An application gets tokens for its own audiences alone; a person for those of all applications that they may use. */
async function assertAudience(
  tx: ReadTx,
  audience: string,
  { user, session, application }: Subject,
): Promise<void> {
  if (!isFirstParty(session)) {
    if (application?.audiences.includes(audience) === true) return;
    throw new AuthError(
      "audience_not_allowed",
      `The application "${session.clientId}" does not have the audience "${audience}". An administrator must add it to the application`,
    );
  }
  for await (const page of pagesOf(tx, clients, { index: "id", pageSize: CLIENTS_AT_ONCE }))
    if (page.some((client) => client.audiences.includes(audience) && mayUse(client, user))) return;
  throw new AuthError(
    "audience_not_allowed",
    `No registered application that the account may use has the audience "${audience}". An administrator must add it to the application`,
  );
}

/** When and how the user authenticated (OpenID Connect Core 1.0 section 2). */
export function toProofClaims({ authenticatedAt, amr, aal, acr }: SessionRecord) {
  return { auth_time: Math.floor(authenticatedAt / 1_000), amr, acr: acr ?? toAcr({ amr, aal }) };
}

/** The administrator who acts in the account (RFC 8693 section 4.1), if any. */
export function toActor({ impersonatedBy }: SessionRecord): { act?: { sub: string } } {
  return impersonatedBy === undefined ? {} : { act: { sub: impersonatedBy } };
}

export type Jwts = ReturnType<typeof createJwts>;

/** Creates the tokens' logic. */
export function createJwts({
  store,
  clock,
  signingKeys: keys,
}: Pick<AuthDeps, "store" | "clock"> & {
  readonly signingKeys: Pick<SigningKeys, "getSigning" | "open" | "findPublic">;
}) {
  /** Signs for `seconds` from now. */
  async function sign(
    claims: JWTPayload & { readonly iss: string; readonly sub: string; readonly aud: string | string[] },
    { alg, typ, seconds }: { alg: SigningAlgorithm; typ: string; seconds: number },
  ): Promise<string> {
    const key = await keys.getSigning(alg);
    const iat = Math.floor(clock.now() / 1_000);
    return new SignJWT({ ...claims, iat, exp: iat + seconds })
      .setProtectedHeader({ alg, typ, kid: key.id })
      .sign(await keys.open(key));
  }

  return {
    sign,
    /**
     * The claims of our token of this kind, however old it is; undefined for a foreign one, and for one with a
     * forgotten key.
     */
    read: async (
      token: string,
      { issuer, typ }: { issuer: string; typ: "JWT" | "at+jwt" },
    ): Promise<JWTPayload | undefined> => {
      try {
        const { payload } = await jwtVerify(token, keys.findPublic, {
          issuer,
          typ,
          currentDate: new Date(0),
        });
        return payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
    /** A token for one audience. Throws `audience_not_allowed` unless a registered application that the account may use has it. */
    issue: async (
      subject: Subject,
      { audience, issuer }: { audience: string; issuer: string },
    ): Promise<string> => {
      const { user, session } = subject;
      await store.read((tx) => assertAudience(tx, audience, subject));
      const claims = {
        client_id: session.clientId,
        sid: session.id,
        ...toProofClaims(session),
        ...(opensScope(subject, "profile") && { preferred_username: user.username }),
        ...toActor(session),
      };
      const parties = { iss: issuer, sub: user.id, aud: audience, jti: newId("jwt", clock.now()) };
      return sign({ ...claims, ...parties }, { alg: "EdDSA", typ: "at+jwt", seconds: JWT_SECONDS });
    },
  };
}
