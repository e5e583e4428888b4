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

/** An account of the auth center, as it was when its owner signed in. */
export const accountSchema = z.object({
  id: z.string(),
  username: z.string(),
  /** Whether it administers the services of the install, as the auth center says. */
  isAdmin: z.boolean(),
  /** Scopes of its roles; absent: none. */
  adminScopes: z.array(z.string()).optional(),
  /** When its owner last verified their identity, according to the auth center; absent: unknown. */
  provedAt: timeMs.optional(),
});
