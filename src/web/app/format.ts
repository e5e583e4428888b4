/** Numbers as people read them, in the page's language. Hidden here: units, rounding, and kept formatters. */
import { currentLanguage } from "./texts.ts";

const formatters = new Map<string, Intl.NumberFormat>();

function findFormatter(digits: number): Intl.NumberFormat {
  const key = `${currentLanguage()} ${digits}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(currentLanguage(), {
    minimumFractionDigits: 0,
    maximumFractionDigits: digits,
  });
  formatters.set(key, made);
  return made;
}

/** A number with at most `digits` digits after the point. */
export function toNumber(value: number, digits = 0): string {
  return findFormatter(digits).format(value);
}

/** Three significant places are what fits, and what is looked at. */
function toShort(value: number): string {
  return toNumber(value, value >= 100 ? 0 : 1);
}

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** Bytes in powers of 1,024 (IEC 80000-13). */
export function toBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1_000 && unit < byteUnits.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${toShort(value)} ${byteUnits[unit] ?? ""}`;
}

/** Bytes a second. */
export function toRate(bytesPerSecond: number): string {
  return `${toBytes(bytesPerSecond)}/s`;
}

/** A percentage, 0 to 100. */
export function toPercent(value: number): string {
  return `${toNumber(value, value < 10 ? 1 : 0)} %`;
}

const SECOND = 1_000;
const units = [
  { name: "d", ms: 86_400 * SECOND },
  { name: "h", ms: 3_600 * SECOND },
  { name: "min", ms: 60 * SECOND },
  { name: "s", ms: SECOND },
] as const;

/** A span of time in its two largest units, such as "3 d 4 h". */
export function toSpan(ms: number): string {
  const first = units.findIndex((unit) => ms >= unit.ms);
  if (first === -1) return "0 s";
  const parts: string[] = [];
  let rest = ms;
  for (const unit of units.slice(first, first + 2)) {
    const count = Math.floor(rest / unit.ms);
    rest -= count * unit.ms;
    if (count > 0) parts.push(`${count} ${unit.name}`);
  }
  return parts.join(" ");
}

/** A moment in the reader's own time zone. */
export function toMoment(atMs: number): string {
  return new Date(atMs).toLocaleString(currentLanguage(), { dateStyle: "medium", timeStyle: "short" });
}
