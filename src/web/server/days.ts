/** The days of a server: shares of uptime over spans, and bars of traffic. */
import type { ServerDays } from "../../monitor/fleet/days-schema.ts";
import { toDay } from "../app/format.ts";

export type Day = ServerDays["days"][number];

/** Share of the watched minutes of each day; null for days without any. */
export function toRatios(days: readonly Day[]): readonly (number | null)[] {
  return days.map(({ upMinutes, knownMinutes }) => (knownMinutes > 0 ? upMinutes / knownMinutes : null));
}

/** Share of the watched minutes of the last `count` days; undefined without any. */
export function toSpanRatio(days: readonly Day[], count: number): number | undefined {
  let [up, known] = [0, 0];
  for (const day of days.slice(-count)) {
    up += day.upMinutes;
    known += day.knownMinutes;
  }
  return known > 0 ? up / known : undefined;
}

/** How much time was watched in all. */
export function toKnownMs(days: readonly Day[]): number {
  return days.reduce((sum, { knownMinutes }) => sum + knownMinutes * 60_000, 0);
}

/** The name of a day: its date is in the server's time zone, whatever the reader's. */
export function toDayName({ date }: Pick<Day, "date">): string {
  return toDay(Date.parse(date), "UTC");
}

export interface TrafficBar {
  readonly day: Day;
  /** Heights of received and sent, 0 to 1 of the scale. */
  readonly rx: number;
  readonly tx: number;
}

export interface TrafficBars {
  /** Where the scale ends, bytes. */
  readonly top: number;
  readonly bars: readonly TrafficBar[];
}

const ROUND = [1, 2, 4, 5, 6, 8, 10];

/** The least round number that is not below `value`. */
function toRound(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (ROUND.find((step) => step * power >= value) ?? 10);
}

/** The last `count` days as bars. */
export function toTrafficBars(days: readonly Day[], count: number): TrafficBars {
  const shown = days.slice(-count);
  const top = toRound(Math.max(1_000, ...shown.map(({ rxBytes, txBytes }) => rxBytes + txBytes)));
  return { top, bars: shown.map((day) => ({ day, rx: day.rxBytes / top, tx: day.txBytes / top })) };
}
