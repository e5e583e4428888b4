/** The form of the monitor's settings, and how much disk a retention takes, estimated from what it takes now. */
import type { JSX } from "preact";
import { accentThemes, findAccentFault } from "../../../kit/brand/accent.ts";
import { MAX_LOGO_BYTES, findLogoFault } from "../../../kit/brand/logo.ts";
import { type Retention, settingsFieldsSchema } from "../../../monitor/base/schema.ts";
import { toBytes, toLanguageName } from "../../app/format.ts";
import { type TextName, text } from "../../app/texts.ts";
import { accentKind, logoKind } from "../../ui/resource/brand-kinds.tsx";
import { type PanelPart, type Sent, makeForm, nestFields } from "../../ui/resource/form.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import {
  type SettingsContext,
  allowedKind,
  boundedKind,
  publicUrlKind,
  secondsKind,
  timeOfDayKind,
  zoneKind,
} from "./settings-kinds.tsx";
import { Note } from "../../ui/console/note.tsx";

const COLOR = /^(?:#[\da-f]{6})?$/iu;

/** The size of a base64 data URL, up to two bytes less. */
function toByteCount(address: string): number {
  return Math.floor(((address.length - address.indexOf(",") - 1) * 3) / 4) - 2;
}

type Fields = Partial<Sent<typeof settingsFieldsSchema>> & Readonly<Record<string, unknown>>;

function findFaults({ logo = "", accent, ...fields }: Fields): ReadonlyMap<string, TextName> {
  const faults = new Map<string, TextName>();
  const from = fields["quietHours/from"];
  if (from !== undefined && from === fields["quietHours/to"])
    faults.set("/quietHours/to", "admin.fault.times");
  if (toByteCount(logo) > MAX_LOGO_BYTES) faults.set("/logo", "admin.fault.logo");
  else if (findLogoFault(logo) !== undefined) faults.set("/logo", "admin.fault.picture");
  for (const theme of accentThemes) {
    const color = accent?.[theme] ?? "";
    if (!COLOR.test(color)) faults.set(`/accent/${theme}`, "admin.fault.colour");
    else if (color !== "" && findAccentFault(color, theme) !== undefined)
      faults.set(`/accent/${theme}`, `admin.fault.contrast.${theme}`);
  }
  return faults;
}

/** Values that a server's metric has on disk with this retention. */
function countBuckets({ minuteHours, tenMinuteDays, hourDays, dayDays }: Retention): number {
  return minuteHours * 60 + tenMinuteDays * 144 + hourDays * 24 + dayDays;
}

/** Bytes that `wanted` will take, when `present` takes `presentBytes`: every value takes about the same. */
export function estimateBytes(
  presentBytes: number,
  change: { present: Retention; wanted: Retention },
): number {
  return Math.round((presentBytes * countBuckets(change.wanted)) / countBuckets(change.present));
}

const tiers = ["minuteHours", "tenMinuteDays", "hourDays", "dayDays"] as const;

function DiskUse({ form, context }: PanelPart<SettingsContext>): JSX.Element {
  const { history, retention } = context;
  // Until it is a number, the stored value counts.
  const typed = tiers.map((tier) => [tier, Number(form[`retention/${tier}`]) || retention[tier]] as const);
  const wanted: Retention = { ...retention, ...Object.fromEntries(typed) };
  const full = estimateBytes(history.estimatedBytes, { present: retention, wanted });
  return (
    <Note isLive>
      {text("admin.retention.use", {
        present: toBytes(history.bytesOnDisk),
        full: toBytes(full),
        count: history.servers,
      })}
    </Note>
  );
}

export const settingsForm = makeForm<typeof settingsFieldsSchema, SettingsContext>({
  schema: settingsFieldsSchema,
  words: "admin.field",
  only: "panels",
  fields: {
    siteTitle: { missing: "admin.fault.title" },
    theme: { kind: choiceKind({ as: "list", words: "theme" }) },
    homeShows: { kind: choiceKind({ as: "list", words: "home.show" }) },
    homeView: { kind: choiceKind({ as: "list", words: "view" }) },
    snapshotIntervalMs: { label: "admin.field.pace", kind: secondsKind },
    logo: { label: "admin.logo.label", kind: logoKind },
    accent: { kind: accentKind },
    rawRetentionMinutes: { label: "admin.retention.raw", kind: boundedKind },
    "retention/minuteHours": { label: "admin.retention.minute", kind: boundedKind },
    "retention/tenMinuteDays": { label: "admin.retention.tenMinute", kind: boundedKind },
    "retention/hourDays": { label: "admin.retention.hour", kind: boundedKind },
    "retention/dayDays": { label: "admin.retention.day", kind: boundedKind },
    partHistory: { label: "admin.retention.parts", hint: "admin.retention.parts.hint" },
    language: { kind: choiceKind({ as: "list", toLabel: toLanguageName }) },
    timeZone: { hint: "admin.settings.timeZone.hint", kind: zoneKind },
    publicUrl: { kind: publicUrlKind },
    privateReceivers: { kind: allowedKind("privateReceivers") },
    privateTargets: { kind: allowedKind("privateTargets") },
    "quietHours/enabled": { label: "admin.quiet.on" },
    "quietHours/from": { label: "admin.quiet.from", kind: timeOfDayKind },
    "quietHours/to": { label: "admin.quiet.to", kind: timeOfDayKind },
    "quietHours/exceptCritical": { label: "admin.quiet.critical" },
  },
  panels: [
    {
      title: "admin.settings.site",
      fields: [
        "siteTitle",
        ["homeShows", "homeView"],
        ["theme", "snapshotIntervalMs"],
        "logo",
        "accent",
        "documentation",
      ],
    },
    {
      title: "admin.field.retention",
      hint: "admin.field.retention.hint",
      fields: [
        [
          "rawRetentionMinutes",
          "retention/minuteHours",
          "retention/tenMinuteDays",
          "retention/hourDays",
          "retention/dayDays",
        ],
        "partHistory",
      ],
      Below: DiskUse,
    },
    {
      title: "admin.settings.notices",
      fields: [["language", "timeZone"], "publicUrl", "privateReceivers", "privateTargets"],
    },
    {
      title: "admin.field.quietHours",
      hint: "admin.field.quietHours.hint",
      fields: ["quietHours/enabled", ["quietHours/from", "quietHours/to"], "quietHours/exceptCritical"],
    },
  ],
  check: findFaults,
});

/** The request: quiet hours are in the time zone that is chosen. */
export function toSettingsBody(fields: Readonly<Record<string, unknown>>): object {
  const { timeZone } = fields;
  return nestFields(timeZone === "" ? fields : { ...fields, "quietHours/timeZone": timeZone });
}
