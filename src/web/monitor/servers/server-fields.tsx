/** The fields of a server's form that speak of the machine itself and of what the public sees. */
import { describeSchema } from "../../../kit/fields/describe.ts";
import { serverFieldsSchema } from "../../../monitor/base/schema.ts";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { currentLanguage, text, withHint } from "../../app/texts.ts";
import { Checkbox, Segments, SelectField, TextField } from "../../ui/controls.tsx";
import { type FormPart, bindText, bindTick } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { SuggestField, WordsField } from "../../ui/console/field-kinds.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { listRegions } from "./regions.ts";
import { type MuteChoice, type ServerForm, muteChoices } from "./server-form.ts";

const bounds = describeSchema(serverFieldsSchema);

type Props = FormPart<ServerForm>;

/** Name, group, tags: how the machine is found. */
export function IdentityFields(
  props: Props & { groups: readonly string[]; tags: readonly string[]; providers: readonly string[] },
): JSX.Element {
  const { form, errors, onChange, groups, tags, providers } = props;
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
          required
          maxLength={bounds.name.max}
          {...bindText(props, "name")}
        />
        <SuggestField
          label={text("admin.field.group")}
          suggestions={groups}
          maxLength={bounds.group.max}
          {...bindText(props, "group")}
        />
      </div>
      <WordsField
        {...withHint("admin.field.tags")}
        error={findError(errors, "/tags")}
        words={form.tags}
        suggestions={tags}
        onChange={(words) => onChange({ tags: words })}
      />
      <div class="field-row">
        <SelectField
          label={text("admin.field.region")}
          value={form.region}
          choices={regions}
          error={findError(errors, "/region")}
          onChange={(region) => onChange({ region })}
        />
        <SuggestField
          label={text("admin.field.provider")}
          suggestions={providers}
          maxLength={bounds.provider.max}
          {...bindText(props, "provider")}
        />
      </div>
    </FieldGroup>
  );
}

/** Whether anyone is notified when something is wrong with the machine. */
export function MuteFields(props: Props): JSX.Element {
  const { form, onChange } = props;
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
          {...bindText(props, "muteUntil", "/mute/until")}
        />
      )}
    </FieldGroup>
  );
}

/** Who sees the machine, and notes. */
export function VisibilityFields(props: Props): JSX.Element {
  return (
    <FieldGroup title={text("admin.server.visibility")}>
      <Checkbox label={text("admin.field.hidden.label")} {...bindTick(props, "hidden")} />
      <Checkbox label={text("admin.field.disabled.label")} {...bindTick(props, "disabled")} />
      <TextField
        {...withHint("admin.field.publicNote")}
        long
        maxLength={bounds.publicNote.max}
        {...bindText(props, "publicNote")}
      />
      <TextField
        {...withHint("admin.field.note")}
        long
        maxLength={bounds.note.max}
        {...bindText(props, "note")}
      />
    </FieldGroup>
  );
}
