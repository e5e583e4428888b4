/** An alert rule as a form holds it, and back. */
import type { AlertRuleFields } from "../../../monitor/alerts/schema.ts";
import type { TextName } from "../../app/texts.ts";
import { type ByteUnit, parseByteAmount, toByteAmount } from "../forms/byte-amount.ts";
import { type ParsedForm, parseWhole } from "../servers/server-form.ts";
import { type MetricName, isByteMetric } from "./metric-list.ts";

export const ruleKinds = ["offline", "metric", "expiry", "traffic"] as const;
export type RuleKind = AlertRuleFields["kind"];
export const scopeTypes = ["all", "group", "tag", "ids"] as const;
export type ScopeType = AlertRuleFields["scope"]["type"];
export const severities = ["info", "warning", "critical"] as const;
export const operators = [">", ">=", "<", "<="] as const;
type Operator = Extract<AlertRuleFields, { kind: "metric" }>["op"];

/** Units of spans, in seconds. */
export const spanUnits = { s: 1, min: 60, h: 3_600 } as const;
export type SpanUnit = keyof typeof spanUnits;

export interface RuleForm {
  readonly name: string;
  readonly enabled: boolean;
  readonly kind: RuleKind;
  readonly metric: MetricName;
  readonly op: Operator;
  readonly threshold: string;
  /** Of thresholds in bytes alone. */
  readonly thresholdUnit: ByteUnit;
  /** How long a metric must hold or a server be offline. */
  readonly span: string;
  readonly spanUnit: SpanUnit;
  readonly daysAhead: string;
  readonly percent: string;
  readonly scope: ScopeType;
  readonly group: string;
  readonly tag: string;
  readonly ids: readonly string[];
  readonly channelIds: readonly string[];
  readonly severity: AlertRuleFields["severity"];
}

/** A span in the largest unit in which it is whole. */
export function toSpanFields(seconds: number): { span: string; spanUnit: SpanUnit } {
  const spanUnit =
    seconds > 0 && seconds % 3_600 === 0 ? "h" : seconds > 0 && seconds % 60 === 0 ? "min" : "s";
  return { span: String(seconds / spanUnits[spanUnit]), spanUnit };
}

/** The form of a rule that is not there yet. */
export const newRule: RuleForm = {
  name: "",
  enabled: true,
  kind: "offline",
  metric: "cpu.usagePercent",
  op: ">",
  threshold: "90",
  thresholdUnit: "GB",
  span: "2",
  spanUnit: "min",
  daysAhead: "7",
  percent: "80",
  scope: "all",
  group: "",
  tag: "",
  ids: [],
  channelIds: [],
  severity: "warning",
};

function toScopeFields(scope: AlertRuleFields["scope"]): Partial<RuleForm> {
  switch (scope.type) {
    case "all":
      return { scope: "all" };
    case "group":
      return { scope: "group", group: scope.group };
    case "tag":
      return { scope: "tag", tag: scope.tag };
    case "ids":
      return { scope: "ids", ids: scope.ids };
  }
}

function toThresholdFields(metric: MetricName, threshold: number): Partial<RuleForm> {
  if (!isByteMetric(metric) || !Number.isSafeInteger(threshold) || threshold < 0)
    return { threshold: String(threshold) };
  const { value, unit } = toByteAmount(threshold);
  return { threshold: value === "" ? "0" : value, thresholdUnit: unit };
}

function toConditionFields(rule: AlertRuleFields): Partial<RuleForm> {
  switch (rule.kind) {
    case "metric": {
      const { metric, op, threshold, forSeconds } = rule;
      return { metric, op, ...toThresholdFields(metric, threshold), ...toSpanFields(forSeconds) };
    }
    case "offline":
      return toSpanFields(rule.graceSeconds);
    case "expiry":
      return { daysAhead: String(rule.daysAhead) };
    case "traffic":
      return { percent: String(rule.percentOfLimit) };
  }
}

/** The form that shows a rule. */
export function toRuleForm(rule: AlertRuleFields): RuleForm {
  const { name, enabled, kind, channelIds, severity } = rule;
  return {
    ...newRule,
    ...{ name, enabled, kind, channelIds, severity },
    ...toScopeFields(rule.scope),
    ...toConditionFields(rule),
  };
}

type Faults = Map<string, TextName>;

function parseScope(form: RuleForm, faults: Faults): AlertRuleFields["scope"] {
  switch (form.scope) {
    case "all":
      return { type: "all" };
    case "group":
      return { type: "group", group: form.group };
    case "tag":
      if (form.tag.trim() === "") faults.set("/scope/tag", "admin.fault.tag");
      return { type: "tag", tag: form.tag.trim() };
    case "ids":
      if (form.ids.length === 0) faults.set("/scope/ids", "admin.fault.servers");
      return { type: "ids", ids: [...form.ids] };
  }
}

function parseNumber(text: string): number | undefined {
  const value = /^-?\d{1,15}(?:[.,]\d{1,6})?$/u.test(text.trim())
    ? Number(text.trim().replace(",", "."))
    : Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}

function parseThreshold(form: RuleForm): number | undefined {
  if (!isByteMetric(form.metric)) return parseNumber(form.threshold);
  return form.threshold.trim() === ""
    ? undefined
    : parseByteAmount({ value: form.threshold, unit: form.thresholdUnit });
}

function parseSpan(form: RuleForm, pointer: string, faults: Faults): number {
  const whole = parseWhole(form.span, { min: 0, max: 86_400 });
  const seconds = whole === undefined ? undefined : whole * spanUnits[form.spanUnit];
  if (seconds === undefined || seconds > 86_400) faults.set(pointer, "admin.fault.span");
  return seconds ?? 0;
}

/** The rule that a form means. */
export function parseRuleForm(form: RuleForm): ParsedForm<AlertRuleFields> {
  const faults: Faults = new Map();
  const { enabled, severity } = form;
  const name = form.name.trim();
  if (name === "") faults.set("/name", "admin.fault.name");
  const shared = {
    name,
    enabled,
    severity,
    channelIds: [...form.channelIds],
    scope: parseScope(form, faults),
  };
  const fields = parseCondition(form, { shared, faults });
  return faults.size > 0 ? { ok: false, faults } : { ok: true, fields };
}

type Shared = Pick<AlertRuleFields, "name" | "enabled" | "severity" | "channelIds" | "scope">;

function parseCondition(
  form: RuleForm,
  { shared, faults }: { shared: Shared; faults: Faults },
): AlertRuleFields {
  const { kind, metric, op } = form;
  switch (kind) {
    case "offline":
      return { ...shared, kind, graceSeconds: parseSpan(form, "/graceSeconds", faults) };
    case "metric": {
      const threshold = parseThreshold(form);
      if (threshold === undefined) faults.set("/threshold", "admin.fault.threshold");
      const forSeconds = parseSpan(form, "/forSeconds", faults);
      return { ...shared, kind, metric, op, threshold: threshold ?? 0, forSeconds };
    }
    case "expiry": {
      const daysAhead = parseWhole(form.daysAhead, { min: 0, max: 365 });
      if (daysAhead === undefined) faults.set("/daysAhead", "admin.fault.days");
      return { ...shared, kind, daysAhead: daysAhead ?? 0 };
    }
    case "traffic": {
      const percent = parseNumber(form.percent);
      if (percent === undefined || percent < 1 || percent > 1_000)
        faults.set("/percentOfLimit", "admin.fault.percent");
      return { ...shared, kind, percentOfLimit: percent ?? 80 };
    }
  }
}
