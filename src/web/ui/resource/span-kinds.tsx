/** Kinds of fields for numbers with a unit: percentages, and spans of time. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { findText, text } from "../../app/texts.ts";
import { Field, Select } from "../controls.tsx";
import { parseAmount } from "../forms/money.ts";
import { parseWhole } from "../forms/parsed.ts";
import { type Kind, memberText, toText } from "./kind.ts";
import { readEmpty, sayPlain } from "./kinds.tsx";
import { UnitField } from "../forms/unit-field.tsx";

/** Hundredths of a percent, typed as "12.5". */
export function percentKind<C>(json: FieldJson): Kind<C> {
  const { min = 0, max = 10_000 } = json;
  return {
    blank: typeof json.initial === "number" ? String(json.initial / 100) : "",
    toTyped: (value) => (typeof value === "number" ? String(value / 100) : ""),
    read: (typed, { before }) => {
      const typedWords = toText(typed).trim();
      const words = typedWords.endsWith("%") ? typedWords.slice(0, -1).trim() : typedWords;
      if (words === "") return readEmpty(json, before);
      const value = parseAmount(words, 2);
      return value !== undefined && value >= min && value <= max
        ? { value }
        : { fault: "admin.fault.number" };
    },
    Field: ({ label, hint, error, value, onChange }) => (
      <UnitField label={label} hint={hint} error={error} unit="%" value={toText(value)} onInput={onChange} />
    ),
    say: (value) => (typeof value === "number" ? `${value / 100} %` : sayPlain(value)),
  };
}

const spanUnits = ["s", "min", "h", "d"] as const;
const unitSeconds: Readonly<Record<(typeof spanUnits)[number], number>> = {
  s: 1,
  min: 60,
  h: 3_600,
  d: 86_400,
};

/** Seconds in the largest unit that leaves a whole number. */
function toSpan(seconds: number): { number: string; unit: string } {
  const unit = spanUnits.findLast((one) => seconds > 0 && seconds % unitSeconds[one] === 0) ?? "s";
  return { number: String(seconds / unitSeconds[unit]), unit };
}

/** Seconds, typed as a whole number with its unit. */
export function durationKind<C>(json: FieldJson): Kind<C> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = json;
  const blank = typeof json.initial === "number" ? toSpan(json.initial) : { number: "", unit: "s" };
  return {
    blank,
    toTyped: (value) => (typeof value === "number" ? toSpan(value) : blank),
    read: (typed, { before }) => {
      const number = memberText(typed, "number");
      if (number.trim() === "") return readEmpty(json, before);
      const unit = spanUnits.find((one) => one === memberText(typed, "unit")) ?? "s";
      const value = parseWhole(number, { min: 0, max: Number.MAX_SAFE_INTEGER });
      const seconds = value === undefined ? Number.NaN : value * unitSeconds[unit];
      return seconds >= min && seconds <= max ? { value: seconds } : { fault: "admin.fault.number" };
    },
    Field: ({ label, hint, error, value, onChange }) => (
      <Field label={label} hint={hint} error={error}>
        {(links) => (
          <span class="span-field">
            <input
              {...links}
              type="text"
              inputMode="numeric"
              value={memberText(value, "number")}
              onInput={(event) =>
                onChange({ number: event.currentTarget.value, unit: memberText(value, "unit") || "s" })
              }
            />
            <Select<string>
              label={text("admin.check.unit.of", { label })}
              value={memberText(value, "unit") || "s"}
              choices={spanUnits.map((unit) => ({ value: unit, label: text(`admin.span.${unit}`) }))}
              onChange={(unit) => onChange({ number: memberText(value, "number"), unit })}
            />
          </span>
        )}
      </Field>
    ),
    say: (value) => {
      if (typeof value !== "number") return sayPlain(value);
      const { number, unit } = toSpan(value);
      return `${number} ${findText(`admin.span.${unit}`) ?? unit}`;
    },
  };
}
