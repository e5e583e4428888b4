/** Whether a window of planned maintenance is open, pure. */
import { findSpanEnd } from "../../kit/time/daily-span.ts";
import type { Schedule } from "./schema.ts";

/** 1 for Monday to 7 for Sunday, of a day such as "2026-01-31". */
function toWeekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** When the window that `now` falls in ends; undefined when it falls in none. Both in epoch milliseconds. */
export function findWindowEnd(
  schedule: Schedule,
  { now, timeZone }: { now: number; timeZone: string },
): number | undefined {
  switch (schedule.type) {
    case "once": {
      const end = Date.parse(schedule.to);
      return Date.parse(schedule.from) <= now && now < end ? end : undefined;
    }
    case "weekly": {
      const { from, to, days } = schedule;
      return findSpanEnd({ from, to, timeZone }, now, (day) => days.includes(toWeekday(day)));
    }
  }
}
