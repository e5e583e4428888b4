/** Settings as fields of a form: which kind each is, how it is typed, and what is sent of it. */
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { type TextName, findHint, findText, text } from "../../app/texts.ts";
import { type Choice, Checkbox, SelectField, TextField } from "../controls.tsx";
import { SecretTextField, WordsField } from "../console/field-kinds.tsx";
import type { FieldWords } from "../console/conflict-dialog.tsx";
import type { FormPart } from "../forms/bind.ts";
import { findError } from "../forms/field-errors.ts";
import { type Edited, type ParsedForm, parseWhole } from "../forms/parsed.ts";

/** A setting as it is stored and sent; null for a number that may be absent. */
export type Value = string | number | boolean | readonly string[] | null;
export type Fields = Readonly<Record<string, Value>>;
/** The same as it is typed: numbers are texts. */
export type Form = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface FieldSpec {
  /** Its name; "contact/email" is that of a member of a member. */
  readonly key: string;
  readonly label: TextName;
  /** Where it is not "<label>.hint"; empty for none. */
  readonly hint?: TextName | "";
  readonly kind:
    | "line"
    | "long"
    | "tick"
    | "words"
    | "secret"
    | { readonly min: number; readonly max: number; readonly optional?: true }
    | ({ readonly choices: readonly string[] } & ValueWords)
    /** One of a list whose labels are words already. */
    | { readonly listed: () => readonly Choice<string>[] }
    /** Any of them, each with a tick. */
    | ({ readonly anyOf: readonly string[] } & ValueWords);
}

interface ValueWords {
  /** What the texts of the values begin with, where it is not the label: "<words>.<value>". */
  readonly words?: string;
}

/** The values among which a field chooses; none for one of another kind. */
export function listValues({ kind }: FieldSpec): readonly string[] {
  if (typeof kind !== "object") return [];
  return "choices" in kind ? kind.choices : "anyOf" in kind ? kind.anyOf : [];
}

/** The same with their words. */
export function listChoices(spec: FieldSpec): Choice<string>[] {
  const { label, kind } = spec;
  const words = typeof kind === "object" && "words" in kind ? kind.words : label;
  return listValues(spec).map((value) => ({ value, label: findText(`${words}.${value}`) ?? value }));
}

/** The fields of a record, those of its members too. */
export function pickFields(specs: readonly FieldSpec[], stored: object): Fields {
  const find = (key: string): unknown =>
    key
      .split("/")
      .reduce<unknown>(
        (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
        stored,
      );
  // The API's answer has for each key what its kind says.
  const toValue = ({ key, kind }: FieldSpec): Value => {
    const isOptional = typeof kind === "object" && "optional" in kind;
    return (find(key) as Value | undefined) ?? (isOptional ? null : "");
  };
  return Object.fromEntries(specs.map((spec) => [spec.key, toValue(spec)]));
}

/** The fields as a request has them: { "contact/email": x } is { contact: { email: x } }. */
export function nestFields(fields: Fields): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    const [name = "", ...rest] = key.split("/");
    const inner: unknown = nested[name];
    nested[name] =
      rest.length === 0
        ? value
        : {
            ...(typeof inner === "object" ? inner : {}),
            ...nestFields({ [rest.join("/")]: value }),
          };
  }
  return nested;
}

/** What is stored, as it is typed. */
export function toForm(specs: readonly FieldSpec[], fields: Fields): Form {
  const typed = specs.map(({ key }): [string, string | boolean | readonly string[]] => {
    const value = fields[key] ?? "";
    return [key, value === null ? "" : typeof value === "number" ? String(value) : value];
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
      const isAbsent = kind.optional === true && String(typed).trim() === "";
      const whole = isAbsent ? null : parseWhole(String(typed), kind);
      if (whole === undefined) faults.set(`/${key}`, "admin.fault.number");
      else fields[key] = whole;
    } else fields[key] = typeof typed === "string" && kind !== "long" ? typed.trim() : typed;
  }
  return faults.size > 0 ? { ok: false, faults } : { ok: true, fields };
}

/** How the fields of a record are edited, but for how they are sent. */
export function editFields(
  specs: readonly FieldSpec[],
): Omit<Edited<object, Form, Fields>, "send" | "reload"> {
  return {
    pick: (stored) => pickFields(specs, stored),
    toForm: (fields) => toForm(specs, fields),
    parse: (form) => parseForm(specs, form),
  };
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
      if (typeof value === "boolean") return text(value ? "admin.yes" : "admin.no");
      if (value === null) return text("admin.value.none");
      const words = Array.isArray(value)
        ? value.join(", ")
        : typeof value === "string"
          ? value
          : JSON.stringify(value);
      return words === "" ? text("admin.value.none") : words;
    },
  };
}

function AnyOfField(props: {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  choices: readonly Choice<string>[];
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}): JSX.Element {
  const { label, hint, error, choices, value, onChange } = props;
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <fieldset class="plain-fieldset" aria-describedby={described === "" ? undefined : described}>
      <legend class="field-label">{label}</legend>
      <div class="check-grid">
        {choices.map((choice) => (
          <Checkbox
            key={choice.value}
            label={choice.label}
            checked={value.includes(choice.value)}
            onChange={(isOn) =>
              onChange(isOn ? [...value, choice.value] : value.filter((one) => one !== choice.value))
            }
          />
        ))}
      </div>
      {hint && (
        <span class="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span class="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </fieldset>
  );
}

function SettingField({ spec, part }: { spec: FieldSpec; part: FormPart<Form> }): JSX.Element {
  const { key, label, hint, kind } = spec;
  const value = part.form[key] ?? "";
  const change = (next: Form[string]): void => part.onChange({ [key]: next });
  const error = findError(part.errors, `/${key}`);
  const shared = {
    label: text(label),
    hint: hint === undefined ? findHint(label) : hint && text(hint),
    error,
  };
  if (kind === "tick")
    return (
      <div class="field">
        <Checkbox label={shared.label} checked={value === true} onChange={change} />
        {shared.hint && <span class="field-hint">{shared.hint}</span>}
        {error && <span class="field-error">{error}</span>}
      </div>
    );
  if (typeof kind === "object" && "anyOf" in kind)
    return (
      <AnyOfField
        {...shared}
        choices={listChoices(spec)}
        value={Array.isArray(value) ? value : []}
        onChange={change}
      />
    );
  if (kind === "words")
    return <WordsField {...shared} words={Array.isArray(value) ? value : []} onChange={change} />;
  const typed = String(value);
  if (kind === "secret") return <SecretTextField {...shared} value={typed} onInput={change} />;
  if (typeof kind === "object" && "choices" in kind)
    return <SelectField<string> {...shared} value={typed} choices={listChoices(spec)} onChange={change} />;
  if (typeof kind === "object" && "listed" in kind) {
    const listed = kind.listed();
    const isKnown = listed.some((choice) => choice.value === typed);
    const choices = isKnown ? listed : [{ value: typed, label: typed }, ...listed];
    return <SelectField<string> {...shared} value={typed} choices={choices} onChange={change} />;
  }
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
