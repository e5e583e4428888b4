/** A span of each day in a time zone, such as quiet hours: whether an instant falls in it, and until when. Pure. */
import { addDays, toDay } from "./zone-days.ts";
import { toInstant } from "./zone-times.ts";

/** Times of day such as "22:00", on the walls of an IANA zone; `to` before `from` is on the next day. */
export interface DailySpan {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

function toMinutes(time: string): number {
  const [hours, minutes] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}

/** The span that begins on a day ("2026-01-31"): from the first time that the wall shows `from` to the last one that it shows `to`, epoch milliseconds. */
export function findSpan({ from, to, timeZone }: DailySpan, day: string): { from: number; to: number } {
  const begin = toMinutes(from);
  const end = toMinutes(to);
  const endDay = end > begin ? day : addDays(day, 1);
  return {
    from: toInstant({ day, minutes: begin }, { timeZone, pick: "first" }),
    to: toInstant({ day: endDay, minutes: end }, { timeZone, pick: "last" }),
  };
}

/**
 * When the span that `nowMs` falls in ends; undefined when it falls in none. Both in epoch milliseconds. It lasts
 * from the first time that the wall shows `from` to the last one that it shows `to`, so a night on which the clocks
 * are set back is one night. `isDay` says on which days ("2026-01-31") spans begin; without it, on each.
 */
export function findSpanEnd(
  span: DailySpan,
  nowMs: number,
  isDay: (day: string) => boolean = () => true,
): number | undefined {
  const today = toDay(nowMs, span.timeZone);
  for (const day of [addDays(today, -1), today]) {
    if (!isDay(day)) continue;
    const { from, to } = findSpan(span, day);
    if (from <= nowMs && nowMs < to) return to;
  }
  return undefined;
}
