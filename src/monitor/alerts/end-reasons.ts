/** Why open incidents end without a recovery: whoever changed a rule or a server, here or on another node. */
import type { PublicSnapshot } from "../fleet/snapshot.ts";
import type { AlertRuleRecord, ClosingReason, IncidentRecord } from "./schema.ts";
import { isInScope } from "./evaluate.ts";

/** An incident that ends, and why. */
export interface Closing {
  readonly incident: IncidentRecord;
  readonly closedBy: ClosingReason;
  /** What the rule found at the end. */
  readonly value?: number | undefined;
}

/** Whether a list says what the one before said; then the one before is kept, and nothing is rebuilt for it. */
export function isSameRules(a: readonly AlertRuleRecord[], b: readonly AlertRuleRecord[]): boolean {
  const toText = ({ id, version, rule }: AlertRuleRecord): string => [id, version, ...rule.channelIds].join();
  return a.length === b.length && a.every((record, at) => toText(record) === toText(b[at] ?? record));
}

/** Why an open incident cannot go on; undefined when it can. */
export function findEnd(
  incident: IncidentRecord,
  { directory, rules }: { directory: Pick<PublicSnapshot, "findRecord">; rules: readonly AlertRuleRecord[] },
): ClosingReason | undefined {
  const record = directory.findRecord(incident.serverId);
  if (record?.createdAt !== incident.serverCreatedAt) return "server_gone";
  const rule = rules.find(({ id }) => id === incident.ruleId);
  if (rule === undefined) return "rule_deleted";
  if (rule.revision !== incident.ruleRevision) return "rule_changed";
  if (!rule.rule.enabled) return "rule_disabled";
  if (record.disabled) return "server_disabled";
  return isInScope(rule.rule.scope, record) ? undefined : "left_scope";
}
