/** An alert rule as a form holds it, and back; what each kind asks for is said by its own file. */
import type { RuleField } from "../../../monitor/alerts/kinds/kind.ts";
import { type RuleKindName, ruleForms } from "../../../monitor/alerts/kinds/kinds.ts";
import type { AlertRuleFields } from "../../../monitor/alerts/schema.ts";
import { isMetricName, unitOf } from "../../../monitor/base/metrics.ts";
import { text } from "../../app/texts.ts";
import { type ByteUnit, byteUnits, parseByteAmount, toByteAmount } from "../../ui/forms/byte-amount.ts";
import { parseWhole } from "../../ui/forms/parsed.ts";

export const scopeTypes = ["all", "group", "tag", "ids"] as const;
export type ScopeType = AlertRuleFields["scope"]["type"];
export const severities = ["info", "warning", "critical"] as const;

/** Units of spans, in seconds. */
export const spanUnits = { s: 1, min: 60, h: 3_600 } as const;
export type SpanUnit = keyof typeof spanUnits;

/** What a scope can be about. */
export type ScopeOf = "server" | "check" | "both";

/** Which servers or checks something is about. */
export interface ScopeForm {
  readonly scope: ScopeType;
  readonly group: string;
  readonly tag: string;
  readonly ids: readonly string[];
}

export interface RuleForm extends ScopeForm {
  readonly name: string;
  readonly enabled: boolean;
  readonly kind: RuleKindName;
  /** The parameters of all kinds as they are typed, by {@link toValueKey}; the unit of one stands under `<key>.unit`. */
  readonly values: Readonly<Record<string, string>>;
  readonly allChannels: boolean;
  readonly channelIds: readonly string[];
  /** Hours; "0" for never. */
  readonly remind: string;
  readonly severity: AlertRuleFields["severity"];
}

/** In the order in which the dashboard offers them. */
export const ruleKinds = Object.keys(ruleForms) as readonly RuleKindName[]; // `as`: Object.keys knows texts alone

/** Where a form has what is typed for a parameter: several kinds have one of the same name. */
export function toValueKey(kind: RuleKindName, name: string): string {
  return `${kind}.${name}`;
}

/** The fields of a kind's parameters. */
export function fieldsOf(kind: RuleKindName): readonly RuleField[] {
  return ruleForms[kind].fields;
}

function isSpanUnit(unit: string | undefined): unit is SpanUnit {
  return unit !== undefined && unit in spanUnits;
}

/** Whether a threshold of this metric is an amount of bytes. */
export function isByteMetric(metric: string | undefined): boolean {
  return metric !== undefined && isMetricName(metric) && unitOf(metric).startsWith("bytes");
}

/** A span in the largest unit in which it is whole. */
export function toSpanFields(seconds: number): { span: string; spanUnit: SpanUnit } {
  const spanUnit =
    seconds > 0 && seconds % 3_600 === 0 ? "h" : seconds > 0 && seconds % 60 === 0 ? "min" : "s";
  return { span: String(seconds / spanUnits[spanUnit]), spanUnit };
}

function toThresholdValues(key: string, threshold: number, metric: unknown): Record<string, string> {
  if (!isByteMetric(String(metric)) || !Number.isSafeInteger(threshold) || threshold < 0)
    return { [key]: String(threshold) };
  const { value, unit } = toByteAmount(threshold);
  return { [key]: value === "" ? "0" : value, [`${key}.unit`]: unit };
}

/** What a field shows of a value. */
function toFieldValues(
  key: string,
  { input, value, metric }: { input: RuleField["input"]; value: unknown; metric: unknown },
): Record<string, string> {
  switch (input) {
    case "span": {
      const { span, spanUnit } = toSpanFields(Number(value));
      return { [key]: span, [`${key}.unit`]: spanUnit };
    }
    case "threshold":
      return { [`${key}.unit`]: "GB", ...toThresholdValues(key, Number(value), metric) };
    case "number":
    case "choice":
    case "metric":
    case "switch":
      return { [key]: String(value) };
  }
}

/** What the fields of a kind show of its parameters; of those that are not given, what they begin with. */
function toValues(kind: RuleKindName, parameters: Readonly<Record<string, unknown>>): RuleForm["values"] {
  const shown = fieldsOf(kind).map((field) => {
    const { name, input, initial } = field;
    const metric = input === "threshold" ? parameters[field.metric] : undefined;
    return toFieldValues(toValueKey(kind, name), { input, value: parameters[name] ?? initial, metric });
  });
  return Object.fromEntries(shown.flatMap((part) => Object.entries(part)));
}

/** What a kind of rule watches. */
export function watchedBy(kind: RuleKindName): ScopeOf {
  return ruleForms[kind].watches;
}

/** The end of the texts' names that speak of it. */
export function toSuffix(of: ScopeOf): "" | ".check" | ".both" {
  return of === "server" ? "" : `.${of}`;
}

