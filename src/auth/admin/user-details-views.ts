import { upstreamLinkRecordSchema } from "../accounts/link-schema.ts";
import { z } from "@hono/zod-openapi";
import { isoTime, createView } from "../../kit/http/view.ts";
import { adminUserSchema, adminEmailSchema, describeEmail } from "../edge/admin-views.ts";
import { profileFieldsSchema } from "../accounts/schema.ts";
import { accessRecordSchema } from "../accounts/ledger-schema.ts";
import type { AdminUserDetailsView } from "../accounts/view-schema.ts";
import { type UserDetails } from "./user-admin.ts";
import { describeAccount } from "../edge/views.ts";
import { listRoles } from "../accounts/held-scopes.ts";

/** An identity at another provider that opens the account. */
export const adminLinkSchema = upstreamLinkRecordSchema
  .pick({ id: true, upstreamId: true, issuer: true, subject: true, email: true, username: true })
  .extend({ title: z.string(), createdAt: isoTime, lastUsedAt: isoTime.optional() });

export const adminUserDetailsSchema = adminUserSchema
  .extend({
    /** Absent while the account is being removed. */
    profile: z
      .object({
        ...profileFieldsSchema.shape,
        likes: z.int(),
        hasAvatar: z.boolean(),
        version: z.int().openapi({ description: "Increases with every change of the profile" }),
      })
      .optional(),
    sessions: z.int().openapi({ description: "Number of active sessions" }),
    emails: z.array(adminEmailSchema),
    applications: z
      .array(
        accessRecordSchema
          .pick({ clientId: true, count: true })
          .extend({ firstAt: isoTime, lastAt: isoTime }),
      )
      .openapi({ description: "Applications that have used the account" }),
    linkedProviders: z.array(adminLinkSchema),
  })
  .openapi("AdminUserDetails");

export const toDetails = createView(adminUserDetailsSchema);

/** Everything of an account as an administrator sees it. */
export function toAdminUserDetails(details: UserDetails): z.infer<typeof adminUserDetailsSchema> {
  const { user, profile, sessions, emails, links, access: applications } = details;
  return toDetails(user, {
    ...describeAccount(user),
    roles: listRoles({ ...user, groups: [] }, undefined),
    profile: profile && {
      ...profile,
      hasAvatar: profile.avatarHash !== undefined,
      version: profile.editVersion,
    },
    sessions,
    emails: emails.map((email) => ({ ...email, ...describeEmail(email) })),
    applications: [...applications],
    linkedProviders: [...links],
  }) satisfies AdminUserDetailsView;
}
