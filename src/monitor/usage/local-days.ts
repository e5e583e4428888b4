/** Which day of a zone an instant belongs to, a thousand times a second. */
import { nextMidnight, startOfDay, toDay, toDayNumber } from "../../kit/time/zone-days.ts";

export interface DaySpan {
  /** Its number in the calendar. */
  readonly day: number;
  readonly timeZone: string;
  /** Epoch milliseconds, inclusive. */
  readonly from: number;
  /** Epoch milliseconds, exclusive. */
  readonly to: number;
}

/** Zones and days of each that are remembered: today, and those of reports that came late. */
const MAX_ZONES = 256;
const MAX_SPANS = 8;

/** Whether the span is the day of an instant in a zone. */
export function holds(span: DaySpan, atMs: number, timeZone: string): boolean {
  return span.from <= atMs && atMs < span.to && span.timeZone === timeZone;
}

/** Creates a memory of days; the function gives the day of an instant (epoch milliseconds) in an IANA zone. */
export function createLocalDays(): (atMs: number, timeZone: string) => DaySpan {
  const zones = new Map<string, DaySpan[]>();

  function spansOf(timeZone: string): DaySpan[] {
    const known = zones.get(timeZone);
    if (known !== undefined) return known;
    if (zones.size >= MAX_ZONES) zones.clear();
    const made: DaySpan[] = [];
    zones.set(timeZone, made);
    return made;
  }

  return (atMs, timeZone) => {
    const spans = spansOf(timeZone);
    const found = spans.find((span) => holds(span, atMs, timeZone));
    if (found !== undefined) return found;
    const day = toDay(atMs, timeZone);
    const made: DaySpan = {
      day: toDayNumber(day),
      timeZone,
      // A day that begins twice may be in its first part now.
      from: Math.min(atMs, startOfDay(day, timeZone)),
      to: nextMidnight(atMs, timeZone),
    };
    spans.unshift(made);
    spans.length = Math.min(spans.length, MAX_SPANS);
    return made;
  };
}
