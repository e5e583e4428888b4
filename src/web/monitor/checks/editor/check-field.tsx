/** A field of the table of kinds, as it is filled in. */
import type { JSX } from "preact";
import type { CheckKind } from "../../../../monitor/checks/schema.ts";
import { findHint, findText, text } from "../../../app/texts.ts";
import { Checkbox, Field, Segments, Select, SelectField, TextField } from "../../../ui/controls.tsx";
import { SuggestField, WordsField } from "../../../ui/console/field-kinds.tsx";
import type { FormPart } from "../../../ui/forms/bind.ts";
import { findError } from "../../../ui/forms/field-errors.ts";
import { type CheckForm, type TIMING, type SpanUnit, isAsked, keyOf, pointerOf } from "./check-form.ts";
import type { CheckField } from "./field-table.ts";
import { HeaderFields } from "./header-fields.tsx";

type Owner = CheckKind | typeof TIMING;
type Props = FormPart<CheckForm> & { readonly owner: Owner; readonly field: CheckField };

const unitNames = ["s", "min", "h", "d"] as const satisfies readonly SpanUnit[];
/** More choices than these do not stand side by side. */
const MOST_SEGMENTS = 2;

/** All time zones that the browser knows. */
function listZones(): readonly string[] {
  return Intl.supportedValuesOf("timeZone");
}

function SpanField(props: Props & { value: string; set: (key: string, value: string) => void }): JSX.Element {
  const { form, errors, owner, field, value, set } = props;
  const key = keyOf(owner, field);
  const label = text(field.label);
  return (
    <Field label={label} hint={findHint(field.label)} error={findError(errors, pointerOf(owner, field))}>
      {(links) => (
        <span class="span-field">
          <input
            {...links}
            type="text"
            inputMode="numeric"
            value={value}
            onInput={(event) => set(key, event.currentTarget.value)}
          />
          <Select
            label={text("admin.check.unit.of", { label })}
            value={form.values[`${key}.unit`] ?? "s"}
            choices={unitNames.map((unit) => ({ value: unit, label: text(`admin.span.${unit}`) }))}
            onChange={(unit) => set(`${key}.unit`, unit)}
          />
        </span>
      )}
    </Field>
  );
}

function ChoiceField(props: {
  field: Extract<CheckField, { input: "choice" }>;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}): JSX.Element {
  const { field, value, error, onChange } = props;
  const choices = field.choices.map((one) => ({
    value: one,
    label: findText(`${field.label}.${one}`) ?? one,
  }));
  const label = text(field.label);
  const hint = findHint(field.label);
  const isFew = choices.length <= MOST_SEGMENTS && hint === undefined;
  if (isFew)
    return (
      <div class="field">
        <span class="field-label">{label}</span>
        <Segments label={label} value={value} choices={choices} onChange={onChange} />
      </div>
    );
  return (
    <SelectField
      label={label}
      hint={hint}
      value={value}
      choices={choices}
      error={error}
      onChange={onChange}
    />
  );
}

/** The field; nothing where it is not asked for. */
export function CheckFieldInput(props: Props): JSX.Element | null {
  const { form, errors, onChange, owner, field } = props;
  if (!isAsked(form, owner, field)) return null;
  const key = keyOf(owner, field);
  const value = form.values[key] ?? "";
  const error = findError(errors, pointerOf(owner, field));
  const set = (at: string, next: string): void => onChange({ values: { ...form.values, [at]: next } });
  const shared = { label: text(field.label), hint: findHint(field.label), error };
  switch (field.input) {
    case "span":
      return <SpanField {...props} value={value} set={set} />;
    case "choice":
      return <ChoiceField field={field} value={value} error={error} onChange={(next) => set(key, next)} />;
    case "tick":
      return (
        <Checkbox
          label={shared.label}
          checked={value === "yes"}
          onChange={(checked) => set(key, checked ? "yes" : "")}
        />
      );
    case "words":
      return (
        <WordsField
          {...shared}
          words={value.split("\n").filter((word) => word !== "")}
          onChange={(words) => set(key, words.join("\n"))}
        />
      );
    case "zone":
      return (
        <SuggestField
          {...shared}
          value={value}
          suggestions={listZones()}
          maxLength={64}
          onInput={(next) => set(key, next)}
        />
      );
    case "headers":
      return (
        <HeaderFields headers={form.headers} error={error} onChange={(headers) => onChange({ headers })} />
      );
    case "whole":
      return <TextField {...shared} inputMode="numeric" value={value} onInput={(next) => set(key, next)} />;
    case "text":
      return (
        <TextField
          {...shared}
          long={field.long}
          required={field.missing !== undefined}
          placeholder={field.placeholder}
          maxLength={field.max}
          autoComplete="off"
          value={value}
          onInput={(next) => set(key, next)}
        />
      );
  }
}
