/**
 * Schemas of alerts: rules as an administrator sets them, and stored rules and incidents. Types are inferred from
 * these schemas; `http/alert-view.ts` has what administrators see.
 */
import { z } from "zod";
import { timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { type SettingsPatch, applyPatch, toPatchSchema } from "../../records/settings-patch.ts";
import { noticeSeverities } from "../channels/kinds/notice.ts";
import { checkFaults } from "../checks/schema.ts";
import { serverIdSchema } from "../base/schema.ts";
import { type RuleKindName, ruleKinds } from "./kinds/kinds.ts";

/** Rules that one monitor holds at most. */
export const MAX_RULES = 200;

export const groupScopeSchema = z.strictObject({ type: z.literal("group"), group: z.string().max(64) });
export const tagScopeSchema = z.strictObject({ type: z.literal("tag"), tag: trimmedLine(32) });

/** Which of the servers or checks a rule watches; `ids` may be those of both where both are meant. */
export const scopeSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("all") }),
  groupScopeSchema,
  tagScopeSchema,
  z.strictObject({ type: z.literal("ids"), ids: z.array(serverIdSchema).min(1).max(1_000) }),
]);
export type Scope = z.infer<typeof scopeSchema>;

/** All kinds. `as`: Object.keys knows texts alone. */
export const ruleKindNames = Object.keys(ruleKinds) as readonly RuleKindName[];

/** The parameters of each kind, with its name. */
type Parameters = {
  [K in RuleKindName]: ReturnType<(typeof ruleKinds)[K]["parameters"]> & { kind: z.ZodLiteral<K> };
};

/** A schema of each kind: its parameters, and `shape` beside them. */
function variantsOf<S extends z.ZodRawShape>(
  shape: S,
  make: typeof z.object | typeof z.strictObject = z.strictObject,
): { [K in RuleKindName]: z.ZodObject<S & Parameters[K]> } {
  const entries = Object.entries(ruleKinds).map(([kind, { parameters }]) => [
    kind,
    make({ ...shape, kind: z.literal(kind), ...parameters() }),
  ]);
  // `as`: the entries are those of the registry, which Object.fromEntries does not know.
  return Object.fromEntries(entries) as { [K in RuleKindName]: z.ZodObject<S & Parameters[K]> };
}

type UnionOf<V extends z.core.$ZodTypeDiscriminable> = z.ZodDiscriminatedUnion<[V, ...V[]], "kind">;

function unionOf<M extends Record<RuleKindName, z.core.$ZodTypeDiscriminable>>(
  variants: M,
): UnionOf<M[RuleKindName]> {
  // `as`: there is at least one kind.
  return z.discriminatedUnion("kind", Object.values(variants) as [M[RuleKindName], ...M[RuleKindName][]]);
}

/** Most steps of an escalation. */
const MAX_STEPS = 5;

const escalationStepSchema = z.strictObject({
  /** After the first notification. */
  afterMinutes: z.number().int().min(1).max(10_080),
  channelIds: z.array(trimmedLine(64)).min(1).max(20),
});

const shared = {
  name: trimmedLine(100),
  enabled: z.boolean().default(true),
  scope: scopeSchema.default({ type: "all" }),
  /** Whether every channel is notified, also those that are added later; `channelIds` then says nothing. */
  allChannels: z.boolean().default(false),
  /** Channels to notify; with none, incidents are recorded and shown without notifications. */
  channelIds: z.array(trimmedLine(64)).max(20).default([]),
  severity: z.enum(noticeSeverities).default("warning"),
  /** Sends an open alert again after this many hours; 0: never. Acknowledging it stops reminders. */
  remindEveryHours: z.number().int().min(0).max(168).default(0),
  /** Further channels for an alert that stays open without acknowledgement, in the order of their time. */
  escalation: z
    .array(escalationStepSchema)
    .max(MAX_STEPS)
    .refine(
      (steps) => steps.every(({ afterMinutes }, at) => afterMinutes > (steps[at - 1]?.afterMinutes ?? 0)),
      "must list the steps by time, each later than the one before",
    )
    .default([]),
};

type Rule<S extends z.ZodRawShape> = {
  [K in RuleKindName]: z.ZodObject<typeof shared & S & Parameters[K]>;
}[RuleKindName];

/** A rule as an administrator sets it, with further members. */
export function ruleSchemaWith<S extends z.ZodRawShape>(more: S): UnionOf<Rule<S>> {
  return unionOf(variantsOf({ ...shared, ...more }));
}

/** Fields that an administrator sets. PUT replaces all of them: omitted ones get their default. */
export const alertRuleFieldsSchema = ruleSchemaWith({});
export type AlertRuleFields = z.infer<typeof alertRuleFieldsSchema>;

/** Every parameter of every kind. */
const allParameters = Object.assign(
  {},
  ...Object.values(ruleKinds).map(({ parameters }) => parameters()),
) as z.ZodRawShape;

