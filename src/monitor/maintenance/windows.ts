/** Whether a window of planned maintenance is open, pure. */
import { findSpan, findSpanEnd } from "../../kit/time/daily-span.ts";
import { addDays, toDay } from "../../kit/time/zone-days.ts";
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

/** A window of maintenance, epoch milliseconds. */
export interface MaintenanceWindow {
  readonly from: number;
  readonly to: number;
}

/** The window that is open, or the next one; undefined if there is none. */
export function findNextWindow(
  schedule: Schedule,
  { now, timeZone }: { now: number; timeZone: string },
): MaintenanceWindow | undefined {
  switch (schedule.type) {
    case "once": {
      const window = { from: Date.parse(schedule.from), to: Date.parse(schedule.to) };
      return window.to > now ? window : undefined;
    }
    case "weekly": {
      const { from, to, days } = schedule;
      const today = toDay(now, timeZone);
      for (let ahead = -1; ahead <= 8; ahead += 1) {
        const day = addDays(today, ahead);
        if (!days.includes(toWeekday(day))) continue;
        const window = findSpan({ from, to, timeZone }, day);
        if (window.to > now) return window;
      }
      return undefined;
    }
  }
}
