/** The settings as a form holds them, and back; and how much disk a retention takes, estimated from what it takes now. */
import { describeSchema } from "../../../kit/fields/describe.ts";
import { accentThemes, findAccentFault } from "../../../kit/brand/accent.ts";
import { MAX_LOGO_BYTES, findLogoFault } from "../../../kit/brand/logo.ts";
import {
  type Retention,
  type SettingsFields,
  retentionSchema,
  settingsFieldsSchema,
} from "../../../monitor/base/schema.ts";
import type { TextName } from "../../app/texts.ts";
import { type ParsedForm, parseBounded, parseWhole, toBounds } from "../../ui/forms/parsed.ts";

const bounds = describeSchema(settingsFieldsSchema);
const retention = describeSchema(retentionSchema);

/** Numbers of the settings, each with its bounds. */
export const numberFields = {
  "/rawRetentionMinutes": toBounds(bounds.rawRetentionMinutes),
  "/retention/minuteHours": toBounds(retention.minuteHours),
  "/retention/tenMinuteDays": toBounds(retention.tenMinuteDays),
  "/retention/hourDays": toBounds(retention.hourDays),
  "/retention/dayDays": toBounds(retention.dayDays),
} as const;
export type NumberField = keyof typeof numberFields;

export interface SettingsForm {
  readonly language: SettingsFields["language"];
  readonly publicUrl: string;
  readonly privateReceivers: boolean;
  readonly privateTargets: boolean;
  /** The owner's, of all that the site says and does. */
  readonly timeZone: string;
  readonly siteTitle: string;
  readonly accent: SettingsFields["accent"];
  /** A data address. */
  readonly logo: string;
  readonly theme: SettingsFields["theme"];
  /** Seconds, with a point. */
  readonly pace: string;
  readonly numbers: Readonly<Record<NumberField, string>>;
  readonly quiet: boolean;
  readonly from: string;
  readonly to: string;
  readonly exceptCritical: boolean;
}

/** The form that shows these settings. */
export function toSettingsForm(fields: SettingsFields): SettingsForm {
  const { siteTitle, accent, theme, snapshotIntervalMs, rawRetentionMinutes, retention, quietHours } = fields;
  const { enabled, from, to, exceptCritical } = quietHours;
  const { language, publicUrl, privateReceivers, privateTargets, logo } = fields;
  return {
    language,
    publicUrl,
    privateReceivers,
    privateTargets,
    timeZone: fields.timeZone === "" ? quietHours.timeZone : fields.timeZone,
    siteTitle,
    accent,
    logo,
    theme,
    pace: String(snapshotIntervalMs / 1_000),
    numbers: {
      "/rawRetentionMinutes": String(rawRetentionMinutes),
      "/retention/minuteHours": String(retention.minuteHours),
      "/retention/tenMinuteDays": String(retention.tenMinuteDays),
      "/retention/hourDays": String(retention.hourDays),
      "/retention/dayDays": String(retention.dayDays),
    },
    quiet: enabled,
    from,
    to,
    exceptCritical,
  };
}

function parsePace(text: string): number | undefined {
  const value = /^\d{1,2}(?:[.,]\d{1,3})?$/u.test(text.trim()) ? Number(text.trim().replace(",", ".")) : 0;
  const ms = Math.round(value * 1_000);
  return parseBounded(String(ms), bounds.snapshotIntervalMs);
}

const COLOUR = /^(?:#[\da-f]{6})?$/iu;
/** What a data address in base64 holds, or up to two bytes less. */
function toByteCount(address: string): number {
  return Math.floor(((address.length - address.indexOf(",") - 1) * 3) / 4) - 2;
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/u;

function toZone({ timeZone }: SettingsForm): string {
  return timeZone.trim() === "" ? "UTC" : timeZone.trim();
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function findFaults(form: SettingsForm): Map<string, TextName> {
  const faults = new Map<string, TextName>();
  if (form.siteTitle.trim() === "") faults.set("/siteTitle", "admin.fault.title");
  if (parsePace(form.pace) === undefined) faults.set("/snapshotIntervalMs", "admin.fault.pace");
  for (const [pointer, bounds] of Object.entries(numberFields))
    if (parseWhole(form.numbers[pointer as NumberField], bounds) === undefined)
      faults.set(pointer, "admin.fault.number");
  if (!isTimeZone(toZone(form))) faults.set("/timeZone", "admin.fault.timeZone");
  if (!TIME.test(form.from)) faults.set("/quietHours/from", "admin.fault.time");
  if (!TIME.test(form.to)) faults.set("/quietHours/to", "admin.fault.time");
  else if (form.from === form.to) faults.set("/quietHours/to", "admin.fault.times");
  if (toByteCount(form.logo) > MAX_LOGO_BYTES) faults.set("/logo", "admin.fault.logo");
  else if (findLogoFault(form.logo) !== undefined) faults.set("/logo", "admin.fault.picture");
  for (const theme of accentThemes) {
    const colour = form.accent[theme].trim();
    if (!COLOUR.test(colour)) faults.set(`/accent/${theme}`, "admin.fault.colour");
    else if (colour !== "" && findAccentFault(colour, theme) !== undefined)
      faults.set(`/accent/${theme}`, `admin.fault.contrast.${theme}`);
  }
  return faults;
}

/** The retention that a form means; what is no number counts as its least. */
export function readRetention({ numbers }: SettingsForm): Retention {
  const read = (field: NumberField): number =>
    parseWhole(numbers[field], numberFields[field]) ?? numberFields[field].min;
  return {
    minuteHours: read("/retention/minuteHours"),
    tenMinuteDays: read("/retention/tenMinuteDays"),
    hourDays: read("/retention/hourDays"),
    dayDays: read("/retention/dayDays"),
  };
}

/** The settings that a form means. `before` is what it was made from: what the form does not show stays. */
export function parseSettingsForm(form: SettingsForm, before: SettingsFields): ParsedForm<SettingsFields> {
  const faults = findFaults(form);
  if (faults.size > 0) return { ok: false, faults };
  const zone = toZone(form);
  return {
    ok: true,
    fields: {
      ...before,
      siteTitle: form.siteTitle.trim(),
      logo: form.logo,
      accent: { light: form.accent.light.trim(), dark: form.accent.dark.trim() },
      theme: form.theme,
      language: form.language,
      // A zone of their own is only set once somebody chooses another one.
      timeZone: before.timeZone === "" && zone === before.quietHours.timeZone ? "" : zone,
      publicUrl: form.publicUrl.trim(),
      privateReceivers: form.privateReceivers,
      privateTargets: form.privateTargets,
      snapshotIntervalMs: parsePace(form.pace) ?? before.snapshotIntervalMs,
      rawRetentionMinutes: Number(form.numbers["/rawRetentionMinutes"]),
      retention: readRetention(form),
      quietHours: {
        enabled: form.quiet,
        from: form.from,
        to: form.to,
        timeZone: zone,
        exceptCritical: form.exceptCritical,
      },
    },
  };
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
