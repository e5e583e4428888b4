/** Settings as fields of a form: which kind each is, how it is typed, and what is sent of it. */
import type { JSX } from "preact";
import { type TextName, text } from "../../app/texts.ts";
import { Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { SecretTextField, WordsField } from "../../ui/console/field-kinds.tsx";
import type { FieldWords } from "../../ui/console/conflict-dialog.tsx";
import type { FormPart } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { type ParsedForm, parseWhole } from "../../ui/forms/parsed.ts";

/** A setting as it is stored and sent. */
export type Value = string | number | boolean | readonly string[];
export type Fields = Readonly<Record<string, Value>>;
/** The same as it is typed: numbers are texts. */
export type Form = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface FieldSpec {
  readonly key: string;
  readonly label: TextName;
  readonly hint?: TextName;
  readonly kind:
    | "line"
    | "long"
    | "tick"
    | "words"
    | "secret"
    | { readonly min: number; readonly max: number }
    | { readonly choices: readonly { readonly value: string; readonly label: TextName }[] };
}

/** What is stored, as it is typed. */
export function toForm(specs: readonly FieldSpec[], fields: Fields): Form {
  const typed = specs.map(({ key }): [string, string | boolean | readonly string[]] => {
    const value = fields[key] ?? "";
    return [key, typeof value === "number" ? String(value) : value];
  });
  return Object.fromEntries(typed);
}

/** What was typed, as it is sent. */
export function parseForm(specs: readonly FieldSpec[], form: Form): ParsedForm<Fields> {
  const faults = new Map<string, TextName>();
  const fields: Record<string, Value> = {};
  for (const { key, kind } of specs) {
    const typed = form[key] ?? "";
    if (typeof kind === "object" && "min" in kind) {
      const whole = parseWhole(String(typed), kind);
      if (whole === undefined) faults.set(`/${key}`, "auth.settings.fault.number");
      else fields[key] = whole;
    } else fields[key] = typeof typed === "string" && kind !== "long" ? typed.trim() : typed;
  }
  return faults.size > 0 ? { ok: false, faults } : { ok: true, fields };
}

/** The fields and their values in words, for somebody else's change that meets one's own. */
export function toFieldWords(specs: readonly FieldSpec[]): FieldWords {
  const labels = new Map(specs.map(({ key, label }) => [key, label]));
  return {
    toName: (field) => {
      const label = labels.get(field);
      return label === undefined ? field : text(label);
    },
    toValue: (_field, value) => {
      if (typeof value === "boolean") return text(value ? "admin.value.yes" : "admin.value.no");
      const words = Array.isArray(value)
        ? value.join(", ")
        : typeof value === "string"
          ? value
          : JSON.stringify(value);
      return words === "" ? text("admin.value.none") : words;
    },
  };
}

function SettingField({ spec, part }: { spec: FieldSpec; part: FormPart<Form> }): JSX.Element {
  const { key, kind } = spec;
  const value = part.form[key] ?? "";
  const change = (next: Form[string]): void => part.onChange({ [key]: next });
  const error = findError(part.errors, `/${key}`);
  const shared = { label: text(spec.label), hint: spec.hint && text(spec.hint), error };
  if (kind === "tick")
    return (
      <div class="field">
        <Checkbox label={shared.label} checked={value === true} onChange={change} />
        {shared.hint && <span class="field-hint">{shared.hint}</span>}
        {error && <span class="field-error">{error}</span>}
      </div>
    );
  if (kind === "words")
    return <WordsField {...shared} words={Array.isArray(value) ? value : []} onChange={change} />;
  const typed = String(value);
  if (kind === "secret") return <SecretTextField {...shared} value={typed} onInput={change} />;
  if (typeof kind === "object" && "choices" in kind)
    return (
      <SelectField<string>
        {...shared}
        value={typed}
        choices={kind.choices.map((choice) => ({ value: choice.value, label: text(choice.label) }))}
        onChange={change}
      />
    );
  const isNumber = typeof kind === "object";
  return (
    <TextField
      {...shared}
      value={typed}
      long={kind === "long"}
      inputMode={isNumber ? "numeric" : undefined}
      onInput={change}
    />
  );
}

/** The fields in their order. */
export function SettingFields({
  specs,
  part,
}: {
  specs: readonly FieldSpec[];
  part: FormPart<Form>;
}): JSX.Element {
  return (
    <>
      {specs.map((spec) => (
        <SettingField key={spec.key} spec={spec} part={part} />
      ))}
    </>
  );
}
