/** Accounts as administrators see them, and what their lists share. */
import { z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { createView, isoTime } from "../../kit/http/view.ts";
import {
  type EmailRecord,
  type UserRecord,
  emailRecordSchema,
  userRecordSchema,
} from "../accounts/schema.ts";
import { accountSchema, describeAccount, exampleMe } from "./views.ts";
import type { AdminUserView } from "../accounts/view-schema.ts";
import { listRoles } from "../accounts/held-scopes.ts";
import type { authNouns } from "./groups.ts";
import { type AdminEnv, adminErrors, adminSecurity } from "./admin-env.ts";

export type AdminMiddleware = MiddlewareHandler<AdminEnv>;

/** The common part of the admin routes of one noun. */
export function adminRoute(tag: keyof typeof authNouns, middleware: AdminMiddleware) {
  return {
    tags: [tag],
    "x-access": "admin" as const,
    security: adminSecurity,
    guardErrors: adminErrors,
    middleware,
  };
}

/** An ID in a path: impossible IDs are rejected without a store read. */
export const recordIdParams = z.object({
  id: z
    .string()
    .regex(/^[a-z]{3,4}_[0-9a-z]{1,40}$/u, "must be an ID")
    .openapi({ param: { name: "id", in: "path" }, example: "usr_01jd5v6m0c8f3k2n7q4x9y1z5a" }),
});

const { lastLoginClient, suspendedReason, deletedBy, registeredVia, signUpMessage, claims } =
  userRecordSchema.shape;
export const adminUserSchema = accountSchema
  .extend({
    lastLoginClient,
    suspendedUntil: isoTime.optional(),
    suspendedReason,
    purgeAfter: isoTime.optional(),
    deletedBy,
    registeredVia,
    signUpMessage,
    roles: z
      .array(z.string())
      .openapi({ description: "Roles of the account itself. The roles of its groups apply too" }),
    claims,
  })
  .openapi("AdminUser");

const toUser = createView(adminUserSchema);

/** An account as an administrator sees it. */
export function toAdminUser(user: UserRecord): z.infer<typeof adminUserSchema> {
  return toUser(user, {
    ...describeAccount(user),
    roles: listRoles({ ...user, groups: [] }, undefined),
  }) satisfies AdminUserView;
}

/** The account as an answer, with its version as ETag. */
export function answerUser(c: Context, user: UserRecord) {
  c.header("etag", `"${user.editVersion}"`);
  return c.json(toAdminUser(user), 200);
}

export const exampleAdminUser = {
  ...exampleMe,
  roles: [],
  registeredVia: { clientId: "shop", mode: "open" },
} as const;

/** A further address. */
export const adminEmailSchema = emailRecordSchema
  .pick({ id: true, address: true, purposes: true })
  .extend({ verified: z.boolean(), createdAt: isoTime });

/** Fields of an address in another form than in its record. */
export function describeEmail(email: EmailRecord): { verified: boolean } {
  return { verified: email.verifiedAt !== undefined };
}
