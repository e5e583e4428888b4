/** Why open incidents end without a recovery: someone changed a rule, server or check, here or on another node. */
import type { AlertRuleRecord, ClosingReason, IncidentRecord } from "./schema.ts";
import { isInScope } from "./evaluate.ts";
import { type Watched, type WatchedRef, isPaused } from "./kinds/watched.ts";

/** An incident that ends, and why. */
export interface Closing {
  readonly incident: IncidentRecord;
  readonly closedBy: ClosingReason;
  /** The value at the end. */
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
  present: {
    readonly findWatched: (ref: WatchedRef) => Watched | undefined;
    readonly rules: readonly AlertRuleRecord[];
  },
): ClosingReason | undefined {
  const watched = present.findWatched(incident);
  const isCheck = incident.checkId !== undefined;
  const createdAt = isCheck ? incident.checkCreatedAt : incident.serverCreatedAt;
  if (watched === undefined || watched.record.createdAt !== createdAt)
    return isCheck ? "check_gone" : "server_gone";
  const rule = present.rules.find(({ id }) => id === incident.ruleId);
  if (rule === undefined) return "rule_deleted";
  if (rule.revision !== incident.ruleRevision) return "rule_changed";
  if (!rule.rule.enabled) return "rule_disabled";
  if (isPaused(watched)) return isCheck ? "check_paused" : "server_disabled";
  return isInScope(rule.rule.scope, watched.record) ? undefined : "left_scope";
}
