/** Moments in the reader's own time zone, as date fields hold them. */

function pad(value: number, width = 2): string {
  return String(value).padStart(width, "0");
}

/** The local date of a moment, "2026-11-21"; "" for none. */
export function toDateText(moment: string | number | undefined): string {
  if (moment === undefined) return "";
  const at = new Date(moment);
  return `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

/** The local date and minute of a moment, "2026-11-21T09:30"; "" for none. */
export function toDateTimeText(moment: string | number | undefined): string {
  if (moment === undefined) return "";
  const at = new Date(moment);
  return `${toDateText(moment)}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

function toMoment(text: string): Date | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?$/u.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour, minute] = parts.slice(1).map((part) => Number(part ?? "NaN"));
  const isDay = hour === undefined || Number.isNaN(hour);
  // A date alone means until that day is over.
  const at = isDay
    ? new Date(year, month - 1, day, 23, 59, 59)
    : new Date(year, month - 1, day, hour, minute);
  // The 31st of a month of 30 days is no date.
  return at.getMonth() === month - 1 && at.getDate() === day ? at : undefined;
}

/**
 * The moment that a date field means, as ISO 8601 in UTC: a date alone is the last second of that day.
 * `before` comes back as it was when the field still shows it. Undefined when the text is no date.
 */
export function parseLocal(text: string, before?: string): string | undefined {
  if (before !== undefined && (text === toDateText(before) || text === toDateTimeText(before))) return before;
  return toMoment(text)?.toISOString();
}

/** The moment at which a day of the reader's begins, as ISO 8601 in UTC; "" for no day. */
export function toDayStart(day: string): string {
  return toMidnight(day, 0);
}

/** The moment at which it ends, which is that of the next one's beginning. */
export function toDayEnd(day: string): string {
  return toMidnight(day, 1);
}

function toMidnight(day: string, later: number): string {
  const [year = Number.NaN, month = 1, date = 1] = day.split("-").map(Number);
  const at = new Date(year, month - 1, date + later);
  return day === "" || Number.isNaN(at.getTime()) ? "" : at.toISOString();
}
