/** How rules are said in a sentence, and good ones to begin with. */
import type { AlertRuleFields, Condition } from "../../../monitor/alerts/schema.ts";
import type { RuleField, RuleForm } from "../../../monitor/alerts/kinds/kind.ts";
import { ruleForms } from "../../../monitor/alerts/kinds/kinds.ts";
import type { WatchedType } from "../../../monitor/alerts/kinds/watched.ts";
import { type MetricName, isMetricName, labelOf, unitOf } from "../../../monitor/base/metrics.ts";
import { toBytes, toMoment, toNumber, toPercent, toRate, toSpan, toTemperature } from "../../app/format.ts";
import { text } from "../../app/texts.ts";

/** A metric's value with its unit. */
export function toMetricText(metric: MetricName, value: number): string {
  switch (unitOf(metric)) {
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

type Parameters = ReadonlyMap<string, unknown>;

function toMetric(name: unknown): MetricName {
  return typeof name === "string" && isMetricName(name) ? name : "cpu.usagePercent";
}

/** A parameter as people read it. */
function toParameterText(field: RuleField, parameters: Parameters): string {
  const value = parameters.get(field.name);
  switch (field.input) {
    case "span":
      return toSpan(Number(value) * 1_000);
    case "threshold":
      return toMetricText(toMetric(parameters.get(field.metric)), Number(value));
    case "metric":
      return text(labelOf(toMetric(value)));
    case "number":
      return field.unit === "percent" ? toPercent(Number(value)) : String(value);
    case "choice":
      return String(value);
    case "switch":
      return text(value === true ? "admin.yes" : "admin.no");
  }
}

/** What a rule looks for, in a sentence. */
export function toConditionText(condition: Condition): string {
  const { fields, says }: RuleForm = ruleForms[condition.kind];
  const parameters = new Map<string, unknown>(Object.entries(condition));
  const shown = fields.map((field): [string, string] => [field.name, toParameterText(field, parameters)]);
  return text(says(condition), Object.fromEntries(shown));
}

/** What was found, in the unit of the rule; undefined where a number says nothing. */
export function toFindingText(condition: Condition, value: number): string | undefined {
  const { finding }: RuleForm = ruleForms[condition.kind];
  switch (finding) {
    case "metric":
      return toMetricText(toMetric("metric" in condition ? condition.metric : undefined), value);
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
  } as const;
  const forms: readonly (readonly [string, RuleForm])[] = Object.entries(ruleForms);
  return forms.flatMap(([kind, { watches, fields, suggestions }]) =>
    (watched.includes(watches) ? suggestions : []).map(({ name, severity, condition }) => {
      const initial = Object.fromEntries(fields.map((field) => [field.name, field.initial]));
      const parameters = { ...initial, ...condition };
      const rule: object = { ...shared, kind, name: text(name), severity, ...parameters };
      return rule as AlertRuleFields; // `as`: a suggestion has the parameters of its kind
    }),
  );
}
