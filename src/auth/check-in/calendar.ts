/** The calendar of check-ins: streaks, bonuses and rewards, all pure. */
import { addDays, dayBefore, toDay } from "../../kit/time/zone-days.ts";

/** Two zones name the same instant by days that are at most this far apart (UTC+14 and UTC-12). */
const MAX_ZONE_DAYS = 2;

/** A check-in as the calendar sees it. */
export interface PastCheckIn {
  /** In the zone that was set then. */
  readonly day: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly streak: number;
}

/** The position of a day among the days of a time zone. */
export interface Today {
  readonly today: string;
  /** The day lived before it. */
  readonly yesterday: string;
  readonly timeZone: string;
}

/** Today and yesterday at an instant in a zone. */
export function readToday(ms: number, timeZone: string): Today {
  return { today: toDay(ms, timeZone), yesterday: dayBefore(ms, timeZone), timeZone };
}

/** The first day that no check-in of a clock and zone that were right can bear. */
export function firstImpossibleDay(today: string): string {
  return addDays(today, MAX_ZONE_DAYS + 1);
}

/**
 * The day that a check-in counts for: the stored day, or a later one if the current time zone gives its instant a
 * later date. So a change of the time zone never pays two rewards for one day of either zone. East of the old zone, a
 * streak continues for users who had checked in on the day of the change; west of it the stored day may be in the
 * future, then the next check-in is the day after it. Switching zones back and forth within a few days can break a
 * streak, since some days cannot be used.
 */
function toCountedDay(last: PastCheckIn, timeZone: string): string {
  const seen = toDay(last.at, timeZone);
  return seen > last.day ? seen : last.day;
}

/** What a person can do next about their streak. */
export type StreakState =
  /** The last check-in counts for today, or for a day that is still to come after a change of the zone. */
  | { readonly kind: "done"; readonly streak: number }
  /** It may be done, and would make the streak this long; `present` is what it is until then, 0 when broken. */
  | { readonly kind: "open"; readonly streak: number; readonly present: number };

/** The streak before and after a check-in made today; never less than 1 after one. */
export function toStreak(options: Today & { readonly last: PastCheckIn | undefined }): StreakState {
  const { last, today, yesterday, timeZone } = options;
  if (last === undefined) return { kind: "open", streak: 1, present: 0 };
  const day = toCountedDay(last, timeZone);
  if (day >= today) return { kind: "done", streak: last.streak };
  return day >= yesterday
    ? { kind: "open", streak: last.streak + 1, present: last.streak }
    : { kind: "open", streak: 1, present: 0 };
}

/** Points on top for a streak that reaches `days`: once, or at each multiple. */
export interface StreakBonus {
  readonly days: number;
  readonly bonus: number;
  readonly every: boolean;
}

/** The points on top for a streak of this length; bonuses of one length add up. */
export function toBonus(streak: number, bonuses: readonly StreakBonus[]): number {
  let sum = 0;
  for (const { days, bonus, every } of bonuses) {
    if (streak === days || (every && streak > 0 && streak % days === 0)) sum += bonus;
  }
  return sum;
}

/** The first bonus that lies ahead of a streak of this length; undefined when none does. */
export function findNextBonus(
  streak: number,
  bonuses: readonly StreakBonus[],
): { days: number; bonus: number } | undefined {
  const ahead = bonuses
    .map(({ days, every }) => (every ? days * (Math.floor(streak / days) + 1) : days))
    .filter((length) => length > streak);
  if (ahead.length === 0) return undefined;
  const next = Math.min(...ahead);
  return { days: next - streak, bonus: toBonus(next, bonuses) };
}

/** A whole number from `min` to `max`, both included; `random` gives numbers from 0 up to, not including, 1. */
export function pickReward(min: number, max: number, random: () => number): number {
  return min + Math.min(max - min, Math.floor(random() * (max - min + 1)));
}
