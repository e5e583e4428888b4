/**
 * The claims of an account, each said once: which scope opens it, its type and its value (OpenID Connect Core 1.0
 * sections 5.1 and 5.4). ID tokens, /oauth/userinfo, its document and the discovery document follow.
 */
import { z } from "zod";
import type { ProfileRecord, UserRecord } from "../accounts/schema.ts";
import type { OwnClaims } from "../claims/schema.ts";
import { toAvatarUrl } from "../people/profiles.ts";
import type { accountScopes } from "../resources/schema.ts";

/** The subject of the claims. */
export interface Person {
  readonly user: Pick<
    UserRecord,
    "id" | "username" | "email" | "emailVerifiedAt" | "groups" | "locale" | "timeZone"
  >;
  /** Claims of the account and its groups. */
  readonly custom?: OwnClaims;
  readonly displayName: string;
  readonly profile?:
    | Pick<
        ProfileRecord,
        "username" | "avatarHash" | "visibility" | "joinedAt" | "updatedAt" | "givenName" | "familyName"
      >
    | undefined;
}

export type ClaimValue = string | number | boolean | readonly string[];

interface ClaimSource {
  readonly scope: (typeof accountScopes)[number];
  readonly schema: z.ZodType;
  /** Undefined: the claim is left out. */
  readonly read: (person: Person, issuer: string) => ClaimValue | undefined;
}

/** The picture's absolute URL, if it is public; applications fetch it without a token. */
function readPicture({ profile }: Person, issuer: string): string | undefined {
  const path = profile === undefined || profile.visibility === "private" ? null : toAvatarUrl(profile);
  return path === null || issuer === "" ? undefined : issuer + path;
}

export const claimTable: Readonly<Record<string, ClaimSource>> = {
  name: { scope: "profile", schema: z.string(), read: ({ displayName }) => displayName },
  given_name: {
    scope: "profile",
    schema: z.string(),
    read: ({ profile }) => profile?.givenName || undefined,
  },
  family_name: {
    scope: "profile",
    schema: z.string(),
    read: ({ profile }) => profile?.familyName || undefined,
  },
  preferred_username: { scope: "profile", schema: z.string(), read: ({ user }) => user.username },
  locale: { scope: "profile", schema: z.string(), read: ({ user }) => user.locale },
  zoneinfo: { scope: "profile", schema: z.string(), read: ({ user }) => user.timeZone },
  picture: {
    scope: "profile",
    schema: z.string().describe("Only if the profile is not private"),
    read: readPicture,
  },
  updated_at: {
    scope: "profile",
    schema: z.int().describe("Unix time in seconds"),
    read: ({ profile }) =>
      profile === undefined ? undefined : Math.floor((profile.updatedAt ?? profile.joinedAt) / 1_000),
  },
  email: { scope: "email", schema: z.string(), read: ({ user }) => user.email },
  email_verified: {
    scope: "email",
    schema: z.boolean(),
    read: ({ user }) => user.emailVerifiedAt !== undefined,
  },
  groups: { scope: "groups", schema: z.array(z.string()), read: ({ user }) => user.groups ?? [] },
};

/** The value of each claim that a scope opens. */
export function readClaims(
  person: Person,
  scope: ClaimSource["scope"],
  issuer: string,
): Record<string, ClaimValue> {
  const claims: Record<string, ClaimValue> = {};
  for (const [name, source] of Object.entries(claimTable)) {
    const value = source.scope === scope ? source.read(person, issuer) : undefined;
    if (value !== undefined) claims[name] = value;
  }
  return claims;
}