/** The form of a rule that is not there yet. */
export const newRule: RuleForm = {
  name: "",
  enabled: true,
  kind: "offline",
  values: Object.fromEntries(ruleKinds.flatMap((kind) => Object.entries(toValues(kind, {})))),
  scope: "all",
  group: "",
  tag: "",
  ids: [],
  allChannels: true,
  channelIds: [],
  remind: "0",
  severity: "warning",
};

/** The fields that show a scope. */
export function toScopeFields(scope: AlertRuleFields["scope"]): Partial<ScopeForm> {
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

/** The form that shows a rule. */
export function toRuleForm(rule: AlertRuleFields): RuleForm {
  const { name, enabled, kind, allChannels, channelIds, severity } = rule;
  return {
    ...newRule,
    name,
    enabled,
    kind,
    allChannels,
    channelIds,
    severity,
    remind: String(rule.remindEveryHours),
    ...toScopeFields(rule.scope),
    values: { ...newRule.values, ...toValues(kind, rule) },
  };
}

const faultNames = {
  server: "admin.fault.servers",
  check: "admin.fault.checks",
  both: "admin.fault.chosen",
} as const satisfies Record<ScopeOf, string>;

/** Why values are refused, by the pointer of their field. */
type Faults = Map<string, string>;

/** The scope that a form means; what is wrong goes to `faults`. */
export function parseScope(
  form: ScopeForm,
  { of, faults }: { of: ScopeOf; faults: Faults },
): AlertRuleFields["scope"] {
  switch (form.scope) {
    case "all":
      return { type: "all" };
    case "group":
      return { type: "group", group: form.group };
    case "tag":
      if (form.tag.trim() === "") faults.set("/scope/tag", text("admin.fault.tag"));
      return { type: "tag", tag: form.tag.trim() };
    case "ids":
      if (form.ids.length === 0) faults.set("/scope/ids", text(faultNames[of]));
      return { type: "ids", ids: [...form.ids] };
  }
}

function parseNumber(text: string): number | undefined {
  const value = /^-?\d{1,15}(?:[.,]\d{1,6})?$/u.test(text.trim())
    ? Number(text.trim().replace(",", "."))
    : Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}

function toByteUnit(unit: string | undefined): ByteUnit {
  return byteUnits.find((one) => one === unit) ?? "GB";
}

/** The value that a field means; undefined, with its fault, when it means none. */
function parseField(field: RuleField, { kind, values }: RuleForm): { value: unknown } | { fault: string } {
  const key = toValueKey(kind, field.name);
  const typed = values[key] ?? "";
  const unit = values[`${key}.unit`];
  switch (field.input) {
    case "span": {
      const whole = parseWhole(typed, { min: 0, max: 86_400 });
      const seconds = (whole ?? Number.NaN) * spanUnits[isSpanUnit(unit) ? unit : "s"];
      return seconds <= 86_400 ? { value: seconds } : { fault: text("admin.fault.span") };
    }
    case "threshold": {
      const isEmpty = typed.trim() === "";
      const value = isByteMetric(values[toValueKey(kind, field.metric)])
        ? isEmpty
          ? undefined
          : parseByteAmount({ value: typed, unit: toByteUnit(unit) })
        : parseNumber(typed);
      if (field.isMargin === true && isEmpty) return { value: 0 };
      return value === undefined || (field.isMargin === true && value < 0)
        ? { fault: text("admin.fault.threshold") }
        : { value };
    }
    case "number": {
      const value = field.isWhole ? parseWhole(typed, field) : parseNumber(typed);
      return value === undefined || value < field.min || value > field.max
        ? { fault: text(field.fault) }
        : { value };
    }
    case "switch":
      return { value: typed === "true" };
    case "choice":
    case "metric":
      return { value: typed };
  }
}

export type ParsedRule =
  | { readonly ok: true; readonly fields: AlertRuleFields }
  | { readonly ok: false; readonly faults: ReadonlyMap<string, string> };

/** The rule that a form means. */
export function parseRuleForm(form: RuleForm): ParsedRule {
  const faults: Faults = new Map();
  const { enabled, severity, kind } = form;
  const name = form.name.trim();
  if (name === "") faults.set("/name", text("admin.fault.name"));
  const { allChannels } = form;
  const remindEveryHours = parseWhole(form.remind, { min: 0, max: 168 });
  if (remindEveryHours === undefined) faults.set("/remindEveryHours", text("admin.fault.hours"));
  const channelIds = allChannels ? [] : [...form.channelIds];
  const shared = { name, enabled, severity, kind, allChannels, channelIds, remindEveryHours };
  const scope = parseScope(form, { of: watchedBy(kind), faults });
  const parameters = fieldsOf(kind).map((field) => {
    const parsed = parseField(field, form);
    if ("fault" in parsed) faults.set(`/${field.name}`, parsed.fault);
    return [field.name, "value" in parsed ? parsed.value : undefined];
  });
  if (faults.size > 0) return { ok: false, faults };
  // `as`: its members are those of the kind's form; what they hold is checked by the monitor.
  return { ok: true, fields: { ...shared, scope, ...Object.fromEntries(parameters) } as AlertRuleFields };
}
