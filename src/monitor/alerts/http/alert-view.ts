/** Views of alerts for administrators: rules, incidents, and what is pending and firing now. */
import { z } from "zod";
import { deprecated } from "../../../kit/fields/renamed.ts";
import { isoTimeSchema, toIsoTime, toIsoTimeIfAny } from "../../../kit/text/iso-time.ts";
import { muteSchema } from "../../base/schema.ts";
import { locationSetSchema, toLocationSet } from "../../checks/location-schema.ts";
import { noticeSeverities } from "../../channels/kinds/notice.ts";
import {
  type AlertRuleRecord,
  type IncidentRecord,
  closingReasons,
  conditionSchema,
  foundSchema,
  ruleKindNames,
  ruleSchemaWith,
} from "../schema.ts";
import { countBySeverity } from "../incidents.ts";
import { type Watched, type WatchedRef, toWatchedRef } from "../kinds/watched.ts";
import type { RuleState } from "../watch.ts";

const shown = {
  id: z.string(),
  version: z.number().int().describe("Send it back with PUT to detect concurrent changes"),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
};
export const alertRuleViewSchema = ruleSchemaWith(shown);
export type AlertRuleView = z.infer<typeof alertRuleViewSchema>;

const severity = z.enum(noticeSeverities);
const maintenanceUntil = isoTimeSchema
  .optional()
  .describe("End of the planned maintenance of the server or check; only for current alerts");

const about = {
  serverId: z.string().optional().describe("ID of the server; absent if the incident is about a check"),
  serverName: z.string().optional().describe("Name of the server when the rule fired"),
  checkId: z.string().optional().describe("ID of the check; absent if the incident is about a server"),
  checkName: z.string().optional().describe("Name of the check when the rule fired"),
};

/** Why no notification is sent: for a server or check whose parent is down. */
const causedBy = z
  .array(z.object({ type: z.enum(["check", "server"]), id: z.string(), name: z.string() }))
  .optional()
  .describe("What this depends on that is down; only for current alerts");

export const incidentViewSchema = z.object({
  id: z.string(),
  state: z.enum(["open", "closed"]),
  ruleId: z.string(),
  ruleName: z.string().describe("Name of the rule when it fired"),
  condition: conditionSchema,
  severity,
  channelIds: z.array(z.string()),
  ...about,
  since: isoTimeSchema.describe(
    "Start of the problem: the last heartbeat, or the first evaluation that found it",
  ),
  openedAt: isoTimeSchema.describe("Time when the alert fired"),
  firedValue: z
    .number()
    .optional()
    .describe(
      "Metric value, percentage of the traffic limit, or expiry of the billing period, certificate, or domain as Unix time in milliseconds",
    ),
  subject: z.string().optional().describe("Affected part of the server, such as a mount point"),
  found: foundSchema
    .extend({
      dueAt: isoTimeSchema.optional(),
      locations: locationSetSchema.describe("Locations that reported the check as down"),
      places: deprecated(foundSchema.shape.places, "locations"),
    })
    .optional()
    .describe("Result of the check when the rule fired"),
  resolvedAt: isoTimeSchema.optional(),
  resolvedValue: z.number().optional(),
  durationSeconds: z.number().int().optional().describe("From `since` to `resolvedAt`"),
  closedBy: z.enum(closingReasons).optional(),
  acknowledgedAt: isoTimeSchema.optional(),
  acknowledgedBy: z.string().optional(),
  note: z.string().optional().describe("What administrators wrote about the incident"),
  notedBy: z.string().optional().describe("Who wrote the note"),
  told: z
    .object({ down: z.boolean(), up: z.boolean() })
    .describe("Notifications that were queued for the channels"),
  escalated: z.number().int().optional().describe("Number of escalation steps that were sent; absent: none"),
  waits: z
    .enum(["gather", "quiet", "mute"])
    .optional()
    .describe("Why a notification is held back: grouping, quiet hours or mute"),
  maintenanceUntil,
  mute: muteSchema.optional().describe("Mute of the server or check; only for current alerts"),
  causedBy,
});
export type IncidentView = z.infer<typeof incidentViewSchema>;

