/**
 * One account, group or application on one line, as imports take it and exports give it. What is sealed here (second
 * factors) cannot travel.
 */
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
import { clientFieldsSchema } from "../applications/schema.ts";
import { groupRecordSchema } from "../groups/schema.ts";
import { MAX_GROUPS, clientIdSchema, groupIdSchema } from "../base/ledger-schema.ts";

/** Longest hash that is looked at; argon2id's has about 100 characters. */
const MAX_HASH = 1_024;

/** Lines of older exports have epoch milliseconds. */
const timeOfLine = isoTimeMs.or(timeMs);

const accountLineSchema = z.strictObject({
  /** Exports leave it out, as they did when there were only accounts. */
  type: z.literal("account").default("account"),
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
  groups: z
    .array(groupIdSchema)
    .max(MAX_GROUPS)
    .refine((ids) => new Set(ids).size === ids.length, "must not repeat a group")
    .default([]),
});

const groupLineSchema = groupRecordSchema
  .pick({ id: true, title: true })
  .extend({ type: z.literal("group"), createdAt: timeOfLine.optional() })
  .strict();

const applicationLineSchema = clientFieldsSchema.extend({
  type: z.literal("application"),
  id: clientIdSchema,
  enabled: z.boolean().default(true),
  /** SHA-256; without it, the secret is unknown until it is replaced. */
  secretHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/u, "must be a SHA-256 in hexadecimal digits")
    .optional(),
  createdAt: timeOfLine.optional(),
});

/** By their `type`; a line without one is an account. */
export const transferLineSchemas = {
  account: accountLineSchema,
  group: groupLineSchema,
  application: applicationLineSchema,
} as const;
export type LineType = keyof typeof transferLineSchemas;
export type TransferLine = { [T in LineType]: z.infer<(typeof transferLineSchemas)[T]> }[LineType];
export type WrittenLine = { [T in LineType]: z.input<(typeof transferLineSchemas)[T]> }[LineType];

/** Why a line gave nothing. */
export interface LineError {
  /** From 1. */
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

export interface ImportReport {
  readonly dryRun: boolean;
  /** Accounts, groups and applications that were made, or would be. */
  readonly created: number;
  /** Lines that gave nothing, whatever the reason. */
  readonly skipped: number;
  /** The first 1,000 reasons. */
  readonly errors: readonly LineError[];
}
