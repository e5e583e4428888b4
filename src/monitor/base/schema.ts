/**
 * The monitor's shared schemas: what an administrator may set on a server, and its stored records. Types are inferred
 * from these schemas. `report.ts` has what an agent reports, `views.ts` what people see.
 */
import { z } from "zod";
import { accessSettingsSchema, accountSchema } from "./access-schema.ts";
import { accentSchema } from "../../kit/brand/schema.ts";
import { line, text, timeMs, timeZone, trimmedLine } from "../../kit/text/schemas.ts";
import { languages } from "../../kit/text/languages.ts";

export const serverIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u,
    "must be 1 to 64 letters, digits, - or _, and start with a letter or digit",
  )
  // A literal route next to /servers/:id must stay reachable.
  .refine((id) => id !== "reorder", 'must not be "reorder"');

const wholeBytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const billingSchema = z.strictObject({
  /** Whole minor units of `currency`. */
  priceMinor: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  currency: z.string().regex(/^[A-Z]{3}$/u, "must be an ISO 4217 code such as EUR"),
  cycle: z.strictObject({ n: z.number().int().min(1).max(120), unit: z.enum(["day", "month", "year"]) }),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
  autoRenew: z.boolean().default(false),
});

export const trafficSchema = z.strictObject({
  /** 0 means no limit. */
  limitBytes: wholeBytes.default(0),
  mode: z.enum(["sum", "max", "rx", "tx"]).default("sum"),
  /** Day of the month on which a cycle starts; 31 means the last day. */
  resetDay: z.number().int().min(1).max(31).default(1),
  timeZone: timeZone.default("UTC"),
  /** Added to what is counted in the cycle in which it was set, and in no other; below 0 it takes away. */
  usedOffsetBytes: z.number().int().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER).default(0),
});

/** A muted server's alerts send no notifications. */
export const muteSchema = z.strictObject({
  /** When telling goes on by itself; absent: when the mute is taken away. */
  until: z.iso.datetime({ offset: true }).optional(),
});

/** Most direct parents of a server or check. */
export const MAX_PARENTS = 8;

/** While one of these is down, an outage of what depends on it opens no alert. Absent: depends on nothing. */
export const dependsOnSchema = z
  .array(trimmedLine(64))
  .max(MAX_PARENTS)
  .refine((ids) => new Set(ids).size === ids.length, "must not repeat an ID")
  .optional()
  .describe("IDs of the checks and servers that this depends on");

/** Names separated by commas, with "*" and "!", as the agent's options take them. */
const nameList = line(500)
  .trim()
  .refine((list) => !/(?:^|,)\s*!\s*(?:,|$)/u.test(list), "must be names separated by commas")
  .default("");

/** What the agent of a server includes or leaves out, and the systemd units that it watches; "" says nothing. */
const serverListsSchema = z.strictObject({
  mounts: nameList,
  interfaces: nameList,
  sensors: nameList,
  containers: nameList,
  units: nameList,
});
export type ServerLists = z.infer<typeof serverListsSchema>;
export const noServerLists: ServerLists = {
  mounts: "",
  interfaces: "",
  sensors: "",
  containers: "",
  units: "",
};

/** Fields that an administrator sets. PUT replaces all of them: omitted ones get their default. */
export const serverFieldsSchema = z.strictObject({
  name: trimmedLine(100),
  group: line(64).trim().default(""),
  tags: z.array(trimmedLine(32)).max(16).default([]),
  hidden: z.boolean().default(false),
  disabled: z.boolean().default(false),
  note: text(4_000).default(""),
  publicNote: text(1_000).default(""),
  region: z
    .string()
    .regex(/^([A-Z]{2})?$/u, "must be an ISO 3166 alpha-2 code such as DE")
    .default(""),
  /** The hosting provider, as free text. */
  provider: line(64).trim().default(""),
  billing: billingSchema.optional(),
  traffic: trafficSchema.prefault({}),
  lists: serverListsSchema.prefault({}),
  dependsOn: dependsOnSchema,
  /** Absent: not muted. */
  mute: muteSchema.optional(),
});
export type ServerFields = z.infer<typeof serverFieldsSchema>;

/** Fields of a PATCH: null removes `billing` or `mute`. */
export const serverChangeSchema = serverFieldsSchema.extend({
  billing: billingSchema.nullable().optional(),
  mute: muteSchema.nullable().optional(),
});

export const agentKeySchema = z.object({
  /** SHA-256 of the key, hex. The key itself is shown once and never kept. */
  hash: z.string().length(64),
  /** First characters of the key, to tell keys apart. */
  prefix: z.string(),
  /** After this the key is rejected; absent on the current key. */
  expiresAt: timeMs.optional(),
});
export type AgentKey = z.infer<typeof agentKeySchema>;

/** Facts that a machine tells of itself; see `host` in the report. */
const hostFactsSchema = z.record(z.string(), z.union([z.string(), z.number()]));

export const serverRecordSchema = serverFieldsSchema.extend({
  id: serverIdSchema,
  version: z.number().int(),
  /**
   * Grows with each change by an administrator, and only then: what people call the server's version. An
   * agent that tells its host name must not make an edit that is under way fail.
   */
  editVersion: z.number().int(),
  displayOrder: z.number().int(),
  keys: z.array(agentKeySchema).max(8),
  keyRotatedAt: timeMs,
  /** When `traffic.usedOffsetBytes` was last set; absent if it never was. */
  trafficOffsetAt: timeMs.optional(),
  /** As the agent's Hello said last; empty before the first. */
  hostname: z.string().default(""),
  host: hostFactsSchema.optional(),
  /** IP addresses that the machine reports. */
  addresses: z.array(z.string()).optional(),
  /** The address from which the agent connected last. */
  peerAddress: z.string().optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type ServerRecord = z.infer<typeof serverRecordSchema>;

/** Which node owns the leader's work (`LEADER_ID`), or a server's stream (`toStreamId`). */
export const ownerRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** Empty when the last owner released it. */
  node: z.string(),
  /** Grows by one with each owner. */
  term: z.number().int(),
});
export const LEADER_ID = "lead";
export const toStreamId = (serverId: string): string => `server:${serverId}`;

