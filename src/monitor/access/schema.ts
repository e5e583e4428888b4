/** Who may look and who may administer: the settings of it, and tokens that open one thing. */
import { z } from "zod";
import { timeMs, trimmedLine } from "../../kit/text/schemas.ts";

const usernames = z.array(trimmedLine(64)).max(500).default([]);

/** Accounts of the auth center that may look. */
export const viewersSchema = z.strictObject({
  who: z.enum(["nobody", "listed", "everyone"]).default("nobody"),
  /** For "listed"; in upper or lower case. */
  usernames,
});

/** Accounts of the auth center that may administer. */
export const administratorsSchema = z.strictObject({
  /** "admins": those that administer the auth center, and members of its group "trivet-admins". */
  who: z.enum(["nobody", "listed", "admins"]).default("admins"),
  usernames,
});

/** Who sees the site. Administrators with the token always do. */
export const accessSettingsSchema = z.strictObject({
  /** Strangers see nothing; viewers with a link or an account, and administrators, see what strangers saw. */
  isPrivate: z.boolean().default(false),
  viewers: viewersSchema.prefault({}),
  administrators: administratorsSchema.prefault({}),
});
export type AccessSettings = z.infer<typeof accessSettingsSchema>;

/** What a token opens: the site for a viewer, or GET /metrics. */
export const tokenScopes = ["view", "metrics"] as const;
export type TokenScope = (typeof tokenScopes)[number];

export const accessTokenRecordSchema = z.object({
  /** SHA-256 of the token, hex. */
  id: z.string().length(64),
  version: z.number().int(),
  scope: z.enum(tokenScopes),
  name: z.string(),
  createdAt: timeMs,
  /** Absent: it counts until it is deleted. */
  expiresAt: timeMs.optional(),
  /** Within five minutes. */
  lastUsedAt: timeMs.optional(),
});
export type AccessTokenRecord = z.infer<typeof accessTokenRecordSchema>;

/** An account of the auth center, as it was when its owner signed in. */
export const accountSchema = z.object({
  id: z.string(),
  username: z.string(),
  /** Whether it administers the services of the install, as the auth center says. */
  isAdmin: z.boolean(),
  /** What its roles allow it to administer; absent: nothing beside that. */
  adminScopes: z.array(z.string()).optional(),
});
export type Account = z.infer<typeof accountSchema>;
