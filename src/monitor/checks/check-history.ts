/** The history of checks: uptime by span, response times. */
import { isJudged } from "./judged.ts";
import { AppError } from "../../kit/errors.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { toDayNumber, toDayText, toDay } from "../../kit/time/zone-days.ts";
import type { TierPoint } from "../history/buckets.ts";
import type { History, HistorySeries } from "../history/history.ts";
import type { CheckRecord } from "./schema.ts";
import { toSeriesId } from "./series.ts";
import type { CheckDirectory } from "./standings.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Hours of the last day, shown one by one. */
const HOURS = 24;
/** Checks whose hours are read at the same time. */
const READ_AT_ONCE = 20;
/** Days that are shown one by one. */
export const UPTIME_DAYS = 90;

/** Spans that people ask about, with the tier of the history that they are reckoned from. */
const windows = [
  { period: "24h", ms: DAY_MS, tier: "1h", stepMs: HOUR_MS },
  { period: "7d", ms: 7 * DAY_MS, tier: "1h", stepMs: HOUR_MS },
  { period: "30d", ms: 30 * DAY_MS, tier: "1d", stepMs: DAY_MS },
  { period: "90d", ms: 90 * DAY_MS, tier: "1d", stepMs: DAY_MS },
] as const;
export const uptimePeriods = ["24h", "7d", "30d", "90d"] as const;

/** Uptime of one span. What is not known is neither up nor down. */
export interface Uptime {
  readonly period: (typeof uptimePeriods)[number];
  /** Of what is known; null where nothing is. */
  readonly upPercent: number | null;
  /** How much of the span, since the check was made, is known. */
  readonly knownPercent: number;
}

export interface CheckUptime {
  readonly windows: readonly Uptime[];
  /** Beginning of the oldest result that counts here, epoch milliseconds; undefined without results. */
  readonly knownSince: number | undefined;
  /** Days of UTC, the oldest first, today last. */
  readonly days: readonly { readonly day: string; readonly upPercent: number | null }[];
}

/** The uptime of a check by hour or day. */
export interface CheckSpan {
  readonly id: string;
  /** Of each hour or day of UTC, the oldest first and the present one last; null where nothing is known. */
  readonly upPercents: readonly (number | null)[];
  /** Of all together. */
  readonly upPercent: number | null;
  /** As in {@link CheckUptime}. */
  readonly knownSince: number | undefined;
}

/** Spans by name: how wide a bar is, how many there are. */
const spans = {
  "24h": { tier: "1h", stepMs: HOUR_MS, count: HOURS },
  "90d": { tier: "1d", stepMs: DAY_MS, count: UPTIME_DAYS },
} as const;

export interface CheckHistoryDeps {
  readonly history: Pick<History, "query" | "spans">;
  readonly directory: CheckDirectory;
  readonly clock: Pick<Clock, "now">;
}

interface Span {
  /** Epoch milliseconds, inclusive. */
  readonly from: number;
  /** Epoch milliseconds, exclusive. */
  readonly to: number;
}

function round(percent: number): number {
  return Math.round(percent * 1_000) / 1_000;
}

function toUpPercent(points: readonly TierPoint[]): number | null {
  const count = points.reduce((sum, point) => sum + point.count, 0);
  if (count === 0) return null;
  return round(points.reduce((sum, { avg, count: part }) => sum + avg * part, 0) / count);
}

/** Of a new check, the first hour or day begins before it was created. */
function toKnownSince({ createdAt }: CheckRecord, first: number | undefined): number | undefined {
  return first === undefined ? undefined : Math.max(createdAt, first);
}

export class CheckHistory {
  readonly #deps: CheckHistoryDeps;

  constructor(deps: CheckHistoryDeps) {
    this.#deps = deps;
  }

