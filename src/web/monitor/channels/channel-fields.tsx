/** The fields of a channel's form, as its kind says. */
import type { JSX } from "preact";
import type { ChannelField } from "../../../monitor/channels/kinds/kind.ts";
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";
import { Button, Checkbox, IconButton, SelectField, TextField } from "../../ui/controls.tsx";
import { type FieldErrors, findError } from "../../ui/forms/field-errors.ts";
import { SecretInput, SecretTextField, WordsField } from "../../ui/console/field-kinds.tsx";
import { type ChannelForm, type HeaderLine, fieldsOf, pointerOf } from "./channel-form.ts";

interface PartProps {
  readonly form: ChannelForm;
  readonly before: ChannelView | undefined;
  readonly errors: FieldErrors;
  readonly onChange: (change: Partial<ChannelForm>) => void;
}

interface FieldProps<I extends ChannelField["input"] = ChannelField["input"]> extends PartProps {
  readonly field: Extract<ChannelField, { input: I }>;
}

function SecretField({ field, form, before, errors, onChange }: FieldProps<"secret">): JSX.Element {
  const { name, label, hint } = field;
  const { removed } = form;
  const stored = before?.secrets[name];
  return (
    <>
      <SecretTextField
        label={text(label)}
        hint={stored === undefined ? hint && text(hint) : text("admin.channel.secret.kept", { hint: stored })}
        placeholder={stored}
        value={form.values[name] ?? ""}
        error={findError(errors, pointerOf(field))}
        onInput={(value) => onChange({ values: { ...form.values, [name]: value } })}
      />
      {stored !== undefined && field.optional === true && (
        <Checkbox
          label={text("admin.channel.secret.remove")}
          checked={removed.includes(name)}
          onChange={(remove) =>
            onChange({ removed: remove ? [...removed, name] : removed.filter((one) => one !== name) })
          }
        />
      )}
    </>
  );
}

function KindField(props: FieldProps): JSX.Element {
  const { field, form, errors, onChange } = props;
  const { name } = field;
  const shared = {
    label: text(field.label),
    hint: field.hint && text(field.hint),
    error: findError(errors, pointerOf(field)),
  };
  const value = form.values[name] ?? "";
  const set = (next: string): void => onChange({ values: { ...form.values, [name]: next } });
  switch (field.input) {
    case "secret":
      return <SecretField {...props} field={field} />;
    case "headers":
      return <HeaderFields {...props} field={field} />;
    case "words":
      return (
        <WordsField
          {...shared}
          words={form.words[name] ?? []}
          onChange={(words) => onChange({ words: { ...form.words, [name]: words } })}
        />
      );
    case "choice": {
      const choices = field.choices.map(String).map((choice) => ({ value: choice, label: choice }));
      return <SelectField {...shared} value={value} choices={choices} onChange={set} />;
    }
    case "text":
    case "long":
      return <TextField {...shared} long={field.input === "long"} value={value} onInput={set} />;
  }
}

function HeaderFields({ field, form, errors, onChange }: FieldProps<"headers">): JSX.Element {
  const lines = form.headers[field.name] ?? [];
  const error = findError(errors, pointerOf(field));
  const set = (next: readonly HeaderLine[]): void =>
    onChange({ headers: { ...form.headers, [field.name]: next } });
  const change = (at: number, part: Partial<HeaderLine>): void =>
    set(lines.map((line, index) => (index === at ? { ...line, ...part } : line)));
  return (
    <fieldset class="plain-fieldset stack-small">
      <legend class="field-label">{text(field.label)}</legend>
      {lines.map((line, index) => (
        <div class="header-line" key={index}>
          <input
            type="text"
            aria-label={text("admin.channel.header.name", { number: index + 1 })}
            placeholder="Authorization"
            value={line.name}
            readOnly={line.stored !== undefined}
            onInput={(event) => change(index, { name: event.currentTarget.value })}
          />
          <SecretInput
            label={text("admin.channel.header.value", { number: index + 1 })}
            placeholder={line.stored}
            value={line.value}
            onInput={(value) => change(index, { value })}
          />
          <IconButton
            icon="trash"
            label={text("admin.channel.header.remove", { number: index + 1 })}
            onClick={() => set(lines.filter((_, other) => other !== index))}
          />
        </div>
      ))}
      {error && <p class="field-error">{error}</p>}
      <div class="button-row">
        <Button small icon="plus" onClick={() => set([...lines, { name: "", value: "" }])}>
          {text("admin.channel.header.add")}
        </Button>
      </div>
    </fieldset>
  );
}

/** All fields of the form's type. */
export function ChannelFields(props: PartProps): JSX.Element {
  const { form, errors, onChange } = props;
  return (
    <>
      <TextField
        label={text("admin.field.name")}
        hint={text("admin.channel.name.hint")}
        value={form.name}
        required
        maxLength={100}
        error={findError(errors, "/name")}
        onInput={(name) => onChange({ name })}
      />
      {fieldsOf(form.type).map((field) => (
        <KindField {...props} field={field} key={field.name} />
      ))}
    </>
  );
}

/** The pointers of all fields that the form shows. */
export function toPointers({ type }: ChannelForm): readonly string[] {
  return ["/name", ...fieldsOf(type).map(pointerOf)];
}
