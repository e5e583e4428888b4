/** Times of day in a time zone: which instant a clock on the wall shows, all pure. */
import { toDayNumber } from "./zone-days.ts";
import { createZoneFormats } from "./zone-formats.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const formatOf = createZoneFormats({
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** What the wall shows at an instant (epoch milliseconds), as if it were UTC; to whole seconds. */
function toWall(ms: number, timeZone: string): number {
  const parts = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatOf(timeZone).formatToParts(ms)) {
    if (Object.hasOwn(parts, type)) parts[type as keyof typeof parts] = Number(value); // just looked for
  }
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
}

function offsetAt(ms: number, timeZone: string): number {
  return toWall(ms, timeZone) - Math.floor(ms / 1_000) * 1_000;
}

/** A clock on the wall: a day such as "2026-01-31", and minutes since its 00:00 (0 to 1,439). */
export interface WallTime {
  readonly day: string;
  readonly minutes: number;
}

/**
 * The instant, in epoch milliseconds, at which a wall in `timeZone` shows this; of a time that is lived twice the
 * one that `pick` names, and for one that is skipped the same time by the clock as it stood before.
 * Throws RangeError for an unknown zone.
 */
export function toInstant(wall: WallTime, options: { timeZone: string; pick: "first" | "last" }): number {
  const { timeZone, pick } = options;
  const asUtc = toDayNumber(wall.day) * DAY_MS + wall.minutes * MINUTE_MS;
  const offsets = [offsetAt(asUtc - DAY_MS, timeZone), offsetAt(asUtc + DAY_MS, timeZone)];
  const shown = offsets.map((offset) => asUtc - offset).filter((ms) => toWall(ms, timeZone) === asUtc);
  if (shown.length === 0) return asUtc - (offsets[0] ?? 0);
  return pick === "first" ? Math.min(...shown) : Math.max(...shown);
}

/** What a wall in `timeZone` shows at an instant (epoch milliseconds): "2026-01-31 13:00". */
export function toWallText(ms: number, timeZone: string): string {
  return new Date(toWall(ms, timeZone)).toISOString().slice(0, 16).replace("T", " ");
}