  /** Uptime of the last day, week, 30 and 90 days, and of each day. @throws AppError `not_found` */
  async uptime(id: string): Promise<CheckUptime> {
    const now = this.#deps.clock.now();
    const record = this.#getRecord(id);
    const today = toDayNumber(toDay(now, "UTC"));
    const first = today - UPTIME_DAYS + 1;
    const days = await this.#up(id, "1d", { from: first * DAY_MS, to: now + 1 });
    const hours = await this.#up(id, "1h", { from: now - 7 * DAY_MS, to: now + 1 });
    return {
      // The tier of days is kept for longer, and has its first day as soon as that of hours has an hour.
      knownSince: toKnownSince(record, days[0]?.at),
      windows: windows.map(({ period, ms, tier, stepMs }) => {
        const from = now - ms;
        const known = (tier === "1d" ? days : hours).filter(({ at }) => at > from - stepMs);
        return {
          period,
          upPercent: toUpPercent(known),
          knownPercent: toKnownPercent(record, { spans: known, stepMs, from, now }),
        };
      }),
      days: Array.from({ length: UPTIME_DAYS }, (_, index) => {
        const at = (first + index) * DAY_MS;
        const of = days.filter((point) => point.at === at);
        return { day: toDayText(first + index), upPercent: toUpPercent(of) };
      }),
    };
  }

  /** The uptime of these checks by hour or day; unknown IDs are omitted. */
  async spans(ids: readonly string[], span: keyof typeof spans): Promise<readonly CheckSpan[]> {
    const { directory, clock } = this.#deps;
    const known = ids.flatMap((id) => directory.findRecord(id) ?? []);
    const now = clock.now();
    const found: CheckSpan[] = [];
    for (let at = 0; at < known.length; at += READ_AT_ONCE) {
      const some = known.slice(at, at + READ_AT_ONCE).map((record) => this.#span(record, { span, now }));
      found.push(...(await Promise.all(some)));
    }
    return found;
  }

  /**
   * Response times and uptime of the check as a whole, or of a place.
   * @throws AppError `not_found` of a check or place that is none
   */
  series(
    id: string,
    { place, ...asked }: Span & { readonly place: string; readonly points: number },
  ): Promise<readonly HistorySeries[]> {
    const { places } = this.#getRecord(id);
    if (place !== "center" && !places.serverIds.includes(place))
      throw new AppError("not_found", `The check does not run at the location "${place}"`);
    const metrics = ["check.latencyMs", "check.upPercent"] as const;
    return this.#deps.history.query({ serverId: toSeriesId(id, place), metrics, ...asked });
  }

  async #span(
    record: CheckRecord,
    { span, now }: { span: keyof typeof spans; now: number },
  ): Promise<CheckSpan> {
    const { tier, stepMs, count } = spans[span];
    const first = (Math.floor(now / stepMs) - count + 1) * stepMs;
    const { id } = record;
    const points = await this.#up(id, tier, { from: first, to: now + 1 });
    const byStart = new Map(points.map((point) => [point.at, point.avg]));
    const upPercents = Array.from({ length: count }, (_, index) => {
      const percent = byStart.get(first + index * stepMs);
      return percent === undefined ? null : round(percent);
    });
    const knownSince = toKnownSince(record, points[0]?.at);
    return { id, upPercents, upPercent: toUpPercent(points), knownSince };
  }

  #up(id: string, tier: "1h" | "1d", span: Span): Promise<readonly TierPoint[]> {
    return this.#deps.history.spans({ serverId: id, metric: "check.upPercent", tier, ...span });
  }

  #getRecord(id: string): CheckRecord {
    const record = this.#deps.directory.findRecord(id);
    if (record === undefined) throw new AppError("not_found", `There is no check "${id}"`);
    return record;
  }
}

/** A check that runs once a day has no hourly value. */
function toKnownPercent(
  { createdAt, intervalSeconds, target }: CheckRecord,
  { spans, stepMs, from, now }: { spans: readonly TierPoint[]; stepMs: number; from: number; now: number },
): number {
  const since = Math.max(from, createdAt);
  const eachMs = isJudged(target) ? stepMs : Math.max(stepMs, intervalSeconds * 1_000);
  // The present span has just begun, perhaps: it counts once something is known of it.
  const present = (spans.at(-1)?.at ?? 0) + stepMs > now ? 1 : 0;
  const expected = Math.max(1, Math.floor(now / eachMs) - Math.floor(since / eachMs) + present);
  return round(Math.min(100, (100 * spans.length) / expected));
}
