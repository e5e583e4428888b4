/** The settings as a form holds them, and back; and how much disk a retention takes, estimated from what it takes now. */
import type { Retention, SettingsFields } from "../../../monitor/schema.ts";
import type { TextName } from "../../app/texts.ts";
import { type ParsedForm, parseWhole } from "../servers/server-form.ts";

/** Numbers of the settings, each with its bounds. */
export const numberFields = {
  "/rawRetentionMinutes": { min: 1, max: 60 },
  "/retention/minuteHours": { min: 1, max: 168 },
  "/retention/tenMinuteDays": { min: 1, max: 90 },
  "/retention/hourDays": { min: 1, max: 730 },
  "/retention/dayDays": { min: 1, max: 3_650 },
} as const;
export type NumberField = keyof typeof numberFields;

/** How much disk the history takes. */
export interface HistoryUse {
  readonly servers: number;
  readonly bytesOnDisk: number;
  readonly estimatedBytes: number;
}

export interface SettingsForm {
  readonly siteTitle: string;
  readonly theme: SettingsFields["theme"];
  /** Seconds, with a point. */
  readonly pace: string;
  readonly numbers: Readonly<Record<NumberField, string>>;
  readonly quiet: boolean;
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly exceptCritical: boolean;
}

/** The form that shows these settings. */
export function toSettingsForm(fields: SettingsFields): SettingsForm {
  const { siteTitle, theme, snapshotIntervalMs, rawRetentionMinutes, retention, quietHours } = fields;
  const { enabled, from, to, timeZone, exceptCritical } = quietHours;
  return {
    siteTitle,
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
    timeZone,
    exceptCritical,
  };
}

function parsePace(text: string): number | undefined {
  const value = /^\d{1,2}(?:[.,]\d{1,3})?$/u.test(text.trim()) ? Number(text.trim().replace(",", ".")) : 0;
  const ms = Math.round(value * 1_000);
  return ms >= 500 && ms <= 60_000 ? ms : undefined;
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/u;

function findFaults(form: SettingsForm): Map<string, TextName> {
  const faults = new Map<string, TextName>();
  if (form.siteTitle.trim() === "") faults.set("/siteTitle", "admin.fault.title");
  if (parsePace(form.pace) === undefined) faults.set("/snapshotIntervalMs", "admin.fault.pace");
  for (const [pointer, bounds] of Object.entries(numberFields))
    if (parseWhole(form.numbers[pointer as NumberField], bounds) === undefined)
      faults.set(pointer, "admin.fault.number");
  if (!TIME.test(form.from)) faults.set("/quietHours/from", "admin.fault.time");
  if (!TIME.test(form.to)) faults.set("/quietHours/to", "admin.fault.time");
  else if (form.from === form.to) faults.set("/quietHours/to", "admin.fault.times");
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
  return {
    ok: true,
    fields: {
      ...before,
      siteTitle: form.siteTitle.trim(),
      theme: form.theme,
      snapshotIntervalMs: parsePace(form.pace) ?? before.snapshotIntervalMs,
      rawRetentionMinutes: Number(form.numbers["/rawRetentionMinutes"]),
      retention: readRetention(form),
      quietHours: {
        enabled: form.quiet,
        from: form.from,
        to: form.to,
        timeZone: form.timeZone.trim() === "" ? "UTC" : form.timeZone.trim(),
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
