/** Times of day in a time zone: which instant a clock on the wall shows, all pure. */
import { Temporal } from "temporal-polyfill";

/** A clock on the wall: a day such as "2026-01-31", and minutes since its 00:00 (0 to 1,439). */
export interface WallTime {
  readonly day: string;
  readonly minutes: number;
}

/**
 * The instant, in epoch milliseconds, at which a wall clock in `timeZone` shows this time. For an ambiguous
 * time, `pick` chooses; a skipped time uses the offset before the change. Throws RangeError for an unknown
 * zone.
 */
export function toInstant(
  { day, minutes }: WallTime,
  { timeZone, pick }: { timeZone: string; pick: "first" | "last" },
): number {
  const disambiguation = pick === "first" ? "compatible" : "later";
  const wall = Temporal.PlainDateTime.from(day).add({ minutes });
  return wall.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds;
}

/** The local time in `timeZone` at an instant (epoch milliseconds): "2026-01-31 13:00". */
export function toWallText(ms: number, timeZone: string): string {
  const wall = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return wall.toString({ smallestUnit: "minute" }).replace("T", " ");
}
