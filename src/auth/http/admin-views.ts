/** What administrators see of accounts, and what all their lists share. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { hasSecondFactor } from "../second-factor/completion.ts";
import type { UserDetails } from "../admin/user-admin.ts";
import {
  type UserRecord,
  emailPurposeSchema,
  profileFieldsSchema,
  roleSchema,
  userRecordSchema,
  userStatusSchema,
} from "../accounts/schema.ts";
import { type AdminEnv, adminSecurity } from "./admin-guard.ts";

export type AdminMiddleware = MiddlewareHandler<AdminEnv>;

/** What every admin route says of itself. */
export interface AdminRouteBase {
  tags: string[];
  "x-access": "admin";
  security: Record<string, string[]>[];
  middleware: AdminMiddleware;
}

/** The common part of the admin routes of one noun. */
export function adminRoute(tag: string, middleware: AdminMiddleware): AdminRouteBase {
  return { tags: [tag], "x-access": "admin", security: adminSecurity, middleware };
}

/** An id in a path: what cannot be one is refused before the store is asked. */
export const recordIdParams = z.object({
  id: z
    .string()
    .regex(/^[a-z]{3,4}_[0-9a-z]{1,40}$/u, "must be an id")
    .openapi({ param: { name: "id", in: "path" }, example: "usr_01jd5v6m0c8f3k2n7q4x9y1z5a" }),
});

export const adminUserSchema = z
  .object({
    id: z.string(),
    username: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    status: userStatusSchema,
    role: roleSchema,
    hasPassword: z.boolean(),
    secondFactor: z.boolean(),
    points: z.int(),
    locale: z.string(),
    timeZone: z.string(),
    createdAt: z.int(),
    lastLoginAt: z.int().optional(),
    lastLoginClient: z.string().optional(),
    suspendedUntil: z.int().optional(),
    suspendedReason: z.string().optional(),
    purgeAfter: z.int().optional(),
    deletedBy: userRecordSchema.shape.deletedBy,
    registeredVia: userRecordSchema.shape.registeredVia,
    termsVersion: z.string().optional(),
    /** Also the entity tag. */
    version: z.int(),
  })
  .openapi("AdminUser");
export type AdminUser = z.infer<typeof adminUserSchema>;

/** An account as an administrator sees it. */
export function toAdminUser(user: UserRecord): AdminUser {
  const { id, username, email, status, role, points, locale, timeZone, createdAt, registeredVia } = user;
  return {
    id,
    username,
    email,
    emailVerified: user.emailVerifiedAt !== undefined,
    status,
    role,
    hasPassword: user.passwordHash !== undefined,
    secondFactor: hasSecondFactor(user),
    points,
    locale,
    timeZone,
    createdAt,
    registeredVia,
    ...(user.lastLoginAt === undefined ? {} : { lastLoginAt: user.lastLoginAt }),
    ...(user.lastLoginClient === undefined ? {} : { lastLoginClient: user.lastLoginClient }),
    ...(user.suspendedUntil === undefined ? {} : { suspendedUntil: user.suspendedUntil }),
    ...(user.suspendedReason === undefined ? {} : { suspendedReason: user.suspendedReason }),
    ...(user.purgeAfter === undefined ? {} : { purgeAfter: user.purgeAfter }),
    ...(user.deletedBy === undefined ? {} : { deletedBy: user.deletedBy }),
    ...(user.termsVersion === undefined ? {} : { termsVersion: user.termsVersion }),
    version: user.editVersion,
  };
}

export const exampleAdminUser = {
  id: "usr_01jd5v6m0c8f3k2n7q4x9y1z5a",
  username: "ann",
  email: "ann@example.org",
  emailVerified: true,
  status: "active",
  role: "user",
  hasPassword: true,
  secondFactor: false,
  points: 30,
  locale: "en",
  timeZone: "UTC",
  createdAt: 1_763_640_600_000,
  registeredVia: { clientId: "shop", mode: "open" },
  version: 1,
};

export const adminUserDetailsSchema = adminUserSchema
  .extend({
    /** Absent while the account is being removed. */
    profile: z.object({ ...profileFieldsSchema.shape, likes: z.int(), hasAvatar: z.boolean() }).optional(),
    /** Live ones. */
    sessions: z.int(),
    emails: z.array(
      z.object({
        id: z.string(),
        address: z.string(),
        verified: z.boolean(),
        purposes: z.array(emailPurposeSchema),
        createdAt: z.int(),
      }),
    ),
    /** Applications that used the account. */
    applications: z.array(
      z.object({ clientId: z.string(), firstAt: z.int(), lastAt: z.int(), count: z.int() }),
    ),
  })
  .openapi("AdminUserDetails");

/** Everything of an account as an administrator sees it. */
export function toAdminUserDetails(details: UserDetails): z.infer<typeof adminUserDetailsSchema> {
  const { user, profile, sessions, emails, access } = details;
  return {
    ...toAdminUser(user),
    ...(profile === undefined
      ? {}
      : {
          profile: {
            ...profileFieldsSchema.strip().parse(profile),
            likes: profile.likes,
            hasAvatar: profile.avatarHash !== undefined,
          },
        }),
    sessions,
    emails: emails.map(({ id, address, verifiedAt, purposes, createdAt }) => ({
      id,
      address,
      verified: verifiedAt !== undefined,
      purposes,
      createdAt,
    })),
    applications: access.map(({ clientId, firstAt, lastAt, count }) => ({
      clientId,
      firstAt,
      lastAt,
      count,
    })),
  };
}
