/** Numbers, sizes and times as people read them, in the page's language. */
import { currentLanguage, text } from "./texts.ts";

/** What stands where a value is not known: never a 0. */
export const UNKNOWN = "–";

const formatters = new Map<string, unknown>();

/** Formatters are expensive to create, so each is created once a language. */
export function keep<T>(name: string, make: (language: string) => T): T {
  const language = currentLanguage();
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

/** Three significant places are what fits, and what is looked at. */
function toShort(value: number): string {
  return toNumber(value, Math.abs(value) >= 100 ? 0 : 1);
}

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** Bytes in powers of 1,024 (IEC 80000-13). */
export function toBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // A number of four digits before the point does not fit.
  while (Math.abs(value) >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${unit === 0 ? toNumber(value) : toShort(value)} ${byteUnits[unit] ?? ""}`;
}

/** Bytes a second. */
export function toRate(bytesPerSecond: number): string {
  return `${toBytes(bytesPerSecond)}/s`;
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

/** A day; `zone` is an IANA time zone, the reader's own when absent. */
export function toDay(atMs: number, zone?: string): string {
  return keep(
    `day ${zone ?? ""}`,
    (language) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: zone }),
  ).format(atMs);
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

/** The flag of an ISO 3166 alpha-2 code as an emoji; a system without flags shows the letters. */
export function toFlag(region: string): string {
  return String.fromCodePoint(...Array.from(region, (letter) => 0x1f1e6 + letter.charCodeAt(0) - 65));
}

/** The name of a country. */
export function toCountry(region: string): string {
  return (
    keep("country", (language) => new Intl.DisplayNames([language], { type: "region" })).of(region) ?? region
  );
}
