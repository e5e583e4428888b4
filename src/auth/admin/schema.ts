/** Requests of administrators about accounts. */
import { z } from "zod";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { timeZone, trimmedLine } from "../../kit/text/schemas.ts";
import {
  displayNameSchema,
  emailSchema,
  localeSchema,
  passwordSchema,
  roleSchema,
  userStatusSchema,
  usernameSchema,
} from "../accounts/schema.ts";
import { ownClaimsSchema } from "../claims/schema.ts";

export const newUserSchema = z.strictObject({
  username: usernameSchema,
  email: emailSchema,
  displayName: displayNameSchema.optional(),
  role: roleSchema.default("user"),
  emailVerified: z
    .boolean()
    .default(false)
    .describe(
      "Send true only if you have confirmed that the email address belongs to the user. Otherwise the user verifies it with the link to set a password, or with a code from POST /api/auth/email/send-code, which also removes a password that you set",
    ),
  password: passwordSchema.optional().describe("If omitted, the response contains a link to set a password"),
  locale: localeSchema.optional(),
  timeZone: timeZone.optional(),
});

export const userReplacementSchema = z.strictObject({
  username: usernameSchema,
  email: emailSchema,
  emailVerified: z.boolean(),
  role: roleSchema,
  locale: localeSchema,
  timeZone,
  /** As it is, or active for an account that is pending. */
  status: userStatusSchema,
});
/** Omitted members are unchanged. */
export const userChangeSchema = userReplacementSchema.partial().extend({
  claims: ownClaimsSchema
    .optional()
    .describe("Custom claims for applications with the scope profile. Replaces all previous claims"),
});

const reason = trimmedLine(200);

export const suspensionSchema = z.strictObject({
  until: isoTimeMs.optional(),
  reason: reason.optional().describe("Shown to the owner by email and at the next sign-in"),
});

export const refusalSchema = z.strictObject({ reason: reason.optional() });

export const pointsSchema = z.strictObject({
  delta: z
    .number()
    .int()
    .min(-1_000_000_000)
    .max(1_000_000_000)
    .refine((value) => value !== 0, "must not be 0"),
  reason,
});

export const impersonationSchema = z.strictObject({ minutes: z.number().int().min(1).max(60), reason });

/** The outcome for one of many accounts. */
export const bulkOutcomeSchema = z.object({
  id: z.string(),
  error: z
    .object({ code: z.string(), message: z.string() })
    .optional()
    .describe("Why the action was not done; absent on success"),
});
export type BulkOutcomeView = z.infer<typeof bulkOutcomeSchema>;

/** As many accounts as one request changes, and the most characters of a search. */
export const MAX_BULK = 100;
export const MAX_SEARCH = 254;

const dayCounts = z
  .array(z.object({ day: z.string(), count: z.int() }))
  .describe("The last 30 days in UTC, oldest first");

/** Figures of the whole center. */
export const statsSchema = z.object({
  users: z.object({ pending: z.int(), active: z.int(), suspended: z.int(), deleted: z.int() }),
  sessions: z.int().describe("Sessions that have not expired and were not revoked with all others"),
  registrationsWaiting: z.int(),
  checkInsToday: z.int(),
  outboxWaiting: z.int(),
  outboxFailed: z.int(),
  administrators: z.int().describe('Accounts with the role "admin"'),
  mailServer: z
    .boolean()
    .describe("Whether a mail server is configured. Without one, emails wait in the outbox"),
  signUps: dayCounts,
  signIns: dayCounts,
  signInFailures: dayCounts.describe(
    "Failed sign-ins to existing accounts. Counted, like signIns, from the stored events (up to 1,000 per account)",
  ),
});
export type StatsView = z.infer<typeof statsSchema>;
export type DayCountView = StatsView["signUps"][number];
