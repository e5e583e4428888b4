/** The fields of a channel's form, made from the table of its type. */
import type { JSX } from "preact";
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";
import { Button, Checkbox, IconButton, SelectField, TextField } from "../../ui/controls.tsx";
import { type FieldErrors, findError } from "../forms/field-errors.ts";
import { WordsField } from "../field-kinds.tsx";
import { type ChannelForm, type FieldSpec, type HeaderLine, channelFields } from "./channel-form.ts";

interface PartProps {
  readonly form: ChannelForm;
  readonly before: ChannelView | undefined;
  readonly errors: FieldErrors;
  readonly onChange: (change: Partial<ChannelForm>) => void;
}

function SecretField(props: PartProps & { spec: FieldSpec; error: string | undefined }): JSX.Element {
  const { spec, form, before, error, onChange } = props;
  const stored = before?.secrets[spec.key];
  const isRemoved = form.removed.includes(spec.key);
  return (
    <>
      <TextField
        label={text(spec.label)}
        hint={
          stored === undefined
            ? spec.hint && text(spec.hint)
            : text("admin.channel.secret.kept", { hint: stored })
        }
        type="password"
        autoComplete="off"
        placeholder={stored}
        value={form.values[spec.key] ?? ""}
        error={error}
        onInput={(value) => onChange({ values: { ...form.values, [spec.key]: value } })}
      />
      {stored !== undefined && spec.optional === true && (
        <Checkbox
          label={text("admin.channel.secret.remove")}
          checked={isRemoved}
          onChange={(remove) =>
            onChange({
              removed: remove ? [...form.removed, spec.key] : form.removed.filter((key) => key !== spec.key),
            })
          }
        />
      )}
    </>
  );
}

function SpecField(props: PartProps & { spec: FieldSpec }): JSX.Element {
  const { spec, form, errors, onChange } = props;
  const error = findError(errors, `/${spec.key.replace(".", "/")}`);
  const value = form.values[spec.key] ?? "";
  const set = (next: string): void => onChange({ values: { ...form.values, [spec.key]: next } });
  if (spec.kind === "secret") return <SecretField {...props} error={error} />;
  if (spec.choices)
    return (
      <SelectField
        label={text(spec.label)}
        value={value}
        choices={spec.choices.map((choice) => ({ value: choice, label: choice }))}
        error={error}
        onChange={set}
      />
    );
  return (
    <TextField
      label={text(spec.label)}
      hint={spec.hint && text(spec.hint)}
      long={spec.kind === "long"}
      value={value}
      error={error}
      onInput={set}
    />
  );
}

function HeaderFields({ form, errors, onChange }: PartProps): JSX.Element {
  const { headers } = form;
  function change(at: number, part: Partial<HeaderLine>): void {
    onChange({ headers: headers.map((line, index) => (index === at ? { ...line, ...part } : line)) });
  }
  return (
    <fieldset class="plain-fieldset stack-small">
      <legend class="field-label">{text("admin.channel.headers")}</legend>
      {headers.map((line, index) => (
        <div class="header-line" key={index}>
          <input
            type="text"
            aria-label={text("admin.channel.header.name", { number: index + 1 })}
            placeholder="Authorization"
            value={line.name}
            readOnly={line.stored !== undefined}
            onInput={(event) => change(index, { name: event.currentTarget.value })}
          />
          <input
            type="password"
            autoComplete="off"
            aria-label={text("admin.channel.header.value", { number: index + 1 })}
            placeholder={line.stored ?? ""}
            value={line.value}
            onInput={(event) => change(index, { value: event.currentTarget.value })}
          />
          <IconButton
            icon="trash"
            label={text("admin.channel.header.remove", { number: index + 1 })}
            onClick={() => onChange({ headers: headers.filter((_, other) => other !== index) })}
          />
        </div>
      ))}
      {findError(errors, "/headers") && <p class="field-error">{findError(errors, "/headers")}</p>}
      <div class="button-row">
        <Button
          small
          icon="plus"
          onClick={() => onChange({ headers: [...headers, { name: "", value: "" }] })}
        >
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
      {form.type === "email" && (
        <WordsField
          label={text("admin.channel.to")}
          hint={text("admin.channel.to.hint")}
          words={form.to}
          error={findError(errors, "/to")}
          onChange={(to) => onChange({ to })}
        />
      )}
      {channelFields[form.type].map((spec) => (
        <SpecField {...props} spec={spec} key={spec.key} />
      ))}
      {form.type === "http" && <HeaderFields {...props} />}
    </>
  );
}

/** The pointers of all fields that the form shows. */
export function toPointers(form: ChannelForm): readonly string[] {
  return [
    "/name",
    "/to",
    "/headers",
    ...channelFields[form.type].map(({ key }) => `/${key.replace(".", "/")}`),
  ];
}
