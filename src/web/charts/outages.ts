/** Events next to the values of charts: outages, restarts, alerts. */
import { type Series, toGapMs } from "./series.ts";
import type { Span } from "./range/span.ts";

/** A span without reports. */
export interface Outage extends Span {
  /** It lasts until now, or beyond the end of what was asked for. */
  readonly isOpen: boolean;
  /** Of a check: it ran, and was down. */
  readonly isDown?: boolean;
}

export interface Alert {
  /** When it began, epoch ms. */
  readonly from: number;
  /** When it ended; undefined while it lasts. */
  readonly to: number | undefined;
  readonly severity: "info" | "warning" | "critical";
  readonly name: string;
}

/** All of it, in order of time. */
export interface ChartEvents {
  readonly outages: readonly Outage[];
  /** Moments at which the machine had started again. */
  readonly restarts: readonly number[];
  /** Only an administrator gets them. */
  readonly alerts: readonly Alert[];
  /** When the history of the server begins, epoch ms; undefined while that is not known. */
  readonly firstAt: number | undefined;
  /** Times of outages are as exact as this, ms. */
  readonly stepMs: number;
}

export const noEvents: ChartEvents = { outages: [], restarts: [], alerts: [], firstAt: undefined, stepMs: 0 };

export interface OutageOptions {
  /** The requested span; it ends now at the latest. */
  readonly span: Span;
  readonly firstAt: number | undefined;
  /** The last report of a server that is offline now. */
  readonly offlineSince?: number | undefined;
  /** Whether reports arrive, or none are expected: then nothing is missing at the end. */
  readonly isCurrent: boolean;
}

/** The spans in which a series that every report has stopped. */
export function findOutages(series: Series, options: OutageOptions): readonly Outage[] {
  const { span, firstAt, offlineSince, isCurrent } = options;
  const gapMs = toGapMs(series);
  const found: Outage[] = [];
  // A point stands for the whole step that begins with it.
  let reportedUntil = firstAt === undefined || firstAt > span.from ? undefined : span.from;
  for (const { at } of series.points) {
    if (reportedUntil !== undefined && at - reportedUntil > gapMs - series.stepMs)
      found.push({ from: reportedUntil, to: at, isOpen: false });
    reportedUntil = at + series.stepMs;
  }
  const from = offlineSince ?? reportedUntil;
  const isMissing = from !== undefined && (offlineSince !== undefined || span.to - from > gapMs);
  if (isMissing && !isCurrent && from < span.to) found.push({ from, to: span.to, isOpen: true });
  return found;
}

/** Clocks are not that exact. */
const SLACK_SECONDS = 5;

/** When the machine had started again, from the uptimes that it reported. */
export function findRestarts({ stepMs, points }: Series): readonly number[] {
  const found: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  points.forEach((point, index) => {
    const hasFallen = (point.max - point.min - SLACK_SECONDS) * 1_000 > stepMs;
    if (hasFallen || point.min < last - SLACK_SECONDS) {
      // A step that lies behind the restart whole says when that was: its last report is the one with most uptime.
      const whole = hasFallen ? points[index + 1] : point;
      found.push(whole === undefined ? point.at + stepMs / 2 : whole.at + stepMs - whole.max * 1_000);
    }
    last = hasFallen ? point.min : point.max;
  });
  return found;
}

/** The outage at a moment, epoch ms. */
export function findOutage({ outages }: Pick<ChartEvents, "outages">, at: number): Outage | undefined {
  return outages.find(({ from, to }) => at >= from && at < to);
}
