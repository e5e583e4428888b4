/** The fields of the settings. */
import type { SettingsView } from "../../../monitor/site/schema.ts";
import { describeSchema } from "../../../kit/fields/describe.ts";
import { type Language, languageNames, languages } from "../../../kit/text/languages.ts";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type Retention, settingsFieldsSchema } from "../../../monitor/base/schema.ts";
import { toBytes } from "../../app/format.ts";
import { text, withHint } from "../../app/texts.ts";
import { themes } from "../../app/theme.ts";
import { Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { type FormPart, bindText, bindTick } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { SuggestField } from "../../ui/console/field-kinds.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { AccentFields } from "../../ui/forms/accent-fields.tsx";
import { LogoField } from "../../ui/forms/logo-field.tsx";
import {
  type NumberField,
  type SettingsForm,
  estimateBytes,
  numberFields,
  readRetention,
} from "./settings-form.ts";

const bounds = describeSchema(settingsFieldsSchema);

type Props = FormPart<SettingsForm>;

/** Title, theme, pace. */
export function SiteFields(props: Props): JSX.Element {
  const { form, onChange } = props;
  return (
    <FieldGroup title={text("admin.settings.site")}>
      <TextField
        label={text("admin.field.siteTitle")}
        required
        maxLength={bounds.siteTitle.max}
        {...bindText(props, "siteTitle")}
      />
      <div class="field-row">
        <SelectField
          {...withHint("admin.field.theme")}
          value={form.theme}
          choices={themes.map((value) => ({ value, label: text(`theme.${value}`) }))}
          onChange={(theme) => onChange({ theme })}
        />
        <TextField
          {...withHint("admin.field.pace")}
          inputMode="decimal"
          {...bindText(props, "pace", "/snapshotIntervalMs")}
        />
      </div>
      <LogoField {...props} />
      <AccentFields {...props} />
    </FieldGroup>
  );
}

const retentionFields = [
  { pointer: "/rawRetentionMinutes", label: "admin.retention.raw" },
  { pointer: "/retention/minuteHours", label: "admin.retention.minute" },
  { pointer: "/retention/tenMinuteDays", label: "admin.retention.tenMinute" },
  { pointer: "/retention/hourDays", label: "admin.retention.hour" },
  { pointer: "/retention/dayDays", label: "admin.retention.day" },
] as const;

function DiskUse(props: {
  form: SettingsForm;
  history: SettingsView["history"];
  saved: Retention;
}): JSX.Element {
  const { form, history, saved } = props;
  const wanted = estimateBytes(history.estimatedBytes, { present: saved, wanted: readRetention(form) });
  return (
    <p class="admin-note" role="status">
      <span>
        {text("admin.retention.use", {
          present: toBytes(history.bytesOnDisk),
          full: toBytes(wanted),
          count: history.servers,
        })}
      </span>
    </p>
  );
}

/** How long history is kept, and what disk that takes. */
export function RetentionFields({
  form,
  errors,
  onChange,
  history,
  saved,
}: Props & { history: SettingsView["history"]; saved: Retention }): JSX.Element {
  function change(pointer: NumberField, value: string): void {
    onChange({ numbers: { ...form.numbers, [pointer]: value } });
  }
  return (
    <FieldGroup title={text("admin.field.retention")} hint={text("admin.field.retention.hint")}>
      <div class="field-row">
        {retentionFields.map(({ pointer, label }) => (
          <TextField
            key={pointer}
            label={text(label)}
            hint={text("admin.between", numberFields[pointer])}
            inputMode="numeric"
            value={form.numbers[pointer]}
            error={findError(errors, pointer)}
            onInput={(value) => change(pointer, value)}
          />
        ))}
      </div>
      <DiskUse form={form} history={history} saved={saved} />
    </FieldGroup>
  );
}

const languageChoices = languages.map((value) => ({
  value,
  label: languageNames[value],
  lang: value,
}));

/** How notifications are written, and where they may go. */
export function NoticeFields(props: Props & { environment: SettingsView["environment"] }): JSX.Element {
  const { form, onChange, environment } = props;
  const zones = useMemo(() => ["UTC", ...Intl.supportedValuesOf("timeZone")], []);
  const isOpen = environment.privateReceivers === true;
  const areTargetsOpen = environment.privateTargets === true;
  return (
    <FieldGroup title={text("admin.settings.notices")}>
      <div class="field-row">
        <SelectField<Language>
          label={text("admin.field.language")}
          value={form.language}
          choices={languageChoices}
          onChange={(language) => onChange({ language })}
        />
        <SuggestField
          label={text("admin.field.timeZone")}
          hint={text("admin.settings.timeZone.hint")}
          suggestions={zones}
          maxLength={bounds.timeZone.max}
          {...bindText(props, "timeZone")}
        />
      </div>
      <TextField
        {...withHint("admin.field.publicUrl")}
        type="url"
        placeholder={environment.publicUrl ?? "https://status.example.org"}
        {...bindText(props, "publicUrl")}
      />
      <Checkbox
        label={text(isOpen ? "admin.field.privateReceivers.environment" : "admin.field.privateReceivers")}
        {...bindTick(props, "privateReceivers")}
        {...(isOpen ? { checked: true, disabled: true } : {})}
      />
      <Checkbox
        label={text(areTargetsOpen ? "admin.field.privateTargets.environment" : "admin.field.privateTargets")}
        {...bindTick(props, "privateTargets")}
        {...(areTargetsOpen ? { checked: true, disabled: true } : {})}
      />
    </FieldGroup>
  );
}

/** When nobody is woken. */
export function QuietFields(props: Props): JSX.Element {
  return (
    <FieldGroup title={text("admin.field.quietHours")} hint={text("admin.field.quietHours.hint")}>
      <Checkbox label={text("admin.quiet.on")} {...bindTick(props, "quiet")} />
      <div class="field-row">
        <TextField
          label={text("admin.quiet.from")}
          type="time"
          {...bindText(props, "from", "/quietHours/from")}
        />
        <TextField label={text("admin.quiet.to")} type="time" {...bindText(props, "to", "/quietHours/to")} />
      </div>
      <Checkbox label={text("admin.quiet.critical")} {...bindTick(props, "exceptCritical")} />
    </FieldGroup>
  );
}
