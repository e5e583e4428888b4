/** When planned maintenance is, in words. */
import type { Schedule } from "../../../monitor/maintenance/schema.ts";
import { keep, toMoment } from "../../app/format.ts";
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

/** When it is. */
export function toScheduleText(schedule: Schedule): string {
  if (schedule.type === "once")
    return `${toMoment(Date.parse(schedule.from))} – ${toMoment(Date.parse(schedule.to))}`;
  const { days, from, to } = schedule;
  return text("admin.maintenance.says.weekly", { days: days.map(toDayName).join(", "), from, to });
}
