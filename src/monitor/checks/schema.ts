/**
 * The words of checks: what an administrator sets, how checks look in the store, and in which states they can be. A
 * check asks a target from one place or several, or waits for somebody's sign of life (a heartbeat).
 */
import { z } from "zod";
import { targetKinds, targetSchema } from "../../kit/probes/targets.ts";
import { probeFaults } from "../../kit/probes/probe.ts";
import { isCron } from "../../kit/time/cron.ts";
import { isOnCalendar } from "../../kit/time/on-calendar.ts";
import { line, text, timeMs, timeZone, trimmedLine } from "../../kit/text/schemas.ts";
import { dependsOnSchema, muteSchema, serverIdSchema } from "../base/schema.ts";

/** Checks that one monitor holds at most. */
export const MAX_CHECKS = 10_000;
/** Checks that one request changes, at most. */
export const MAX_BULK = 500;
/** The place that the monitor itself is; other places are ids of servers. */
export const CENTER = "center";

/** When a sign of life is due. */
export const heartbeatScheduleSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("period"), seconds: z.number().int().min(20).max(31_536_000) }),
  z.strictObject({
    type: z.literal("cron"),
    /** Five fields, as in a crontab; "@daily" and its like too. */
    expression: trimmedLine(100).refine(
      isCron,
      'must be five fields of a crontab that come at some time, or "@daily" and its like',
    ),
    timeZone: timeZone.default("UTC"),
  }),
  z.strictObject({
    type: z.literal("onCalendar"),
    /** As in `OnCalendar=` of a systemd timer; a time zone at its end takes precedence over `timeZone`. */
    calendar: trimmedLine(100).refine(
      isOnCalendar,
      'must be an OnCalendar expression of systemd such as "Mon..Fri 02:30" that comes at some time, without fractions of seconds',
    ),
    timeZone: timeZone.default("UTC"),
  }),
]);
export type HeartbeatSchedule = z.infer<typeof heartbeatScheduleSchema>;

/** Somebody who says that it lives: a cron job, a backup, a script. */
export const heartbeatTargetSchema = z.strictObject({
  kind: z.literal("heartbeat"),
  schedule: heartbeatScheduleSchema.default({ type: "period", seconds: 86_400 }),
  /** How late it may be, seconds. */
  graceSeconds: z.number().int().min(0).max(31_536_000).default(3_600),
  /** How long a run may take from its start, seconds; 0: until the next is due. */
  maxRunSeconds: z.number().int().min(0).max(31_536_000).default(0),
  /** Words, separated by commas, of pings with a body and of emails: the first list with a word in it decides. */
  failWords: line(500).optional(),
  successWords: line(500).optional(),
  startWords: line(500).optional(),
  /** What a body means that has none of the words; "log": it is kept and does not count. */
  otherwise: z.enum(["success", "fail", "log"]).optional(),
});
export type HeartbeatTarget = z.infer<typeof heartbeatTargetSchema>;

/** The servers and checks of a group, judged together. */
export const groupTargetSchema = z.strictObject({
  kind: z.literal("group"),
  /** The name in the `group` of servers and checks. */
  group: line(64).trim().min(1),
  /** How many members must be down; "atLeast": as many as `count` says, or all where there are fewer. */
  downWhen: z.enum(["any", "all", "atLeast"]).default("any"),
  count: z.number().int().min(1).max(10_000).default(2),
  /** Whether outages of members open no alerts of their own. */
  alertsForMembers: z.boolean().default(false),
});
export type GroupTarget = z.infer<typeof groupTargetSchema>;

export const checkTargetSchema = z.discriminatedUnion("kind", [
  ...targetSchema.options,
  heartbeatTargetSchema,
  groupTargetSchema,
]);
export type CheckTarget = z.infer<typeof checkTargetSchema>;
/** Every kind, in the order in which people are offered them. */
export const checkKinds = [...targetKinds, "heartbeat", "group"] as const;
/** Kinds that the monitor judges by what it knows, without check runs and locations. */
export const judgedKinds: readonly string[] = ["heartbeat", "group"];
/** Kinds that see certificates. */
export const certificateKinds: readonly string[] = [
  "http",
  "tls",
  "websocket",
  "grpc",
  "mail",
  "database",
  "mqtt",
];
/** Kinds without a response time: the target itself gets no request. */
export const untimedKinds: readonly string[] = ["domain", "container", "group"];
export type CheckKind = (typeof checkKinds)[number];

/** From where a check runs. Ignored for heartbeats and groups, which have no locations. */
export const placesSchema = z.strictObject({
  /** Whether the monitor itself asks. */
  center: z.boolean().default(true),
  /** Machines whose agents ask too, by files of their own. */
  serverIds: z.array(serverIdSchema).max(50).default([]),
  /** How many of the places that reported must find it down before it counts as down. */
  quorum: z
    .union([z.literal("majority"), z.literal("all"), z.number().int().min(1).max(51)])
    .default("majority"),
});
export type Places = z.infer<typeof placesSchema>;

