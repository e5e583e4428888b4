/** Kinds of fields that the monitor's settings have. */
import { listZoneNames } from "../../../kit/text/zone-names.ts";
import { text } from "../../app/texts.ts";
import { Checkbox, TextField } from "../../ui/controls.tsx";
import { parseBounded, toBounds } from "../../ui/forms/parsed.ts";
import { type KindOf, toText } from "../../ui/resource/kind.ts";
import { numberKind, sayPlain, switchKind, textKind } from "../../ui/resource/kinds.tsx";
import { suggestKind } from "../../ui/resource/reference-kinds.tsx";
import type { SettingsView } from "../../../monitor/site/schema.ts";

/** The settings form's context: stored values, and those of the environment. */
export type SettingsContext = SettingsView;

/** A number that says its bounds. */
export const boundedKind: KindOf<SettingsContext> = (json) => {
  const kind = numberKind<SettingsContext>()(json);
  return {
    ...kind,
    Field: (props) => <kind.Field {...props} hint={text("admin.between", toBounds(json))} />,
  };
};

/** Milliseconds, typed as seconds such as "0.5". */
export const secondsKind: KindOf<SettingsContext> = (json) => {
  const kind = numberKind<SettingsContext>({ digits: 1 })(json);
  return {
    ...kind,
    toTyped: (value) => String(Number(value) / 1_000),
    read: (typed) => {
      const words = toText(typed).trim();
      const seconds = /^\d{1,2}(?:[.,]\d{1,3})?$/u.test(words) ? Number(words.replace(",", ".")) : 0;
      const value = parseBounded(String(Math.round(seconds * 1_000)), json);
      return value === undefined ? { fault: "admin.fault.pace" } : { value };
    },
    say: (value) => sayPlain(Number(value) / 1_000),
  };
};

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The owner's time zone; that of the quiet hours until another one is chosen. */
export const zoneKind: KindOf<SettingsContext> = (json) => {
  const kind = suggestKind<SettingsContext>(listZoneNames)(json);
  return {
    ...kind,
    toTyped: (value, { context }) => (value === "" ? context.quietHours.timeZone : toText(String(value))),
    read: (typed, { context, before }) => {
      const words = toText(typed).trim();
      const zone = words === "" ? "UTC" : words;
      if (!isTimeZone(zone)) return { fault: "admin.fault.timeZone" };
      return { value: before === "" && zone === context.quietHours.timeZone ? "" : zone };
    },
  };
};

/** A time of day. */
export const timeOfDayKind: KindOf<SettingsContext> = (json) => ({
  ...textKind<SettingsContext>(json),
  read: (typed) =>
    /^(?:[01]\d|2[0-3]):[0-5]\d$/u.test(toText(typed)) ? { value: typed } : { fault: "admin.fault.time" },
  Field: ({ label, error, value, onChange }) => (
    <TextField label={label} type="time" error={error} value={toText(value)} onInput={onChange} />
  ),
});

/** The URL of the site; shows PUBLIC_URL if none is set. */
export const publicUrlKind: KindOf<SettingsContext> = (json) => {
  const kind = textKind<SettingsContext>({ ...json, keyboard: "url" });
  return {
    ...kind,
    Field: (props) => (
      <kind.Field
        {...props}
        placeholder={props.context.environment.publicUrl ?? "https://status.example.org"}
      />
    ),
  };
};

/** A switch that the environment can turn on for good. */
export const allowedKind =
  (name: "privateReceivers" | "privateTargets"): KindOf<SettingsContext> =>
  (json) => {
    const kind = switchKind<SettingsContext>(json);
    return {
      ...kind,
      Field: (props) =>
        props.context.environment[name] ? (
          <Checkbox
            label={text(`admin.field.${name}.environment`)}
            checked
            disabled
            onChange={() => undefined}
          />
        ) : (
          <kind.Field {...props} />
        ),
    };
  };
