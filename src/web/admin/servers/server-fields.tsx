/** The fields of a server's form that speak of the machine itself and of what the public sees. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { currentLanguage, text } from "../../app/texts.ts";
import { Checkbox, Segments, SelectField, TextField } from "../../ui/controls.tsx";
import { type FieldErrors, findError } from "../forms/field-errors.ts";
import { SuggestField, WordsField } from "../field-kinds.tsx";
import { FieldGroup } from "../pieces.tsx";
import { listRegions } from "./regions.ts";
import { type MuteChoice, type ServerForm, muteChoices } from "./server-form.ts";

export interface FormPartProps {
  readonly form: ServerForm;
  readonly errors: FieldErrors;
  readonly onChange: (change: Partial<ServerForm>) => void;
}

/** Name, group, tags: how the machine is found. */
export function IdentityFields(
  props: FormPartProps & { groups: readonly string[]; tags: readonly string[] },
): JSX.Element {
  const { form, errors, onChange, groups, tags } = props;
  const language = currentLanguage();
  const regions = useMemo(
    () => [
      { value: "", label: text("admin.field.region.none") },
      ...listRegions(language).map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
    ],
    [language],
  );
  return (
    <FieldGroup title={text("admin.server.identity")}>
      <div class="field-row">
        <TextField
          label={text("admin.field.name")}
          value={form.name}
          error={findError(errors, "/name")}
          required
          maxLength={100}
          onInput={(name) => onChange({ name })}
        />
        <SuggestField
          label={text("admin.field.group")}
          value={form.group}
          suggestions={groups}
          error={findError(errors, "/group")}
          maxLength={64}
          onInput={(group) => onChange({ group })}
        />
      </div>
      <WordsField
        label={text("admin.field.tags")}
        hint={text("admin.field.tags.hint")}
        error={findError(errors, "/tags")}
        words={form.tags}
        suggestions={tags}
        onChange={(words) => onChange({ tags: words })}
      />
      <SelectField
        label={text("admin.field.region")}
        value={form.region}
        choices={regions}
        error={findError(errors, "/region")}
        onChange={(region) => onChange({ region })}
      />
    </FieldGroup>
  );
}

/** Whether anyone is told when something is wrong with the machine. */
export function MuteFields({ form, errors, onChange }: FormPartProps): JSX.Element {
  return (
    <FieldGroup title={text("admin.field.mute")} hint={text("admin.field.mute.hint")}>
      <Segments<MuteChoice>
        label={text("admin.field.mute")}
        value={form.mute}
        choices={muteChoices.map((value) => ({ value, label: text(`admin.mute.${value}`) }))}
        onChange={(mute) => onChange({ mute })}
      />
      {form.mute === "until" && (
        <TextField
          label={text("admin.field.muteUntil")}
          type="datetime-local"
          value={form.muteUntil}
          error={findError(errors, "/mute/until")}
          onInput={(muteUntil) => onChange({ muteUntil })}
        />
      )}
    </FieldGroup>
  );
}

/** Who sees the machine, and notes. */
export function VisibilityFields({ form, errors, onChange }: FormPartProps): JSX.Element {
  return (
    <FieldGroup title={text("admin.server.visibility")}>
      <Checkbox
        label={text("admin.field.hidden.label")}
        checked={form.hidden}
        onChange={(hidden) => onChange({ hidden })}
      />
      <Checkbox
        label={text("admin.field.disabled.label")}
        checked={form.disabled}
        onChange={(disabled) => onChange({ disabled })}
      />
      <TextField
        label={text("admin.field.publicNote")}
        hint={text("admin.field.publicNote.hint")}
        long
        value={form.publicNote}
        maxLength={1_000}
        error={findError(errors, "/publicNote")}
        onInput={(publicNote) => onChange({ publicNote })}
      />
      <TextField
        label={text("admin.field.note")}
        hint={text("admin.field.note.hint")}
        long
        value={form.note}
        maxLength={4_000}
        error={findError(errors, "/note")}
        onInput={(note) => onChange({ note })}
      />
    </FieldGroup>
  );
}
