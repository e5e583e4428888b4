/**
 * The calendar of check-ins: days of a time zone, streaks, bonuses and rewards, all pure. Hidden here: what
 * daylight saving, missing midnights, missing days and a change of the set zone mean for a day and a streak.
 */

const HOUR_MS = 3_600_000;
/** Shorter than every day that ever was in a zone, so that a search in such steps passes over none. */
const STEP_MS = 6 * HOUR_MS;
/** A search ends here; the longest day of any zone (one that was lived twice) has 48 hours. */
const MAX_STEPS = 12;
/** Two zones name the same instant by days that are at most this far apart (UTC+14 and UTC-12). */
const MAX_ZONE_DAYS = 2;

/** Making a format costs as much as a thousand uses of it. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 64;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, made);
  return made;
}

/** The day of an instant (epoch milliseconds) in an IANA zone, "2026-01-31". Throws RangeError for an unknown zone. */
export function toDay(ms: number, timeZone: string): string {
  const parts = { year: "", month: "", day: "" };
  for (const { type, value } of formatOf(timeZone).formatToParts(ms)) {
    if (type === "year" || type === "month" || type === "day") parts[type] = value;
  }
  return `${parts.year.padStart(4, "0")}-${parts.month}-${parts.day}`;
}

/** The day that is `days` after another one in the calendar; before it when negative. */
export function addDays(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
}

/** The day before another one in the calendar; {@link dayBefore} knows what a zone makes of it. */
export function previousDay(day: string): string {
  return addDays(day, -1);
}

/**
 * The day that was lived in the zone before the day of an instant. It is not always the calendar's: Apia had
 * no 2011-12-30, so there the 29th comes before the 31st.
 */
export function dayBefore(ms: number, timeZone: string): string {
  const today = toDay(ms, timeZone);
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const day = toDay(ms - step * STEP_MS, timeZone);
    if (day < today) return day;
  }
  return previousDay(today);
}

/**
 * The first millisecond of the zone's next day, which need not read 00:00. Where clocks were set back from
 * just after midnight (St. John's until 2011), a day begins twice, and this is one of the two.
 */
export function nextMidnight(ms: number, timeZone: string): number {
  const today = toDay(ms, timeZone);
  let before = ms;
  let after = ms;
  for (let step = 1; step <= MAX_STEPS && toDay(after, timeZone) <= today; step += 1) {
    before = after;
    after = ms + step * STEP_MS;
  }
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (toDay(middle, timeZone) > today) after = middle;
    else before = middle;
  }
  return after;
}

/** A check-in as the calendar sees it. */
export interface PastCheckIn {
  /** In the zone that was set then. */
  readonly day: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly streak: number;
}

/** Where a day stands among the days of a zone. */
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
 * The day that a check-in counts for now: the one it is stored with, or a later one when the present zone
 * calls its instant so. Thus a change of the zone gives nobody two rewards for one day of either zone. East
 * of the old zone, a streak goes on for whoever had checked in on the day of the change; west of it the stored
 * day may lie ahead, then the next check-in is the day after that. Zones changed to and fro within a few days
 * can break a streak, since days pass that nobody could use.
 */
function toCountedDay(last: PastCheckIn, timeZone: string): string {
  const seen = toDay(last.at, timeZone);
  return seen > last.day ? seen : last.day;
}

/** What stands between a person and their next check-in. */
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

/** A whole number from `min` to `max`, both included; `random` gives numbers from 0 up to, not including, 1. */
export function pickReward(min: number, max: number, random: () => number): number {
  return min + Math.min(max - min, Math.floor(random() * (max - min + 1)));
}
