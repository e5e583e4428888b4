/** Where rules come from, how they are said in a sentence, and good ones to begin with. */
import type { AlertRuleFields, Condition } from "../../../monitor/alerts/schema.ts";
import { toBytes, toNumber, toPercent, toSpan } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { toMetricUnit, type MetricName } from "./metric-list.ts";

export const RULES = "/api/admin/alert-rules";

export type RuleView = AlertRuleFields & { readonly id: string; readonly version: number };

export interface RuleList {
  readonly rules: readonly RuleView[];
}

/** The path of one rule. */
export function toRulePath(id: string): string {
  return `${RULES}/${encodeURIComponent(id)}`;
}

/** A metric's value with its unit. */
export function toMetricText(metric: MetricName, value: number): string {
  switch (toMetricUnit(metric)) {
    case "percent":
      return toPercent(value);
    case "celsius":
      return `${toNumber(value, 1)} °C`;
    case "bytes":
      return toBytes(value);
    case "bytesPerSecond":
      return `${toBytes(value)}/s`;
    case "plain":
      return toNumber(value, 2);
  }
}

/** What a rule looks for, in a sentence. */
export function toConditionText(condition: Condition): string {
  switch (condition.kind) {
    case "offline":
      return text("admin.rule.says.offline", { span: toSpan(condition.graceSeconds * 1_000) });
    case "metric": {
      const { metric, op, threshold, forSeconds } = condition;
      return text(forSeconds === 0 ? "admin.rule.says.metric.now" : "admin.rule.says.metric", {
        metric: text(`admin.metric.${metric}`),
        op,
        value: toMetricText(metric, threshold),
        span: toSpan(forSeconds * 1_000),
      });
    }
    case "expiry":
      return text("admin.rule.says.expiry", { days: condition.daysAhead });
    case "traffic":
      return text("admin.rule.says.traffic", { percent: toPercent(condition.percentOfLimit) });
  }
}

/** Which servers a rule watches, in a few words. */
export function toScopeText({ scope }: Pick<AlertRuleFields, "scope">): string {
  switch (scope.type) {
    case "all":
      return text("admin.scope.all");
    case "group":
      return text("admin.scope.says.group", { group: scope.group });
    case "tag":
      return text("admin.scope.says.tag", { tag: scope.tag });
    case "ids":
      return text("admin.scope.says.ids", { count: scope.ids.length });
  }
}

/** Rules that suit most fleets, told through these channels. */
export function toGoodRules(channelIds: readonly string[]): readonly AlertRuleFields[] {
  const shared = { enabled: true, scope: { type: "all" } as const, channelIds: [...channelIds] };
  return [
    { ...shared, name: text("admin.good.offline"), kind: "offline", graceSeconds: 120, severity: "critical" },
    {
      ...shared,
      name: text("admin.good.disk"),
      kind: "metric",
      metric: "disk.usedPercent",
      op: ">",
      threshold: 90,
      forSeconds: 600,
      severity: "warning",
    },
    {
      ...shared,
      name: text("admin.good.memory"),
      kind: "metric",
      metric: "memory.usedPercent",
      op: ">",
      threshold: 95,
      forSeconds: 600,
      severity: "warning",
    },
    { ...shared, name: text("admin.good.expiry"), kind: "expiry", daysAhead: 7, severity: "info" },
    { ...shared, name: text("admin.good.traffic"), kind: "traffic", percentOfLimit: 80, severity: "warning" },
  ];
}
