/** Days of a time zone, all pure: which day an instant belongs to, and where days begin. */
import { createZoneFormats } from "./zone-formats.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Shorter than every day that ever was in a zone, so that a search in such steps passes over none. */
const STEP_MS = 6 * HOUR_MS;
/** A search ends here; the longest day of any zone (one that was lived twice) has 48 hours. */
const MAX_STEPS = 12;
/** More than any zone was ever away from UTC, in milliseconds, with a day that was skipped on top. */
const MAX_OFFSET_MS = 48 * HOUR_MS;

const formatOf = createZoneFormats({
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** The day of an instant (epoch milliseconds) in an IANA zone, "2026-01-31". Throws RangeError for an unknown zone. */
export function toDay(ms: number, timeZone: string): string {
  const parts = { year: "", month: "", day: "" };
  for (const { type, value } of formatOf(timeZone).formatToParts(ms)) {
    if (type === "year" || type === "month" || type === "day") parts[type] = value;
  }
  return `${parts.year.padStart(4, "0")}-${parts.month}-${parts.day}`;
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

/** The day before another one in the calendar; {@link dayBefore} knows what a zone makes of it. */
export function previousDay(day: string): string {
  return addDays(day, -1);
}

/**
 * The day that was lived in the zone before the day of an instant. It is not always the calendar's: Apia had
 * no 2011-12-30, so there the 29th comes before the 31st.
 */
export function dayBefore(ms: number, timeZone: string): string {
  const today = toDay(ms, timeZone);
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const day = toDay(ms - step * STEP_MS, timeZone);
    if (day < today) return day;
  }
  return previousDay(today);
}

/**
 * The first millisecond of the zone's next day, which need not read 00:00. Where clocks were set back from
 * just after midnight (St. John's until 2011), a day begins twice, and this is one of the two.
 */
export function nextMidnight(ms: number, timeZone: string): number {
  const today = toDay(ms, timeZone);
  let before = ms;
  let after = ms;
  for (let step = 1; step <= MAX_STEPS && toDay(after, timeZone) <= today; step += 1) {
    before = after;
    after = ms + step * STEP_MS;
  }
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (toDay(middle, timeZone) > today) after = middle;
    else before = middle;
  }
  return after;
}

/**
 * The first millisecond in the zone of a day; of the next one that there was when the zone had no such day.
 * Where a day begins twice, this is one of the two.
 */
export function startOfDay(day: string, timeZone: string): number {
  const midnight = toDayNumber(day) * DAY_MS;
  let before = midnight - MAX_OFFSET_MS;
  let after = midnight + MAX_OFFSET_MS;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (toDay(middle, timeZone) >= day) after = middle;
    else before = middle;
  }
  return after;
}
