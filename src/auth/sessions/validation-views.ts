/** The validated sign-in, for applications and for the proxies in front of them. */
import { z } from "@hono/zod-openapi";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { userRecordSchema } from "../accounts/schema.ts";
import { type AdminScope, adminScopes } from "../../records/rights/scopes.ts";
import type { ClientRecord } from "../applications/schema.ts";
import { type Subject, findAudience, findScopeFor, opensScope } from "./subject.ts";
import { toActor, toProofClaims } from "./jwt.ts";
import { sessionRecordSchema } from "./schema.ts";

export const validationSchema = sessionRecordSchema
  .pick({ clientId: true, amr: true, aal: true, impersonatedBy: true })
  .extend({
    valid: z.literal(true),
    user: userRecordSchema
      .pick({ id: true, username: true, role: true })
      .extend({ displayName: z.string(), emailVerified: z.boolean(), groups: z.array(z.string()) })
      .partial({ username: true, displayName: true, emailVerified: true, role: true, groups: true })
      .openapi({
        description:
          "For an application's token: username and displayName require the scope profile, emailVerified requires email, and role, groups and administers require groups",
      }),
    sessionId: z.string(),
    authenticatedAt: isoTimeSchema.describe("Time of the last authentication in this sign-in (auth_time)"),
    administers: z
      .boolean()
      .optional()
      .describe(
        "For administrators of this install (by role or the group trivet-admins): whether the sign-in is strong enough for administration",
      ),
    adminScopes: z
      .array(z.enum(adminScopes))
      .optional()
      .describe(
        "Administrative scopes of the user's roles, such as orders:write. Also empty if a required second factor is missing",
      ),
    expiresAt: isoTimeSchema,
    audience: z
      .array(z.string())
      .optional()
      .describe('The resources of an application\'s token: "auth", "shop", "monitor", or identifiers'),
    scope: z
      .string()
      .optional()
      .describe("For an application's token: the scopes that apply at the calling resource server"),
  })
  .openapi("Validation");

export const exampleValidation = {
  valid: true,
  user: {
    id: "usr_…",
    username: "ann",
    displayName: "Ann",
    emailVerified: true,
    role: "user",
    groups: ["family"],
  },
  sessionId: "ses_…",
  clientId: "shop",
  authenticatedAt: "2025-11-20T12:00:00.000+00:00",
  expiresAt: "2025-11-20T12:10:00.000+00:00",
  amr: ["pwd"],
  aal: 1,
  adminScopes: [],
};

/**
 * The user's data that the token permits: everything for a first-party sign-in, otherwise by scope. A service of the
 * installation sees the full identity.
 */
function toPerson(subject: Subject, isKnown = false) {
  const { user, displayName } = subject;
  const { id, username, email, emailVerifiedAt, role, groups = [] } = user;
  return {
    id,
    ...((isKnown || opensScope(subject, "profile")) && { username, displayName }),
    ...((isKnown || opensScope(subject, "email")) && { email, emailVerified: emailVerifiedAt !== undefined }),
    ...(opensScope(subject, "groups") && { role, groups }),
  };
}

/** Administration rights in services. */
interface ServiceRights {
  readonly administers: boolean | undefined;
  readonly adminScopes: readonly AdminScope[];
}

/** The answer's body. */
export function toValidation(
  subject: Subject,
  {
    expiresAt,
    rights,
    asking,
  }: { expiresAt: number; rights: ServiceRights; asking?: ClientRecord | undefined },
): z.infer<typeof validationSchema> {
  const isForeign = asking !== undefined && asking.id !== subject.session.clientId;
  const { email: _email, ...person } = toPerson(subject, isForeign && asking.isOwn);
  // An application must never administer a service in a user's name.
  const { role: _role, groups: _groups, ...plain } = person;
  const user: ReturnType<typeof toPerson> = isForeign && asking.isOwn ? plain : person;
  const audience = findAudience(subject);
  const scope = asking === undefined ? undefined : findScopeFor(subject, asking);
  const { id: sessionId, clientId, authenticatedAt, amr, aal, impersonatedBy } = subject.session;
  return {
    valid: true as const,
    user,
    sessionId,
    clientId,
    authenticatedAt: toIsoTime(authenticatedAt),
    expiresAt: toIsoTime(expiresAt),
    amr,
    aal,
    impersonatedBy,
    ...(user.role !== undefined && {
      administers: rights.administers,
      adminScopes: [...rights.adminScopes],
    }),
    ...(audience !== undefined && { audience: [...audience] }),
    ...(scope !== undefined && { scope }),
  };
}

/** The same for an application behind a proxy, as claims of a JWT without its times. */
export function toAssertionClaims(
  subject: Subject,
  { issuer, clientId }: { issuer: string; clientId: string },
) {
  const { session } = subject;
  const { id, username, displayName, email, emailVerified, role, groups } = toPerson(subject);
  return {
    iss: issuer,
    sub: id,
    aud: clientId,
    sid: session.id,
    preferred_username: username,
    name: displayName,
    email,
    email_verified: emailVerified,
    role,
    groups,
    ...toProofClaims(session),
    ...toActor(session),
  };
}

/**
 * Headers that a reverse proxy forwards to the application; the display name is percent-encoded UTF-8, all else is
 * ASCII.
 */
export function toForwardHeaders(subject: Subject): Record<string, string> {
  const { session } = subject;
  const {
    id,
    username = "",
    displayName = "",
    email = "",
    emailVerified,
    role = "",
    groups,
  } = toPerson(subject);
  // Always there, empty too: some proxies pass on a client's header, or a placeholder, where the answer has none.
  return {
    "cache-control": "no-store",
    "x-auth-user-id": id,
    "x-auth-username": username,
    "x-auth-display-name": encodeURIComponent(displayName),
    "x-auth-email": email,
    "x-auth-email-verified": emailVerified === true ? "1" : "0",
    "x-auth-role": role,
    "x-auth-groups": groups?.join(",") ?? "",
    "x-auth-session-id": session.id,
    "x-auth-impersonated-by": session.impersonatedBy ?? "",
  };
}
