/**
 * Periods in days as Regulation (EEC, Euratom) No 1182/71 counts them: the day of the event does not count, a
 * period ends with the last hour of its last day, and one that would end on a Saturday, Sunday or public holiday
 * ends with the next working day (Article 3).
 */
import { addDays, startOfDay, toDay, toDayNumber } from "../../kit/time/zone-days.ts";

/** Where days begin, and which of them are holidays. */
export interface Calendar {
  readonly timeZone: string;
  /** Such as "2026-12-25". */
  readonly publicHolidays: readonly string[];
}

/** 1970-01-01, day 0, was a Thursday. */
function isWeekend(day: string): boolean {
  const weekday = (toDayNumber(day) + 4) % 7;
  return weekday === 0 || weekday === 6;
}

/** The last day of a period of `days` after the day of an instant (epoch milliseconds). */
export function findLastDay(eventMs: number, days: number, { timeZone, publicHolidays }: Calendar): string {
  let day = addDays(toDay(eventMs, timeZone), days);
  while (isWeekend(day) || publicHolidays.includes(day)) day = addDays(day, 1);
  return day;
}

/** The first millisecond after the period: what happens before it is in time. */
export function findPeriodEnd(eventMs: number, days: number, calendar: Calendar): number {
  return startOfDay(addDays(findLastDay(eventMs, days, calendar), 1), calendar.timeZone);
}
