/** Quiet hours, pure: whether notices wait now, and until when. */
import { addDays, toDay } from "../../kit/time/zone-days.ts";
import { toInstant } from "../../kit/time/zone-times.ts";
import type { SettingsFields } from "../schema.ts";

export type QuietHours = SettingsFields["quietHours"];

function toMinutes(time: string): number {
  const [hours, minutes] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}

/**
 * When the quiet hours that `nowMs` falls in end; undefined when it falls in none. Both in epoch milliseconds. They
 * last from the first time that the wall shows `from` to the last one that it shows `to`, so a night on which the
 * clocks are set back is one night.
 */
export function findQuietEnd(quiet: QuietHours, nowMs: number): number | undefined {
  if (!quiet.enabled) return undefined;
  const { timeZone } = quiet;
  const from = toMinutes(quiet.from);
  const to = toMinutes(quiet.to);
  const today = toDay(nowMs, timeZone);
  for (const day of [addDays(today, -1), today]) {
    const start = toInstant({ day, minutes: from }, { timeZone, pick: "first" });
    const endDay = to > from ? day : addDays(day, 1);
    const end = toInstant({ day: endDay, minutes: to }, { timeZone, pick: "last" });
    if (start <= nowMs && nowMs < end) return end;
  }
  return undefined;
}
