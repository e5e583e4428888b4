/** How rules are said in a sentence, and good ones to begin with. */
import { type AlertRuleFields, type Condition, ruleKindNames } from "../../../monitor/alerts/schema.ts";
import { ruleForm } from "../../../monitor/alerts/form-schema.ts";
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import type { RuleForm } from "../../../monitor/alerts/kinds/kind.ts";
import { type RuleKindName, ruleForms } from "../../../monitor/alerts/kinds/kinds.ts";
import type { WatchedType } from "../../../monitor/alerts/kinds/watched.ts";
import { type MetricName, isMetricName, labelOf, unitOf } from "../../../monitor/base/metrics.ts";
import { findPartMetric, partLabelOf } from "../../../monitor/base/part-metrics.ts";
import { toBytes, toMoment, toNumber, toPercent, toRate, toSpan, toTemperature } from "../../app/format.ts";
import { text } from "../../app/texts.ts";

/** A value with its unit. */
function toAmountText(unit: ReturnType<typeof unitOf>, value: number): string {
  switch (unit) {
    case "percent":
      return toPercent(value);
    case "celsius":
      return toTemperature(value, 1);
    case "bytes":
      return toBytes(value);
    case "bytesPerSecond":
      return toRate(value);
    case "seconds":
      return toSpan(value * 1_000);
    case "load":
    case "count":
      return toNumber(value, 2);
  }
}

/** A metric's value with its unit. */
export function toMetricText(metric: MetricName, value: number): string {
  return toAmountText(unitOf(metric), value);
}

/** The same of a metric of parts. */
function toPartText(metric: unknown, value: number): string {
  return toAmountText(findPartMetric(String(metric))?.unit ?? "count", value);
}

type Parameters = ReadonlyMap<string, unknown>;

function toMetric(name: unknown): MetricName {
  return typeof name === "string" && isMetricName(name) ? name : "cpu.usagePercent";
}

/** A parameter as people read it. */
function toParameterText(value: unknown, { kind }: FieldJson, parameters: Parameters): string {
  if (kind === "duration") return toSpan(Number(value) * 1_000);
  if (kind === "threshold" && parameters.has("partMetric"))
    return toPartText(parameters.get("partMetric"), Number(value));
  if (kind === "partMetric") return text(partLabelOf(String(value)));
  if (kind === "threshold") return toMetricText(toMetric(parameters.get("metric")), Number(value));
  if (kind === "metric") return text(labelOf(toMetric(value)));
  if (kind === "switch") return text(value === true ? "admin.yes" : "admin.no");
  return String(value);
}

/** The fields of a kind's parameters. */
export function fieldsOf(kind: RuleKindName): readonly (readonly [name: string, FieldJson])[] {
  return Object.entries(ruleForm[kind].fields ?? {});
}

/** The condition of a rule as a sentence. */
export function toConditionText(condition: Condition): string {
  const { says, finding }: RuleForm = ruleForms[condition.kind];
  const parameters = new Map<string, unknown>(Object.entries(condition));
  const shown = fieldsOf(condition.kind).map(([name, json]): [string, string] => {
    const value = parameters.get(name);
    const isPercent = json.kind === "number" && finding === "percent";
    return [name, isPercent ? toPercent(Number(value)) : toParameterText(value, json, parameters)];
  });
  return text(says(condition), Object.fromEntries(shown));
}

/** The value in the unit of the rule; undefined if a number says nothing. */
export function toFindingText(condition: Condition, value: number): string | undefined {
  const { finding }: RuleForm = ruleForms[condition.kind];
  switch (finding) {
    case "metric":
      return toMetricText(toMetric("metric" in condition ? condition.metric : undefined), value);
    case "part":
      return toPartText("partMetric" in condition ? condition.partMetric : undefined, value);
    case "percent":
      return toPercent(value);
    case "time":
      return toMoment(value);
    case undefined:
      return undefined;
  }
}

/** Rules that suit most owners, about servers or checks; they notify every channel, also those to come. */
export function toGoodRules(watched: readonly WatchedType[]): readonly AlertRuleFields[] {
  const shared = {
    enabled: true,
    scope: { type: "all" },
    allChannels: true,
    channelIds: [],
    remindEveryHours: 0,
    escalation: [],
  } as const;
  return ruleKindNames.flatMap((kind) => {
    const { watches, suggestions }: RuleForm = ruleForms[kind];
    const initial = Object.fromEntries(fieldsOf(kind).map(([name, json]) => [name, json.initial ?? false]));
    return (watched.includes(watches) ? suggestions : []).map(({ name, severity, condition }) => {
      const rule: object = { ...shared, kind, name: text(name), severity, ...initial, ...condition };
      return rule as AlertRuleFields; // `as`: a suggestion has the parameters of its kind
    });
  });
}
