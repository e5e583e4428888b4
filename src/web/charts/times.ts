/** Times beside a chart's axis, and in its legend, in the reader's own time zone and language. */
import { keep } from "../app/format.ts";

const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 28 * DAY_SECONDS;

function format(atSeconds: number, options: Intl.DateTimeFormatOptions): string {
  const name = `time ${Object.values(options).join(" ")}`;
  return keep(name, (language) => new Intl.DateTimeFormat(language, options)).format(atSeconds * 1_000);
}

const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** The words at the lines of the axis, `stepSeconds` apart; a midnight shows the day. */
export function toTimeTicks(atSeconds: readonly number[], stepSeconds: number): string[] {
  return atSeconds.map((at) => {
    if (stepSeconds >= MONTH_SECONDS) return format(at, { year: "numeric", month: "short" });
    const date = new Date(at * 1_000);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
    if (stepSeconds >= DAY_SECONDS || isMidnight) return format(at, { month: "short", day: "numeric" });
    return format(at, clock);
  });
}

/** A moment of a range of `rangeMs`, as exact as can be seen. */
export function toTimeWords(atSeconds: number, rangeMs: number): string {
  if (rangeMs <= 3_600_000) return format(atSeconds, { ...clock, second: "2-digit" });
  if (rangeMs <= 31 * DAY_SECONDS * 1_000)
    return format(atSeconds, { ...clock, month: "short", day: "numeric" });
  return format(atSeconds, { dateStyle: "medium" });
}
