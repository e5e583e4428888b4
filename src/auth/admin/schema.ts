/** What administrators send about accounts. */
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
      "True only when you know that the address is theirs. Otherwise they prove it: by the link to set a password, or by a code of POST /api/auth/email/send-code, which also drops a password that you set",
    ),
  password: passwordSchema.optional().describe("Without it, the answer holds a link to set one"),
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
/** What is left out stays. */
export const userChangeSchema = userReplacementSchema.partial().extend({
  claims: ownClaimsSchema
    .optional()
    .describe("Told to applications with the scope profile; all of them, in place of those before"),
});

const reason = trimmedLine(200);

export const suspensionSchema = z.strictObject({
  until: isoTimeMs.optional(),
  reason: reason.optional().describe("The owner reads it, by mail and at the next sign-in"),
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

/** What became of one account of many. */
export const bulkOutcomeSchema = z.object({
  id: z.string(),
  error: z
    .object({ code: z.string(), message: z.string() })
    .optional()
    .describe("Why nothing was done; absent when it was"),
});
export type BulkOutcomeView = z.infer<typeof bulkOutcomeSchema>;

/** As many accounts as one request changes, and the most characters of a search. */
export const MAX_BULK = 100;
export const MAX_SEARCH = 254;

const dayCounts = z
  .array(z.object({ day: z.string(), count: z.int() }))
  .describe("The last 30 days in UTC, the oldest first");

/** Figures of the whole center. */
export const statsSchema = z.object({
  users: z.object({ pending: z.int(), active: z.int(), suspended: z.int(), deleted: z.int() }),
  sessions: z.int().describe("That have not expired and were not ended all at once"),
  registrationsWaiting: z.int(),
  checkInsToday: z.int(),
  outboxWaiting: z.int(),
  outboxFailed: z.int(),
  administrators: z.int().describe('Accounts with the role "admin"'),
  mailServer: z.boolean().describe("Whether one is set; without it, mails wait"),
  signUps: dayCounts,
  signIns: dayCounts,
  signInFailures: dayCounts.describe(
    "Wrong passwords to accounts that there are; like signIns as far as their events are kept, at most 1,000 of an account",
  ),
});
export type StatsView = z.infer<typeof statsSchema>;
export type DayCountView = StatsView["signUps"][number];
