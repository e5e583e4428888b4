/** When planned maintenance is, in words. */
import type { Schedule } from "../../../monitor/maintenance/schema.ts";
import { keep, toMoment, toSpan } from "../../app/format.ts";
import { text } from "../../app/texts.ts";

/** The name of a day of the week; 1 is Monday. */
export function toDayName(day: number): string {
  const format = keep(
    "weekday",
    (language) => new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }),
  );
  // The 5th of January 1970 was a Monday.
  return format.format(Date.UTC(1970, 0, 4 + day));
}

type Monthly = Extract<Schedule, { type: "monthly" }>;

function toMonthDay({ on }: Monthly): string {
  if ("day" in on)
    return on.day === "last"
      ? text("admin.maintenance.on.last")
      : text("admin.maintenance.says.day", { day: on.day });
  const day = toDayName(on.weekday);
  return on.week === "last"
    ? text("admin.maintenance.says.lastWeekday", { day })
    : text("admin.maintenance.says.weekday", { day, week: on.week });
}

/** When it is. */
export function toScheduleText(schedule: Schedule): string {
  if (schedule.type === "once")
    return `${toMoment(Date.parse(schedule.from))} – ${toMoment(Date.parse(schedule.to))}`;
  const { timeZone } = schedule;
  const zone = timeZone === undefined ? "" : ` (${timeZone})`;
  if (schedule.type === "cron") {
    const { expression, minutes } = schedule;
    return text("admin.maintenance.says.cron", { expression, span: toSpan(minutes * 60_000) }) + zone;
  }
  const { from, to, daysLater = 0 } = schedule;
  const days = schedule.type === "weekly" ? schedule.days.map(toDayName).join(", ") : toMonthDay(schedule);
  const later = daysLater === 0 ? "" : ` ${text("admin.maintenance.says.later", { count: daysLater })}`;
  return text("admin.maintenance.says.weekly", { days, from, to }) + later + zone;
}
