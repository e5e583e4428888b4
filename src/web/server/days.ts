/** The days of a server: shares of uptime over spans, and bars of traffic. */
export interface Day {
  /** "2026-11-21", in the server's own time zone. */
  readonly date: string;
  readonly rxBytes: number;
  readonly txBytes: number;
  readonly upMinutes: number;
  readonly knownMinutes: number;
}

export interface DaysAnswer {
  readonly timeZone: string;
  /** Oldest first, without gaps. */
  readonly days: readonly Day[];
}

/** Share of the watched minutes of each day; null on a day that nobody watched. */
export function toRatios(days: readonly Day[]): readonly (number | null)[] {
  return days.map(({ upMinutes, knownMinutes }) => (knownMinutes > 0 ? upMinutes / knownMinutes : null));
}

/** Share of the watched minutes of the last `count` days; undefined when nobody watched. */
export function toSpanRatio(days: readonly Day[], count: number): number | undefined {
  let [up, known] = [0, 0];
  for (const day of days.slice(-count)) {
    up += day.upMinutes;
    known += day.knownMinutes;
  }
  return known > 0 ? up / known : undefined;
}

export interface TrafficBar {
  readonly day: Day;
  /** Heights of received and sent, 0 to 1 of the largest day. */
  readonly rx: number;
  readonly tx: number;
}

/** The last `count` days as bars. */
export function toTrafficBars(days: readonly Day[], count: number): readonly TrafficBar[] {
  const shown = days.slice(-count);
  const most = Math.max(1, ...shown.map(({ rxBytes, txBytes }) => rxBytes + txBytes));
  return shown.map((day) => ({ day, rx: day.rxBytes / most, tx: day.txBytes / most }));
}
