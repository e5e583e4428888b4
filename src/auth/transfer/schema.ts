/** One account on one line, as imports take it and exports give it. What is sealed here (second factors) cannot travel. */
import { z } from "zod";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { line, timeMs, timeZone } from "../../kit/text/schemas.ts";
import {
  displayNameSchema,
  emailSchema,
  localeSchema,
  roleSchema,
  usernameSchema,
} from "../accounts/schema.ts";

/** Longest hash that is looked at; argon2id's has about 100 characters. */
const MAX_HASH = 1_024;

/** Lines of older exports have epoch milliseconds. */
const timeOfLine = isoTimeMs.or(timeMs);

export const transferLineSchema = z.strictObject({
  username: usernameSchema,
  email: emailSchema,
  emailVerified: z.boolean().default(false),
  displayName: displayNameSchema.optional(),
  /** PHC or modular crypt string of argon2, bcrypt, scrypt or pbkdf2. */
  passwordHash: z.string().max(MAX_HASH).optional(),
  role: roleSchema.default("user"),
  /** Deleted accounts do not travel. */
  status: z.enum(["pending", "active", "suspended"]).default("active"),
  suspendedUntil: timeOfLine.optional(),
  suspendedReason: line(200).optional(),
  points: z.number().int().min(0).max(1_000_000_000_000).default(0),
  createdAt: timeOfLine.optional(),
  locale: localeSchema.optional(),
  timeZone: timeZone.optional(),
});
export type TransferLine = z.infer<typeof transferLineSchema>;

/** Why a line gave no account. */
export interface LineError {
  /** From 1. */
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

export interface ImportReport {
  readonly dryRun: boolean;
  /** Accounts that were made, or would be. */
  readonly created: number;
  /** Lines that gave no account, whatever the reason. */
  readonly skipped: number;
  /** The first 1,000 reasons. */
  readonly errors: readonly LineError[];
}