/** See `records/secret-check.ts`. */
export const secretCheckRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  check: z.string(),
});

export const enrolmentRecordSchema = z.object({
  /** SHA-256 of the code, hex. */
  id: z.string().length(64),
  version: z.number().int(),
  /** An existing server that gets a new key, else a new server is made from `fields`. */
  serverId: serverIdSchema.optional(),
  /** The id that the one new server will have, so that its maker knows which to wait for; absent for many machines. */
  newServerId: serverIdSchema.optional(),
  fields: serverFieldsSchema.partial().optional(),
  /** How many machines may still use the code; absent in records of older programs: one. */
  usesLeft: z.number().int().min(1).optional(),
  createdAt: timeMs,
  expiresAt: timeMs,
});
export type EnrolmentRecord = z.infer<typeof enrolmentRecordSchema>;

export const adminSessionRecordSchema = z.object({
  /** SHA-256 of the session token, hex. */
  id: z.string().length(64),
  version: z.number().int(),
  label: z.string(),
  /** Hash of the administrator token's hash: a session ends with that token. Empty for an account's. */
  tokenId: z.string(),
  /** The account of the auth center that signed in; absent when it was the token. */
  account: accountSchema.optional(),
  /** The tokens of that sign-in, sealed; absent where the account's password was sent here. */
  center: z.string().optional(),
  createdAt: timeMs,
  expiresAt: timeMs,
});
export type AdminSessionRecord = z.infer<typeof adminSessionRecordSchema>;

/** How long rolled-up history is kept. A longer time fills from now on; a shorter one deletes within a minute. */
export const retentionSchema = z.strictObject({
  /** Of one minute each. */
  minuteHours: z.number().int().min(1).max(168).default(24),
  /** Of ten minutes each. */
  tenMinuteDays: z.number().int().min(1).max(90).default(14),
  /** Of one hour each. */
  hourDays: z.number().int().min(1).max(730).default(90),
  /** Of one day (UTC) each. */
  dayDays: z.number().int().min(1).max(3_650).default(730),
});
export type Retention = z.infer<typeof retentionSchema>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u, "must be a time of day such as 22:00");

/** When notifications wait for one digest at the end. */
export const quietHoursSchema = z
  .strictObject({
    enabled: z.boolean().default(false),
    from: timeOfDay.default("22:00"),
    to: timeOfDay.default("07:00"),
    timeZone: timeZone.default("UTC"),
    /** Whether critical alerts ignore quiet hours. */
    exceptCritical: z.boolean().default(true),
  })
  .refine(({ from, to }) => from !== to, { path: ["to"], message: "must differ from the start" });

/** A web address without path, query, user and password. */
const siteAddress = line(500).refine(
  (address) =>
    /^https?:/iu.test(address) &&
    URL.canParse(address) &&
    new URL(address).href === `${new URL(address).origin}/`,
  "must be a URL without a path, such as https://status.example.org; PUBLIC_URL sets a path",
);

/** What the dashboard shows, and how. */
export const homeShows = ["all", "servers", "checks"] as const;
export const homeViews = ["grid", "list", "uptime"] as const;

export const settingsFieldsSchema = z.strictObject({
  siteTitle: trimmedLine(100).default("Trivet monitor"),
  accent: accentSchema.prefault({}),
  /** A PNG or SVG as a data address; what is in it is checked when it is set (`kit/brand/logo-change.ts`). */
  logo: z.string().max(90_000).default(""),
  theme: z.enum(["auto", "light", "dark"]).default("auto"),
  /** What the dashboard shows at first, until the reader chooses. */
  homeShows: z.enum(homeShows).default("all"),
  homeView: z.enum(homeViews).default("grid"),
  /** How often viewers get a frame. */
  snapshotIntervalMs: z.number().int().min(500).max(60_000).default(2_000),
  /** How long single reports stay in memory for the raw charts; takes effect at the next start. */
  rawRetentionMinutes: z.number().int().min(1).max(60).default(15),
  retention: retentionSchema.prefault({}),
  /** Whether mounts, interfaces, containers and so on have a history of their own. */
  partHistory: z.boolean().default(true),
  quietHours: quietHoursSchema.prefault({}),
  /** Of notifications. */
  language: z.enum(languages).default("en"),
  /** The owner's: of times in notifications, and of planned maintenance; "" for that of the quiet hours. */
  timeZone: timeZone.or(z.literal("")).default(""),
  /** Where people reach the monitor, for links; "" for PUBLIC_URL. */
  publicUrl: siteAddress.or(z.literal("")).default(""),
  /** Whether notifications and mails may go to this machine and private networks. */
  privateReceivers: z.boolean().default(false),
  /** Whether checks may ask targets on this machine and in private networks. */
  privateTargets: z.boolean().default(false),
  /** Whether the documentation of this release is at /docs. */
  documentation: z.boolean().default(false),
  access: accessSettingsSchema.prefault({}),
});
export type SettingsFields = z.infer<typeof settingsFieldsSchema>;

export const settingsRecordSchema = settingsFieldsSchema.extend({
  id: z.literal("settings"),
  version: z.number().int(),
});
export type SettingsRecord = z.infer<typeof settingsRecordSchema>;

export const serverStates = ["never", "online", "offline", "disabled"] as const;
export type ServerState = (typeof serverStates)[number];
