/** Kinds of fields about metrics: which one, and a number in its unit. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { isMetricName, labelOf, unitOf } from "../../../monitor/base/metrics.ts";
import { findPartMetric, partLabelOf } from "../../../monitor/base/part-metrics.ts";
import { text } from "../../app/texts.ts";
import { SelectField, TextField } from "../../ui/controls.tsx";
import { type ByteUnit, byteUnits, parseByteAmount, toByteAmount } from "../../ui/forms/byte-amount.ts";
import { type Form, type Kind, memberText, toText } from "../../ui/resource/kind.ts";
import { choiceKind, sayPlain } from "../../ui/resource/kinds.tsx";

/** Metrics in the order of the list, the most used first. */
const unitOrder = ["percent", "load", "bytesPerSecond", "celsius", "count", "bytes", "seconds"];

function findUnit(metric: string): string {
  return isMetricName(metric) ? unitOf(metric) : (findPartMetric(metric)?.unit ?? "count");
}

/** The name of a metric. */
export function metricKind<C>(json: FieldJson): Kind<C> {
  const names = (json.choices ?? []).map(String);
  const choices = names.toSorted((a, b) => unitOrder.indexOf(findUnit(a)) - unitOrder.indexOf(findUnit(b)));
  const toLabel = (name: string): string => (isMetricName(name) ? text(labelOf(name)) : name);
  return choiceKind<C>({ toLabel, as: "list" })({ ...json, choices });
}

/** The name of a metric of parts. */
export function partMetricKind<C>(json: FieldJson): Kind<C> {
  const toLabel = (name: string): string => (findPartMetric(name) ? text(partLabelOf(name)) : name);
  return choiceKind<C>({ toLabel, as: "list" })(json);
}

const signs: Readonly<Record<string, string>> = { percent: " (%)", celsius: " (°C)", seconds: " (s)" };

function parseNumber(typed: string): number | undefined {
  const value = /^-?\d{1,15}(?:[.,]\d{1,6})?$/u.test(typed.trim())
    ? Number(typed.trim().replace(",", "."))
    : Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}

/** The metric that the form around the field names. */
function metricOf(form: Form): string {
  return toText(form["kind"] === "part" ? form["partMetric"] : form["metric"]);
}

function isBytes(form: Form): boolean {
  return findUnit(metricOf(form)).startsWith("bytes");
}

function toByteUnit(unit: string): ByteUnit {
  return byteUnits.find((one) => one === unit) ?? "GB";
}

function toTyped(value: unknown, form: Form): Form {
  if (typeof value !== "number") return { number: "", unit: "GB" };
  if (!isBytes(form) || !Number.isSafeInteger(value) || value < 0)
    return { number: String(value), unit: "GB" };
  const { value: number, unit } = toByteAmount(value);
  return { number: number === "" ? "0" : number, unit };
}

/** A number in the unit of the metric beside it; where it is never below 0, an empty one is 0. */
export function thresholdKind<C>({ initial, min }: FieldJson): Kind<C> {
  return {
    blank: toTyped(initial, {}),
    toTyped: (value, { form }) => toTyped(value, form),
    read: (typed, { form }) => {
      const number = memberText(typed, "number");
      const isEmpty = number.trim() === "";
      if (isEmpty && min === 0) return { value: 0 };
      const unit = toByteUnit(memberText(typed, "unit"));
      const bytes = isEmpty ? undefined : parseByteAmount({ value: number, unit });
      const value = isBytes(form) ? bytes : parseNumber(number);
      if (value === undefined || (min !== undefined && value < min))
        return { fault: "admin.fault.threshold" };
      return { value };
    },
    Field: ({ label, hint, error, value, form, onChange }) => {
      const unit = memberText(value, "unit");
      const field = (
        <TextField
          label={label + (signs[findUnit(metricOf(form))] ?? "")}
          hint={hint}
          error={error}
          inputMode="decimal"
          value={memberText(value, "number")}
          onInput={(number) => onChange({ number, unit })}
        />
      );
      if (!isBytes(form)) return field;
      const perSecond = findUnit(metricOf(form)) === "bytesPerSecond" ? "/s" : "";
      return (
        <div class="field-row">
          {field}
          <SelectField<string>
            label={text("admin.field.unit")}
            value={toByteUnit(unit)}
            choices={byteUnits.map((one) => ({ value: one, label: one + perSecond }))}
            onChange={(next) => onChange({ number: memberText(value, "number"), unit: next })}
          />
        </div>
      );
    },
    say: sayPlain,
  };
}
