/** Settings as fields of a form. */
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { findHint, findText, text } from "../../app/texts.ts";
import { type Choice, Checkbox, SelectField, TextField } from "../controls.tsx";
import type { FieldWords } from "../console/conflict-dialog.tsx";
import { SecretTextField, WordsField } from "../console/field-kinds.tsx";
import type { FormPart } from "../forms/bind.ts";
import { findError } from "../forms/field-errors.ts";
import { type FieldSpec, type Form, listValues } from "./setting-specs.ts";

/** The values among which a field chooses, with their words. */
function listChoices(spec: FieldSpec): Choice<string>[] {
  const { label, kind } = spec;
  const words = typeof kind === "object" && "words" in kind ? kind.words : label;
  return listValues(spec).map((value) => ({ value, label: findText(`${words}.${value}`) ?? value }));
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
