/** What a kind of payment service asks for. */
import type { JSX } from "preact";
import { labelText, text } from "../../app/texts.ts";
import { Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { SecretTextField } from "../../ui/console/field-kinds.tsx";
import type { FormPart } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import type { KindField, KindView } from "./provider-data.ts";
import type { ProviderForm } from "./provider-form.ts";

type Part = FormPart<ProviderForm>;

interface FieldParts extends Part {
  readonly field: KindField;
}

/** Keys in PEM have several lines, which a field of one line would join. */
const SEVERAL_LINES = /key|certificate/iu;
const ONE_LINE = /secretkey|apiv3key|^key$/iu;

function hasLines({ name }: KindField): boolean {
  return SEVERAL_LINES.test(name) && !ONE_LINE.test(name);
}

function OptionField({ field, form, errors, onChange }: FieldParts): JSX.Element {
  const { name, label, hint, schema, needed } = field;
  const value = form.options[name] ?? "";
  const change = (typed: string | boolean): void => onChange({ options: { ...form.options, [name]: typed } });
  const words = labelText(label);
  const shared = {
    label: needed ? words : text("shop.providers.optional", { label: words }),
    hint: hint && labelText(hint),
    error: findError(errors, `/options/${name}`),
  };
  if (schema?.type === "boolean")
    return (
      <div class="field">
        <Checkbox label={words} checked={value === true} onChange={change} />
        {shared.hint && <span class="field-hint">{shared.hint}</span>}
      </div>
    );
  if (schema?.enum !== undefined)
    return (
      <SelectField<string>
        {...shared}
        label={words}
        value={String(value)}
        choices={schema.enum.map((choice) => ({ value: choice, label: choice }))}
        onChange={change}
      />
    );
  return <TextField {...shared} value={String(value)} autoComplete="off" onInput={change} />;
}

function CredentialField(props: FieldParts & { isSet: boolean }): JSX.Element {
  const { field, isSet, form, errors, onChange } = props;
  const { name, label, hint, needed } = field;
  const words = labelText(label);
  const shared = {
    label: needed ? words : text("shop.providers.optional", { label: words }),
    hint: [isSet ? text("shop.providers.secret.kept") : "", hint === undefined ? "" : labelText(hint)]
      .filter((part) => part !== "")
      .join(" "),
    error: findError(errors, `/credentials/${name}`),
    value: form.credentials[name] ?? "",
    placeholder: isSet ? "••••••••" : undefined,
    onInput: (typed: string) => onChange({ credentials: { ...form.credentials, [name]: typed } }),
  };
  if (hasLines(field)) return <TextField {...shared} long autoComplete="off" />;
  return <SecretTextField {...shared} />;
}

/** The fields in the order in which the kind asks; a secret that is set stays unless another one is typed. */
export function KindFields(props: Part & { kind: KindView; credentialsSet: readonly string[] }): JSX.Element {
  const { kind, credentialsSet, ...part } = props;
  return (
    <>
      {kind.fields.map((field) =>
        field.isHidden ? (
          <CredentialField
            key={field.name}
            field={field}
            isSet={credentialsSet.includes(field.name)}
            {...part}
          />
        ) : (
          <OptionField key={field.name} field={field} {...part} />
        ),
      )}
    </>
  );
}