const pendingSchema = z.object({
  ruleId: z.string(),
  ruleName: z.string(),
  kind: z.enum(ruleKindNames),
  severity,
  ...about,
  since: isoTimeSchema,
  firesInSeconds: z.number().int().min(0),
  maintenanceUntil,
  causedBy,
});
export type PendingView = z.infer<typeof pendingSchema>;

const count = z.number().int().min(0);

export const alertSummarySchema = z.object({
  counts: z.object({ pending: count, info: count, warning: count, critical: count }),
  firing: z.array(incidentViewSchema).describe("The newest 500 open incidents"),
  pending: z.array(pendingSchema).describe("Up to 500 pending alerts"),
  now: isoTimeSchema,
});
export type AlertSummary = z.infer<typeof alertSummarySchema>;

const MAX_SHOWN = 500;

/** A rule as it is shown. */
export function toRuleView({ id, version, rule, createdAt, updatedAt }: AlertRuleRecord): AlertRuleView {
  return { ...rule, id, version, createdAt: toIsoTime(createdAt), updatedAt: toIsoTime(updatedAt) };
}

/** An incident as it is shown. */
export function toIncidentView(incident: IncidentRecord): IncidentView {
  const {
    version: _version,
    openKey: _openKey,
    occasion: _occasion,
    ruleRevision: _revision,
    serverCreatedAt: _serverCreatedAt,
    checkCreatedAt: _checkCreatedAt,
    owed: _owed,
    group: _group,
    notifiedAt: _notifiedAt,
    announcedAt: _announcedAt,
    condition,
    found,
    held,
    since,
    openedAt,
    resolvedAt,
    acknowledgedAt,
    ...view
  } = incident;
  return {
    ...view,
    // Conditions stored by older programs lack later parameters.
    condition: conditionSchema.parse(condition),
    found: found && {
      ...found,
      dueAt: toIsoTimeIfAny(found.dueAt),
      locations: toLocationSet(found.places),
    },
    since: toIsoTime(since),
    openedAt: toIsoTime(openedAt),
    resolvedAt: toIsoTimeIfAny(resolvedAt),
    acknowledgedAt: toIsoTimeIfAny(acknowledgedAt),
    waits: held?.by,
  };
}

function toPendingView({ rule, watched, state, since, waitMs }: RuleState, nowMs: number): PendingView {
  const { name, kind, severity: own } = rule.rule;
  return {
    ruleId: rule.id,
    ruleName: name,
    kind,
    severity: own,
    ...toWatchedRef(watched),
    [watched.type === "server" ? "serverName" : "checkName"]: watched.record.name,
    since: toIsoTime(since),
    firesInSeconds: Math.max(0, Math.ceil((waitMs - (nowMs - state.sinceMs)) / 1_000)),
  };
}

/** How a server or check is named among what others depend on. */
export function toCause({ type, record }: Watched): NonNullable<z.infer<typeof causedBy>>[number] {
  return { type, id: record.id, name: record.name };
}

/** Current alerts; `firing` is sorted oldest first. */
export function toAlertSummary(
  { firing, pending }: { firing: readonly IncidentRecord[]; pending: readonly RuleState[] },
  at: {
    now: number;
    nowMs: number;
    /** When the maintenance that a server or check is in ends, epoch milliseconds. */
    findMaintenanceEnd: (ref: WatchedRef) => number | undefined;
    /** The mute of a server or check, if it has one now. */
    findMute: (ref: WatchedRef) => IncidentView["mute"];
    /** The parents of a server or check that are down. */
    findCauses: (ref: WatchedRef) => readonly Watched[];
  },
): AlertSummary {
  const { now, nowMs } = at;
  const withPresent = <T extends WatchedRef>(view: T) => {
    const causes = at.findCauses(view).map(toCause);
    return {
      ...view,
      maintenanceUntil: toIsoTimeIfAny(at.findMaintenanceEnd(view)),
      causedBy: causes.length === 0 ? undefined : causes,
    };
  };
  return {
    counts: { pending: pending.length, ...countBySeverity(firing) },
    firing: firing
      .slice(-MAX_SHOWN)
      .reverse()
      .map(toIncidentView)
      .map((view) => ({ ...withPresent(view), mute: at.findMute(view) })),
    pending: pending
      .slice(0, MAX_SHOWN)
      .map((ruleState) => toPendingView(ruleState, nowMs))
      .map(withPresent),
    now: toIsoTime(now),
  };
}
