/** The access tokens of applications: opaque, or JWTs (RFC 9068) that are of use here only while their session lives. */
import { toSid } from "./session-ends.ts";
import type { ClientRecord } from "../applications/schema.ts";
import { type Subject, findAudience, findScope, isFirstParty, opensScope } from "./subject.ts";
import type { ResourceNames } from "../resources/target.ts";
import { type Jwts, toActor, toProofClaims } from "./jwt.ts";
import type { Sessions, TokenSet } from "./sessions.ts";

/** A valid access token. Times are epoch milliseconds. */
export interface FoundToken {
  readonly subject: Subject;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Its audience, the center first. */
  readonly audience: string | readonly string[];
}

/** Creates what names the audience of a token: the center, for userinfo, and its resources. */
function createToAudience({ issuer, resourceNames }: { issuer: string; resourceNames: ResourceNames }) {
  return (subject: Pick<Subject, "session" | "application">): string | string[] => {
    const asked = findAudience(subject) ?? [];
    const isForCenter = asked.includes("auth") || opensScope(subject, "openid");
    const isNamed = (subject.session.audience ?? []).length > 0;
    const others = asked.filter((id) => id !== "auth").map((id) => resourceNames.toAud(id));
    const all = isForCenter || !isNamed ? [issuer, ...others] : others;
    return all.length === 1 ? (all[0] ?? issuer) : all;
  };
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** Creates the logic, in the name of `issuer`. */
export function createAccessTokens({
  sessions,
  jwts,
  issuer,
  resourceNames,
}: {
  readonly sessions: Sessions;
  readonly jwts: Pick<Jwts, "sign" | "read">;
  readonly issuer: string;
  readonly resourceNames: ResourceNames;
}) {
  const toAudience = createToAudience({ issuer, resourceNames });

  async function findOpaque(token: string): Promise<FoundToken | undefined> {
    const subject = await sessions.find(token);
    if (subject === undefined) return undefined;
    const { session } = subject;
    return {
      subject,
      issuedAt: session.createdAt,
      expiresAt: sessions.expiryOf(session, token),
      audience: toAudience(subject),
    };
  }

  async function findJwt(token: string): Promise<FoundToken | undefined> {
    const said = await jwts.read(token, { issuer, typ: "at+jwt" });
    const { jti = "", iat = 0, exp = 0, aud = issuer } = said ?? {};
    const subject = said && (await sessions.findByHash(jti));
    return subject && { subject, issuedAt: iat * 1_000, expiresAt: exp * 1_000, audience: aud };
  }

  return {
    /** The token as the application gets it. */
    toSent: async (client: ClientRecord, { user, session, accessToken, expiresIn }: TokenSet) => {
      if (client.accessTokenFormat === "opaque") return accessToken;
      const subject = { session, application: client };
      const claims = {
        iss: issuer,
        sub: user.id,
        aud: toAudience(subject),
        client_id: client.id,
        // The stored hash of the matching opaque token: used to find it, and worthless without a signature.
        jti: session.accessHash,
        scope: findScope(subject),
        sid: toSid(session),
        ...toProofClaims(session),
        ...toActor(session),
      };
      return jwts.sign(claims, { alg: client.idTokenAlgorithm, typ: "at+jwt", seconds: expiresIn });
    },
    /** A living refresh token of the application, which alone learns of it; undefined for any other token. */
    findRefresh: async (client: ClientRecord, token: string): Promise<FoundToken | undefined> => {
      const subject = await sessions.findByRefresh(token);
      if (subject === undefined || isFirstParty(subject.session)) return undefined;
      const { session } = subject;
      if (session.clientId !== client.id) return undefined;
      const audience = toAudience(subject);
      return {
        subject,
        issuedAt: session.rotatedAt ?? session.createdAt,
        expiresAt: session.expiresAt,
        audience,
      };
    },
    /** The session of an access token, in either form; undefined if the token is invalid or expired. */
    find: (token: string): Promise<FoundToken | undefined> =>
      token.startsWith("eyJ") ? findJwt(token) : findOpaque(token),
  };
}
