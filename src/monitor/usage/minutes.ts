/**
 * Minutes of uptime on their way to the store, pure. A process counts its minutes of a server through; the store
 * keeps how far it has them from whom.
 */
import type { DaySums } from "./day-ring.ts";

/** Minutes that a process counted for a server, from its first one on. */
export type MinuteMark = Pick<DaySums, "upMinutes" | "knownMinutes">;

/** Before the first minute. */
export const NO_MINUTES: MinuteMark = { upMinutes: 0, knownMinutes: 0 };

/** Minutes by number of the day. */
export type MinutesByDay = ReadonlyMap<number, MinuteMark>;

/** Minutes that were counted since the mark `from`. */
export interface UnsavedMinutes {
  readonly from: MinuteMark;
  readonly days: MinutesByDay;
}

export function addMinutes(left: MinuteMark, right: MinuteMark): MinuteMark {
  return {
    upMinutes: left.upMinutes + right.upMinutes,
    knownMinutes: left.knownMinutes + right.knownMinutes,
  };
}

export function mergeDays(left: MinutesByDay, right: MinutesByDay): Map<number, MinuteMark> {
  const sum = new Map(left);
  for (const [day, minutes] of right) sum.set(day, addMinutes(sum.get(day) ?? NO_MINUTES, minutes));
  return sum;
}

/** The bookmark after these minutes. */
export function endOf({ from, days }: UnsavedMinutes): MinuteMark {
  return [...days.values()].reduce(addMinutes, from);
}

/** Minutes after a mark: the earliest ones are those that the store has. */
export function minutesPast(unsaved: UnsavedMinutes, stored: MinuteMark): UnsavedMinutes {
  let up = Math.max(0, stored.upMinutes - unsaved.from.upMinutes);
  let known = Math.max(0, stored.knownMinutes - unsaved.from.knownMinutes);
  const days = new Map<number, MinuteMark>();
  for (const [day, minutes] of [...unsaved.days].toSorted(([a], [b]) => a - b)) {
    const left = {
      upMinutes: minutes.upMinutes - Math.min(up, minutes.upMinutes),
      knownMinutes: minutes.knownMinutes - Math.min(known, minutes.knownMinutes),
    };
    up -= minutes.upMinutes - left.upMinutes;
    known -= minutes.knownMinutes - left.knownMinutes;
    if (left.upMinutes > 0 || left.knownMinutes > 0) days.set(day, left);
  }
  const isPast = stored.knownMinutes > unsaved.from.knownMinutes;
  return { from: isPast ? stored : unsaved.from, days };
}
