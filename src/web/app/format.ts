/** Numbers, sizes and times as people read them, in the page's language. */
import { toUptimeFigure } from "../../kit/text/uptime-figure.ts";
import { currentLanguage, text } from "./texts.ts";
import { rateUnit, temperatureUnit } from "./units.ts";

/** Shown for unknown values: never a 0. */
export const UNKNOWN = "–";

const formatters = new Map<string, unknown>();

const locales = new Map<string, string>();

/** The browser's own variant of the page's language: readers of British English get a 24-hour clock. */
function currentLocale(): string {
  const language = currentLanguage();
  const known = locales.get(language);
  if (known !== undefined) return known;
  const wanted = typeof navigator === "undefined" ? [] : (navigator.languages ?? []);
  const locale = wanted.find((tag) => tag.split("-")[0] === language) ?? language;
  locales.set(language, locale);
  return locale;
}

/** Formatters are expensive to create, so each is created once a language. */
export function keep<T>(name: string, make: (locale: string) => T): T {
  const language = currentLocale();
  const key = `${language} ${name}`;
  // The key says which kind of formatter it is.
  const known = formatters.get(key) as T | undefined;
  if (known !== undefined) return known;
  const made = make(language);
  formatters.set(key, made);
  return made;
}

/** A number with at most `digits` digits after the point. */
export function toNumber(value: number, digits = 0): string {
  return keep(
    `number ${digits}`,
    (language) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }),
  ).format(value);
}

/** A load average, always with both digits after the point. */
export function toLoad(value: number): string {
  return keep(
    "load",
    (language) => new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  ).format(value);
}

/** Three significant places are what fits, and what is looked at. */
function toShort(value: number): string {
  return toNumber(value, Math.abs(value) >= 100 ? 0 : 1);
}

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const decimalUnits = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
const bitUnits = ["bit", "kbit", "Mbit", "Gbit", "Tbit", "Pbit", "Ebit"];

function scale(amount: number, { base, units: names }: { base: number; units: readonly string[] }): string {
  let value = amount;
  let unit = 0;
  // A number of four digits before the point does not fit.
  while (Math.abs(value) >= 999.5 && unit < names.length - 1) {
    value /= base;
    unit += 1;
  }
  return `${unit === 0 ? toNumber(value) : toShort(value)} ${names[unit] ?? ""}`;
}

/** Bytes of memory and disks in powers of 1,024 (IEC 80000-13), as `free -h` and `df -h` show them. */
export function toBytes(bytes: number): string {
  return scale(bytes, { base: 1_024, units: byteUnits });
}

/** Bytes that were sent or received, in powers of 1,000, as providers count them. */
export function toTraffic(bytes: number): string {
  return scale(bytes, { base: 1_000, units: decimalUnits });
}

const MEBIBYTE = 1_048_576;
const MEGABYTE = 1_000_000;

function chooseTyped(limitBytes: number): (bytes: number) => string {
  return limitBytes % MEBIBYTE === 0 && limitBytes % MEGABYTE !== 0 ? toBytes : toTraffic;
}

/** A limit of traffic in the kind of units in which it was typed: of 1,024 when it is round in those alone. */
export function toTypedBytes(limitBytes: number): string {
  return chooseTyped(limitBytes)(limitBytes);
}

/** "9.8 TB of 20 TB", both in the units of the limit; without one (0) what was used alone. */
export function toUsedTraffic({ usedBytes, limitBytes }: { usedBytes: number; limitBytes: number }): string {
  if (limitBytes === 0) return toTraffic(usedBytes);
  const used = chooseTyped(limitBytes)(usedBytes);
  return text("fleet.ofLimit", { used, limit: toTypedBytes(limitBytes) });
}

/** A speed in bits, in powers of 1,000. */
export function toBitRate(bitsPerSecond: number): string {
  return `${scale(bitsPerSecond, { base: 1_000, units: bitUnits })}/s`;
}

/** A speed given in bytes a second, in the unit that the reader chose. */
export function toRate(bytesPerSecond: number): string {
  return rateUnit.value === "bits" ? toBitRate(8 * bytesPerSecond) : `${toTraffic(bytesPerSecond)}/s`;
}

/** Degrees Fahrenheit. */
export function toFahrenheit(celsius: number): number {
  return celsius * 1.8 + 32;
}

/** A temperature in the unit that the reader chose. */
export function toTemperature(celsius: number, digits = 0): string {
  return temperatureUnit.value === "fahrenheit"
    ? `${toNumber(toFahrenheit(celsius), digits)} °F`
    : `${toNumber(celsius, digits)} °C`;
}

/** A percentage, 0 to 100; `digits` after the point at most. */
export function toPercent(value: number, digits = value < 10 ? 1 : 0): string {
  return keep(
    `percent ${digits}`,
    (language) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: digits }),
  ).format(value / 100);
}

/** A share of time, 0 to 1, as a percentage that is 100 % only when nothing is missing. */
export function toUptime(ratio: number): string {
  const percent = 100 * ratio;
  return toPercent(Math.floor(percent * 100) / 100, 2);
}

/** An uptime, or how long it is known when that is too short for a percentage. `knownMs` as in `toUptimeFigure`. */
export function toUptimeWords(
  share: number | null | undefined,
  knownMs: number | undefined,
  none: string = UNKNOWN,
): string {
  const figure = toUptimeFigure(share, knownMs);
  if (figure.kind === "none") return none;
  if (figure.kind === "young")
    return text("uptime.young", { span: toSpan(60_000 * Math.max(1, Math.floor(figure.knownMs / 60_000))) });
  return toUptime(figure.share);
}

type TimeUnit = "year" | "month" | "week" | "day" | "hour" | "minute" | "second";

