/** Cycles of traffic, pure: from reset day to reset day in the server's own time zone. */
import { startOfDay, toDay, toDayNumber } from "../../kit/time/zone-days.ts";

/** The rule of a server's traffic cycles. */
export interface CycleRule {
  /** Day of the month, 1 to 31; a month that is shorter resets on its last day. */
  readonly resetDay: number;
  /** An IANA name. */
  readonly timeZone: string;
}

/** A cycle as instants, and as the days that are counted in it. */
export interface TrafficCycle {
  /** Epoch milliseconds, inclusive: the first instant of the reset day. */
  readonly from: number;
  /** Epoch milliseconds, exclusive. */
  readonly to: number;
  /** Number of its first day in the calendar. */
  readonly firstDay: number;
  /** Number of the day after its last one. */
  readonly endDay: number;
}

/** Cycles that are remembered; a fleet has few zones and reset days. */
const MAX_CYCLES = 256;

/** The reset day of the month that is `offset` after the one of `day`, as text. */
function findResetDay(day: string, { resetDay, offset }: { resetDay: number; offset: number }): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  const length = new Date(Date.UTC(year, month + offset, 0)).getUTCDate();
  const date = new Date(Date.UTC(year, month - 1 + offset, Math.min(resetDay, length)));
  return date.toISOString().slice(0, 10);
}

/**
 * The cycle that an instant (epoch milliseconds) lies in; cycles follow each other without a gap.
 * @throws RangeError for an unknown zone
 */
export function findTrafficCycle({ resetDay, timeZone }: CycleRule, atMs: number): TrafficCycle {
  const day = toDay(atMs, timeZone);
  // Decided by instants: where a day begins twice, its name alone would not say on which side it lies.
  for (const offset of [1, 0, -1, -2]) {
    const first = findResetDay(day, { resetDay, offset });
    const from = startOfDay(first, timeZone);
    if (from > atMs) continue;
    const next = findResetDay(day, { resetDay, offset: offset + 1 });
    return { from, to: startOfDay(next, timeZone), firstDay: toDayNumber(first), endDay: toDayNumber(next) };
  }
  throw new RangeError(`No cycle of ${timeZone} holds ${atMs}`);
}

/** Finds cycles quickly: what was reckoned is used while instants lie in it. */
export function createCycleFinder(): (rule: CycleRule, atMs: number) => TrafficCycle {
  const known = new Map<string, TrafficCycle>();
  return (rule, atMs) => {
    const key = `${rule.resetDay} ${rule.timeZone}`;
    const found = known.get(key);
    if (found !== undefined && found.from <= atMs && atMs < found.to) return found;
    const made = findTrafficCycle(rule, atMs);
    if (known.size >= MAX_CYCLES) known.clear();
    known.set(key, made);
    return made;
  };
}
