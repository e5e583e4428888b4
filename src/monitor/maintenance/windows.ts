/** Windows of planned maintenance, pure. All times in epoch milliseconds. */
import { findNextCron } from "../../kit/time/cron.ts";
import { addDays, toDay } from "../../kit/time/zone-days.ts";
import { toInstant } from "../../kit/time/zone-times.ts";
import { MAX_DAYS_LATER, type Schedule } from "./schema.ts";

const MINUTE_MS = 60_000;
/** A 31st comes within two months. */
const MONTHLY_AHEAD = 64;
const WEEKLY_AHEAD = 8;

export interface MaintenanceWindow {
  readonly from: number;
  readonly to: number;
}

interface At {
  readonly now: number;
  /** Of the settings. */
  readonly timeZone: string;
}

type Daily = Extract<Schedule, { type: "weekly" | "monthly" }>;
type Cron = Extract<Schedule, { type: "cron" }>;

/** 1 for Monday to 7 for Sunday, of a day such as "2026-01-31". */
function toWeekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

function toMinutes(time: string): number {
  const [hours, minutes] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}

/** Whether a window begins on a day. */
function isStart(schedule: Daily, day: string): boolean {
  if (schedule.type === "weekly") return schedule.days.includes(toWeekday(day));
  const { on } = schedule;
  const isLast = (days: number): boolean => addDays(day, days).slice(0, 7) !== day.slice(0, 7);
  const date = Number(day.slice(8));
  if ("day" in on) return on.day === "last" ? isLast(1) : on.day === date;
  if (on.weekday !== toWeekday(day)) return false;
  return on.week === "last" ? isLast(7) : on.week === Math.ceil(date / 7);
}

/** The window that begins on a day, from the first time that the wall shows its start to the last one that it shows its end. */
function toWindow(schedule: Daily, day: string, timeZone: string): MaintenanceWindow {
  const [begin, end] = [toMinutes(schedule.from), toMinutes(schedule.to)];
  const { daysLater = end > begin ? 0 : 1 } = schedule;
  return {
    from: toInstant({ day, minutes: begin }, { timeZone, pick: "first" }),
    to: toInstant({ day: addDays(day, daysLater), minutes: end }, { timeZone, pick: "last" }),
  };
}

/** Windows that begin from so many days ago until so many days ahead. */
function* listDaily(schedule: Daily, { now, timeZone }: At, ahead: number): Generator<MaintenanceWindow> {
  const zone = schedule.timeZone ?? timeZone;
  const today = toDay(now, zone);
  const { daysLater = 1 } = schedule;
  for (let days = -Math.min(daysLater, MAX_DAYS_LATER) - 1; days <= ahead; days += 1) {
    const day = addDays(today, days);
    if (isStart(schedule, day)) yield toWindow(schedule, day, zone);
  }
}

/** The first window of a crontab that has not ended. */
function findCron(
  { expression, minutes, timeZone: own }: Cron,
  { now, timeZone }: At,
): MaintenanceWindow | undefined {
  const lengthMs = minutes * MINUTE_MS;
  const from = findNextCron(expression, own ?? timeZone, now - lengthMs);
  return from === undefined ? undefined : { from, to: from + lengthMs };
}

/** When the window that `now` falls in ends, the last one of several; undefined when it falls in none. */
export function findWindowEnd(schedule: Schedule, at: At): number | undefined {
  const { now } = at;
  if (schedule.type === "weekly" || schedule.type === "monthly") {
    const open = [...listDaily(schedule, at, 0)].filter(({ from, to }) => from <= now && now < to);
    return open.length === 0 ? undefined : Math.max(...open.map(({ to }) => to));
  }
  const window = findNextWindow(schedule, at);
  return window !== undefined && window.from <= now ? window.to : undefined;
}

/** The window that is open, or the next one; undefined if there is none. */
export function findNextWindow(schedule: Schedule, at: At): MaintenanceWindow | undefined {
  switch (schedule.type) {
    case "once": {
      const window = { from: Date.parse(schedule.from), to: Date.parse(schedule.to) };
      return window.to > at.now ? window : undefined;
    }
    case "weekly":
    case "monthly": {
      const ahead = schedule.type === "weekly" ? WEEKLY_AHEAD : MONTHLY_AHEAD;
      for (const window of listDaily(schedule, at, ahead)) if (window.to > at.now) return window;
      return undefined;
    }
    case "cron":
      return findCron(schedule, at);
  }
}
