/** Days of a time zone, all pure: which day an instant belongs to, and where days begin. */
import { Temporal } from "temporal-polyfill";

const DAY_MS = 86_400_000;
const MAX_FORMATS = 64;

/** Formats by zone, kept: making one costs as much as a thousand uses of it, and a use a quarter of what Temporal takes. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  // Sweden writes dates as ISO 8601 does.
  const made = new Intl.DateTimeFormat("sv-SE", { timeZone, calendar: "gregory", numberingSystem: "latn" });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, made);
  return made;
}

/** The day of an instant (epoch milliseconds) in an IANA zone, "2026-01-31". Throws RangeError for an unknown zone. */
export function toDay(ms: number, timeZone: string): string {
  return formatOf(timeZone).format(ms).padStart(10, "0");
}

/** The number of a day in the calendar: days since 1970-01-01, which is 0. */
export function toDayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

/** The day that {@link toDayNumber} numbers so. */
export function toDayText(dayNumber: number): string {
  return new Date(dayNumber * DAY_MS).toISOString().slice(0, 10);
}

/** The day that is `days` after another one in the calendar; before it when negative. */
export function addDays(day: string, days: number): string {
  return toDayText(toDayNumber(day) + days);
}

/**
 * The day that was lived in the zone before the day of an instant. It is not always the calendar's: Apia had
 * no 2011-12-30, so there the 29th comes before the 31st.
 */
export function dayBefore(ms: number, timeZone: string): string {
  return toDay(startOfDay(toDay(ms, timeZone), timeZone) - 1, timeZone);
}

/**
 * The first millisecond of the zone's next day, which need not read 00:00. Where clocks were set back from
 * just after midnight (St. John's until 2011), a day begins twice, and this is the one that is still to come.
 */
export function nextMidnight(ms: number, timeZone: string): number {
  const tomorrow = addDays(toDay(ms, timeZone), 1);
  const next = startOfDay(tomorrow, timeZone);
  if (next > ms) return next;
  const midnight = Temporal.PlainDateTime.from(tomorrow);
  return midnight.toZonedDateTime(timeZone, { disambiguation: "later" }).epochMilliseconds;
}

/**
 * The first millisecond in the zone of a day; of the next one that there was when the zone had no such day.
 */
export function startOfDay(day: string, timeZone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds;
}