/** A count with its unit, such as "3 months"; narrow: "3m". */
export function toCount(
  count: number,
  unit: TimeUnit,
  display: "long" | "short" | "narrow" = "long",
): string {
  return keep(
    `unit ${unit} ${display}`,
    (language) => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: display }),
  ).format(count);
}

const SECOND = 1_000;
export const DAY_MS = 86_400 * SECOND;
const units = [
  { name: "day", ms: DAY_MS },
  { name: "hour", ms: 3_600 * SECOND },
  { name: "minute", ms: 60 * SECOND },
  { name: "second", ms: SECOND },
] as const;

/** A span of time in its two largest units, such as "3d 4h". */
export function toSpan(ms: number): string {
  const first = units.findIndex((unit) => ms >= unit.ms);
  if (first === -1) return toCount(0, "second", "narrow");
  const parts: string[] = [];
  let rest = ms;
  for (const unit of units.slice(first, first + 2)) {
    const count = Math.floor(rest / unit.ms);
    rest -= count * unit.ms;
    if (count > 0) parts.push(toCount(count, unit.name, "narrow"));
  }
  return parts.join(" ");
}

/** How long something took, in milliseconds: "84 ms", "1.2 sec", "3m 4s". */
export function toLatency(ms: number): string {
  const style = (unit: "millisecond" | "second", digits: number): Intl.NumberFormat =>
    keep(
      `latency ${unit} ${digits}`,
      (language) =>
        new Intl.NumberFormat(language, {
          style: "unit",
          unit,
          unitDisplay: "short",
          maximumFractionDigits: digits,
        }),
    );
  if (ms < SECOND) return style("millisecond", ms < 10 ? 1 : 0).format(ms);
  return ms < 60 * SECOND ? style("second", 1).format(ms / SECOND) : toSpan(ms);
}

/** How long ago something was, such as "5 minutes ago". */
export function toAgo(ms: number): string {
  const unit = units.find((one) => ms >= one.ms) ?? units[3];
  return keep(
    "ago",
    (language) => new Intl.RelativeTimeFormat(language, { numeric: "always", style: "long" }),
  ).format(-Math.floor(Math.max(0, ms) / unit.ms), unit.name);
}

/** A moment in the reader's own time zone. */
export function toMoment(atMs: number): string {
  return keep(
    "moment",
    (language) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }),
  ).format(atMs);
}

/** The time of day to the second, with its day when that is not the day of `nowMs`. */
export function toClock(atMs: number, nowMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return keep(
    `clock ${isToday}`,
    (language) =>
      new Intl.DateTimeFormat(
        language,
        isToday ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "medium" },
      ),
  ).format(atMs);
}

/** How the minute at which something ends is written: as short as leaves no doubt about its day. */
const untilStyles = {
  today: { timeStyle: "short" },
  soon: { weekday: "short", hour: "2-digit", minute: "2-digit" },
  later: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** The minute at which something ends: with its weekday when that is not the day of `nowMs`, with its date after six days. */
export function toUntil(atMs: number, nowMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  const style = isToday ? "today" : atMs - nowMs < 6 * DAY_MS ? "soon" : "later";
  return keep(`until ${style}`, (language) => new Intl.DateTimeFormat(language, untilStyles[style])).format(
    atMs,
  );
}

/** A day; `zone` is an IANA time zone, the reader's own when absent. */
export function toDay(atMs: number, zone?: string): string {
  return keep(
    `day ${zone ?? ""}`,
    (language) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: zone }),
  ).format(atMs);
}

/** The day that was `days` days ago by the calendar of `zone`, however long the days between were. */
export function toPastDay(
  days: number,
  { nowMs, zone }: { nowMs: number; zone: string | undefined },
): string {
  const today = keep(
    `date ${zone ?? ""}`,
    () => new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone: zone }),
  ).format(nowMs);
  return toDay(Date.parse(`${today}T00:00:00Z`) - days * DAY_MS, "UTC");
}

/** Money: whole minor units of an ISO 4217 currency, by the exponent that the currency has. */
export function toMoney(minor: number, currency: string): string {
  const formatter = keep(
    `money ${currency}`,
    (language) =>
      new Intl.NumberFormat(language, { style: "currency", currency, currencyDisplay: "narrowSymbol" }),
  );
  return formatter.format(minor / 10 ** (formatter.resolvedOptions().maximumFractionDigits ?? 2));
}

/** The price of a cycle, such as "€4.90 / month". */
export function toPrice(billing: {
  readonly priceMinor: number;
  readonly currency: string;
  readonly cycle: { readonly n: number; readonly unit: "day" | "month" | "year" };
}): string {
  const { priceMinor, currency, cycle } = billing;
  if (priceMinor === 0) return text("fleet.free");
  const each = cycle.n === 1 ? text(`unit.${cycle.unit}`) : toCount(cycle.n, cycle.unit);
  return `${toMoney(priceMinor, currency)} / ${each}`;
}

/** The name of a country. */
export function toCountry(region: string): string {
  return (
    keep("country", (language) => new Intl.DisplayNames([language], { type: "region" })).of(region) ?? region
  );
}

/** The name of a language. */
export function toLanguageName(language: string): string {
  return (
    keep("language", (locale) => new Intl.DisplayNames([locale], { type: "language" })).of(language) ??
    language
  );
}

/** Which CSV the reader's spreadsheet opens by a double click: Excel divides cells at semicolons where people write decimal commas. */
export function csvSeparator(): "comma" | "semicolon" {
  return keep("csv separator", (locale) => {
    const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
    return parts.some(({ type, value }) => type === "decimal" && value === ",") ? "semicolon" : "comma";
  });
}
