/** Answers about days: figures by day, and shares of uptime. */
import { toDayText } from "../../kit/time/zone-days.ts";
import type { Store } from "../../store/store.ts";
import type { ServerRecord } from "../base/schema.ts";
import { type DayRing, type DaySums, HELD_DAYS, NOTHING } from "./day-ring.ts";
import { readServerDays } from "./months.ts";

/** A day as people see it. */
export interface DayFigures extends DaySums {
  /** By the server's own time zone, "2026-11-21". */
  readonly date: string;
}

/** Shares of the known minutes in which a server was online, 0 to 1; absent while nothing is known. */
export interface UptimeRatios {
  /** Of today. */
  readonly day1?: number;
  /** Of the last 30 days, today included. */
  readonly day30?: number;
  /** Of the last 90 days, today included. */
  readonly day90?: number;
}

/** Shares of uptime by day, 0 to 1, oldest first and today last; null where nothing is known. */
export interface UptimeDays {
  readonly days: readonly (number | null)[];
  /** Of all these days together. */
  readonly ratio: number | null;
  /** Minutes of all these days in which the service watched. */
  readonly knownMinutes: number;
}

export interface DayAnswersDeps {
  readonly store: Store;
  /** The number of the day that it is for a server. */
  readonly todayOf: (record: ServerRecord) => number;
  readonly findRing: (serverId: string) => DayRing | undefined;
}

/** A share in ten-thousandths; undefined when nothing is known. */
function toRatio(sums: DaySums | undefined): number | undefined {
  if (sums === undefined || sums.knownMinutes === 0) return undefined;
  return Math.round((sums.upMinutes / sums.knownMinutes) * 10_000) / 10_000;
}

/** Creates the answers over the days in memory and in the store. */
export function createDayAnswers({ store, todayOf, findRing }: DayAnswersDeps) {
  return {
    /** The last `count` days, oldest first and today last; days that nothing is known of are all 0. */
    async days(record: ServerRecord, count: number): Promise<readonly DayFigures[]> {
      const end = todayOf(record) + 1;
      const first = end - count;
      const asked = { serverId: record.id, first, end };
      const older = count <= HELD_DAYS ? undefined : await store.read((tx) => readServerDays(tx, asked));
      const ring = findRing(record.id);
      return Array.from({ length: count }, (_, index) => {
        const day = first + index;
        return { date: toDayText(day), ...(ring?.get(day) ?? older?.get(day) ?? NOTHING) };
      });
    },
    /** The uptime of the last `count` days, at most {@link HELD_DAYS}. */
    uptimeDays(record: ServerRecord, count: number): UptimeDays {
      const end = todayOf(record) + 1;
      const first = end - count;
      const ring = findRing(record.id);
      const sums = ring?.sum(first, end);
      return {
        days: Array.from({ length: count }, (_, index) => toRatio(ring?.get(first + index)) ?? null),
        ratio: toRatio(sums) ?? null,
        knownMinutes: sums?.knownMinutes ?? 0,
      };
    },
    /** The uptime of the usual spans. */
    uptime(record: ServerRecord): UptimeRatios {
      const end = todayOf(record) + 1;
      const ring = findRing(record.id);
      const [day1, day30, day90] = [1, 30, 90].map((count) => toRatio(ring?.sum(end - count, end)));
      return {
        ...(day1 === undefined ? {} : { day1 }),
        ...(day30 === undefined ? {} : { day30 }),
        ...(day90 === undefined ? {} : { day90 }),
      };
    },
  };
}
