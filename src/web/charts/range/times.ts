/** Times beside a chart's axis, and in its legend, in the reader's own time zone and language. */
import { keep } from "../../app/format.ts";
import type { Span } from "./span.ts";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 28 * DAY_SECONDS;

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `time ${JSON.stringify(options)}`;
  return keep(name, (language) => new Intl.DateTimeFormat(language, options));
}

function format(atSeconds: number, options: Intl.DateTimeFormatOptions): string {
  return formatter(options).format(atSeconds * 1_000);
}

/** Whether the language writes 3 AM, which needs no minutes. */
function hasHalfDays(): boolean {
  return formatter({ hour: "numeric" }).resolvedOptions().hour12 === true;
}

function toClock(): { hour: "numeric" | "2-digit"; minute: "2-digit" } {
  return { hour: hasHalfDays() ? "numeric" : "2-digit", minute: "2-digit" };
}

/** One word of the axis, whose lines are `stepSeconds` apart; a midnight shows the day. */
export function toTimeTick(at: number, stepSeconds: number): string {
  if (stepSeconds >= MONTH_SECONDS) return format(at, { year: "numeric", month: "short" });
  const date = new Date(at * 1_000);
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
  if (stepSeconds >= DAY_SECONDS || isMidnight) return format(at, { month: "short", day: "numeric" });
  if (stepSeconds < MINUTE_SECONDS) return format(at, { ...toClock(), second: "2-digit" });
  return format(at, stepSeconds >= HOUR_SECONDS && hasHalfDays() ? { hour: "numeric" } : toClock());
}

export interface Axis {
  /** Seconds at its left and right end. */
  readonly from: number;
  readonly to: number;
  /** Its length, and the room behind its right end, px. */
  readonly width: number;
  readonly room: number;
  readonly measure: (words: string) => number;
}

/** The words at lines of the axis; "" for one that the edge would cut, or that would touch the one before. */
export function toTimeTicks(lines: readonly number[], stepSeconds: number, axis: Axis): string[] {
  const { from, to, width, room, measure } = axis;
  let end = Number.NEGATIVE_INFINITY;
  return lines.map((at) => {
    const words = toTimeTick(at, stepSeconds);
    const half = measure(words) / 2;
    const middle = ((at - from) / (to - from)) * width;
    if (middle + half > width + room || middle - half < end + TICK_GAP) return "";
    end = middle + half;
    return words;
  });
}

/** Between the words of two lines, px. */
export const TICK_GAP = 10;

/** The room that the words of an axis over so many seconds want, px. */
export function toTickSpace(seconds: number, measure: (words: string) => number): number {
  // A December evening has the longest words.
  const at = new Date(2026, 11, 28, 22, 50, 50).getTime() / 1_000;
  const step = [MONTH_SECONDS, DAY_SECONDS, MINUTE_SECONDS].find((one) => seconds > 6 * one) ?? 1;
  return measure(toTimeTick(at, step)) + 2 * TICK_GAP;
}

/** A moment of a range of `rangeMs`, as exact as can be seen. */
export function toTimeWords(atSeconds: number, rangeMs: number): string {
  if (rangeMs <= HOUR_SECONDS * 1_000) return format(atSeconds, { ...toClock(), second: "2-digit" });
  if (rangeMs <= 31 * DAY_SECONDS * 1_000)
    return format(atSeconds, { ...toClock(), month: "short", day: "numeric" });
  return format(atSeconds, { dateStyle: "medium" });
}

/** From when to when, to the minute; the day is said once when it is one. */
export function toSpanWords({ from, to }: Span, { withDay }: { withDay: boolean }): string {
  const isOneDay = new Date(from).toDateString() === new Date(to).toDateString();
  if (isOneDay && !withDay) return formatter(toClock()).formatRange(from, to);
  return formatter({ ...toClock(), month: "short", day: "numeric" }).formatRange(from, to);
}