/** Fields that an administrator sets. PUT replaces all of them: omitted ones get their default. */
export const checkFieldsSchema = z.strictObject({
  name: trimmedLine(100),
  group: line(64).trim().default(""),
  tags: z.array(trimmedLine(32)).max(16).default([]),
  target: checkTargetSchema,
  /** Whether visitors of the dashboard see its name, state and uptime; never its target. */
  public: z.boolean().default(false),
  /** Paused checks do not run and do not alert. */
  paused: z.boolean().default(false),
  intervalSeconds: z.number().int().min(20).max(86_400).default(60),
  /** For one try. */
  timeoutSeconds: z.number().int().min(1).max(60).default(10),
  /** Tries in a row that must fail before a place says "down". */
  failures: z.number().int().min(1).max(10).default(2),
  /** After a first failure the next try comes this soon; never later than the interval says. */
  retrySeconds: z.number().int().min(5).max(86_400).default(20),
  /** Whether the check is up when the target is not as expected: for what must not be reachable. */
  inverted: z.boolean().default(false),
  places: placesSchema.prefault({}),
  dependsOn: dependsOnSchema,
  note: text(4_000).default(""),
  /** Absent: not muted. */
  mute: muteSchema.optional(),
});
export type CheckFields = z.infer<typeof checkFieldsSchema>;

export const checkRecordSchema = checkFieldsSchema.extend({
  /** Always made here, `chk_` first; a part of addresses that are not guessed where it is a heartbeat. */
  id: z.string().max(64),
  version: z.number().int(),
  /** Increases with each change of the definition: earlier results no longer apply. */
  revision: z.number().int(),
  /** Of a heartbeat: the secret part of its addresses. */
  pingKey: z.string().optional(),
  /** Of HTTP: the values of its headers in their order, as JSON, sealed; in `target` they are empty. */
  sealed: z.string().optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type CheckRecord = z.infer<typeof checkRecordSchema>;

/**
 * `unknown`: no data, such as before the first result or while the monitor's own network is down. `partial`: down from
 * some locations, but fewer than the quorum.
 */
export const checkStates = ["up", "down", "partial", "unknown", "paused"] as const;
export type CheckState = (typeof checkStates)[number];

/** Faults of checks: those of a try, and those of heartbeats and groups. */
export const checkFaults = [...probeFaults, "late", "failed", "overrun", "answered", "members"] as const;
export type CheckFault = (typeof checkFaults)[number];

/** The last result of one location. */
export const placeResultSchema = z.object({
  /** {@link CENTER}, or the id of a server. */
  place: z.string(),
  /** When, epoch milliseconds. */
  at: timeMs,
  /** Whether the place says "down": after as many failures in a row as were set. */
  isDown: z.boolean(),
  /** Whether it counts: not while it has been silent too long, could not look, or has not decided since it began. */
  counts: z.boolean(),
  /** Failures in a row. */
  failures: z.number().int().min(0),
  /** Of the last try. */
  fault: z.enum(checkFaults).optional(),
  detail: z.string(),
  /** Of a heartbeat: when the sign of life or the end of a run that stays away was due, epoch milliseconds. */
  dueAt: timeMs.optional(),
  latencyMs: z.number().min(0).optional(),
});
export type PlaceResult = z.infer<typeof placeResultSchema>;

export const certificateSchema = z.object({
  subject: z.string(),
  issuer: z.string(),
  names: z.array(z.string()),
  validFrom: timeMs,
  validTo: timeMs,
  isTrusted: z.boolean(),
  /** A certificate of its chain that expires before it. */
  chainEnd: z.object({ subject: z.string(), validTo: timeMs }).optional(),
});

export const registrationSchema = z.object({
  /** The registrable domain, as registries write it. */
  domain: z.string(),
  expiresAt: timeMs,
});

/** Names of members that a state lists at most. */
export const MAX_NAMED_MEMBERS = 10;

export const membersSchema = z.object({
  /** How many count: not those that are paused, in maintenance, or never reported. */
  total: z.number().int().min(0),
  /** How many of them are down. */
  down: z.number().int().min(0),
  /** Names of those that are down, up to {@link MAX_NAMED_MEMBERS}. */
  names: z.array(z.string()),
});
export type Members = z.infer<typeof membersSchema>;

/** The state of a check: kept so that a restart neither forgets nor repeats anything. One per check, under its ID. */
export const checkStandingSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** Of the definition that it is about. */
  revision: z.number().int(),
  state: z.enum(checkStates),
  /** Since when it is in that state, epoch milliseconds. */
  since: timeMs,
  places: z.array(placeResultSchema),
  certificate: certificateSchema.optional(),
  /** What the registry said last of the domain of a `domain` check. */
  registration: registrationSchema.optional(),
  /** Of a group. */
  members: membersSchema.optional(),
});
export type CheckStanding = z.infer<typeof checkStandingSchema>;

/** A check went into a state: its timeline is made of these. */
export const checkEventSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  checkId: z.string(),
  state: z.enum(checkStates),
  /** Since when, epoch milliseconds. */
  at: timeMs,
  /** The fault of the first location that is down. */
  fault: z.enum(checkFaults).optional(),
  detail: z.string(),
  /** As in {@link PlaceResult}. */
  dueAt: timeMs.optional(),
  /** Places that said "down". */
  places: z.array(z.string()),
});
export type CheckEvent = z.infer<typeof checkEventSchema>;

/** A change of stored checks that an upgrade made once. */
export const checkUpgradeSchema = z.object({ id: z.string(), version: z.number().int(), at: timeMs });