/** Fields of a change; the rule's own schema checks that they belong to one kind. */
export const alertRulePatchSchema = toPatchSchema(
  z.object({ ...allParameters, ...shared, kind: z.enum(ruleKindNames) }),
);

/** The rule that a change makes; of another kind, only what every rule has stays. @throws AppError `invalid` */
export function toChangedRule(before: AlertRuleFields, patch: SettingsPatch): AlertRuleFields {
  const kept = new Map(
    Object.entries(before).filter(
      ([name]) => (patch["kind"] ?? before.kind) === before.kind || Object.hasOwn(shared, name),
    ),
  );
  // The scope is taken as a whole: the members of one type say nothing of another.
  return applyPatch(alertRuleFieldsSchema, { ...Object.fromEntries(kept), ...patch }, {});
}

export const conditionSchema = unionOf(variantsOf({}, z.object));
/** The condition of a rule, without its scope and channels. */
export type Condition = z.infer<typeof conditionSchema>;

export const alertRuleRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  rule: alertRuleFieldsSchema,
  /** Increases with each change of the condition: earlier findings no longer apply. */
  revision: z.number().int(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type AlertRuleRecord = z.infer<typeof alertRuleRecordSchema>;

/** Why an incident was closed. */
export const closingReasons = [
  "recovered",
  "rule_changed",
  "rule_disabled",
  "rule_deleted",
  "server_gone",
  "server_disabled",
  "check_gone",
  "check_paused",
  "left_scope",
] as const;
export type ClosingReason = (typeof closingReasons)[number];

export const heldSchema = z.object({
  by: z.enum(["gather", "quiet", "mute"]),
  /** Notifications of one message share one; empty while muted. */
  batch: z.string(),
  /** When a gathered message is due, epoch milliseconds. */
  until: timeMs.optional(),
});
/** Why a notice waits. */
export type Held = z.infer<typeof heldSchema>;

/** The result of a check when a rule fired for it. */
export const foundSchema = z.object({
  fault: z.enum(checkFaults).optional(),
  /** The target's message: one line of at most 200 characters. */
  detail: z.string(),
  /** When the sign of a heartbeat that stays away was due, epoch milliseconds. */
  dueAt: timeMs.optional(),
  /** Places that found it down: "center" or ids of servers. */
  places: z.array(z.string()),
  /** How many places reported. */
  reported: z.number().int().min(0),
  /** Whether fewer places than the quorum found it down. */
  isPartial: z.boolean(),
});

/** An incident is about a server or a check, and has the members of one of them. */
export const incidentRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  state: z.enum(["open", "closed"]),
  /** Rule and server or check, while it is open: there is one open incident of them at most. */
  openKey: z.string().optional(),
  /** Of what is announced once per occasion: an end of paid time, a certificate, or a domain, a cycle of traffic and its limit. */
  occasion: z.string().optional(),
  ruleId: z.string(),
  ruleName: z.string(),
  ruleRevision: z.number().int(),
  condition: conditionSchema,
  severity: z.enum(noticeSeverities),
  channelIds: z.array(z.string()),
  serverId: serverIdSchema.optional(),
  serverName: z.string().optional(),
  /** Distinguishes a server from one that got its id later. */
  serverCreatedAt: timeMs.optional(),
  checkId: z.string().optional(),
  checkName: z.string().optional(),
  checkCreatedAt: timeMs.optional(),
  /** When what is wrong began: the last sign of life, or the first look that found it. */
  since: timeMs,
  openedAt: timeMs,
  /** The value: of a metric, percent of the traffic, or an end in epoch milliseconds. */
  firedValue: z.number().optional(),
  /** Of which part of the server, such as the path of a mount. */
  subject: z.string().optional(),
  found: foundSchema.optional(),
  resolvedAt: timeMs.optional(),
  /** The same as `firedValue`, at the end. */
  resolvedValue: z.number().optional(),
  /** From `since` to `resolvedAt`. */
  durationSeconds: z.number().int().min(0).optional(),
  closedBy: z.enum(closingReasons).optional(),
  acknowledgedAt: timeMs.optional(),
  acknowledgedBy: z.string().optional(),
  /** What people wrote about it, and who did so last. */
  note: z.string().optional(),
  notedBy: z.string().optional(),
  /** When people were last notified that it is wrong; absent in incidents of older programs. */
  notifiedAt: timeMs.optional(),
  /** Time of the first of these notifications; steps of an escalation count from here. */
  announcedAt: timeMs.optional(),
  /** How many steps of the escalation were sent. */
  escalated: z.number().int().min(0).optional(),
  /** Notifications queued for the channels. */
  told: z.object({ down: z.boolean(), up: z.boolean() }),
  /** The pending notification. */
  owed: z.enum(["down", "up"]).optional(),
  held: heldSchema.optional(),
  /** The message that announced it together with others. */
  group: z.string().optional(),
});
export type IncidentRecord = z.infer<typeof incidentRecordSchema>;
export type NewIncident = Omit<IncidentRecord, "version">;

export function toCondition(rule: AlertRuleFields): Condition {
  return conditionSchema.parse(rule);
}
