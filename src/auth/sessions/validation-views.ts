/** Whose sign-in it is, for applications and for the proxies before them. */
import { z } from "@hono/zod-openapi";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { userRecordSchema } from "../accounts/schema.ts";
import type { Subject } from "../caller.ts";
import { sessionRecordSchema } from "./schema.ts";

export const validationSchema = sessionRecordSchema
  .pick({ clientId: true, amr: true, aal: true, impersonatedBy: true })
  .extend({
    valid: z.literal(true),
    user: userRecordSchema
      .pick({ id: true, username: true, role: true })
      .extend({ displayName: z.string(), emailVerified: z.boolean(), groups: z.array(z.string()) }),
    sessionId: z.string(),
    administers: z
      .boolean()
      .optional()
      .describe(
        "Of whom the role or the group trivet-admins makes an administrator of this install's services: whether they proved enough for it",
      ),
    expiresAt: isoTimeSchema,
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
  expiresAt: "2025-11-20T12:10:00.000+00:00",
  amr: ["pwd"],
  aal: 1,
};

/** The answer's body. */
export function toValidation(
  { user, session, displayName }: Subject,
  { expiresAt, administers }: { expiresAt: number; administers: boolean | undefined },
): z.infer<typeof validationSchema> {
  const { id, username, role, groups = [] } = user;
  const { id: sessionId, clientId, amr, aal, impersonatedBy } = session;
  const emailVerified = user.emailVerifiedAt !== undefined;
  return {
    valid: true as const,
    user: { id, username, displayName, emailVerified, role, groups },
    ...{ sessionId, clientId, administers, expiresAt: toIsoTime(expiresAt), amr, aal, impersonatedBy },
  };
}

/** What a reverse proxy hands on to the application behind it; the display name is percent-encoded UTF-8, all else is ASCII. */
export function toForwardHeaders({ user, session, displayName }: Subject): Record<string, string> {
  return {
    "cache-control": "no-store",
    "x-auth-user-id": user.id,
    "x-auth-username": user.username,
    "x-auth-display-name": encodeURIComponent(displayName),
    "x-auth-email": user.email,
    "x-auth-email-verified": user.emailVerifiedAt === undefined ? "0" : "1",
    "x-auth-role": user.role,
    // Always there, empty too: some proxies pass on a client's header, or a placeholder, where the answer has none.
    "x-auth-groups": user.groups?.join(",") ?? "",
    "x-auth-session-id": session.id,
    "x-auth-impersonated-by": session.impersonatedBy ?? "",
  };
}
