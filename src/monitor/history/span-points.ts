/** Points of metrics from spans. */
import { STATS } from "../../store/series/rollups/bucket.ts";
import type { RollupBucket } from "../../store/series/rollups/rollups.ts";
import { type MetricSource, toPercent } from "../base/metrics.ts";
import type { TierPoint } from "./buckets.ts";
import type { TierContent } from "./tier.ts";

interface Stat {
  readonly count: number;
  readonly min: number;
  readonly avg: number;
  readonly max: number;
}

function readStat(stats: Float64Array, column: number): Stat {
  const base = column * STATS;
  const count = stats[base] ?? 0;
  const sum = stats[base + 3] ?? 0;
  return { count, min: stats[base + 1] ?? 0, avg: sum / count, max: stats[base + 2] ?? 0 };
}

/**
 * A metric in a span; undefined when no report had it. A percentage of two stored metrics is that of their averages:
 * 100 × average part ÷ average whole; least and greatest likewise are those of the part, by the average whole. While
 * the whole is constant, as the size of a memory is, this equals the result of single reports.
 */
function readPoint({ at, stats }: RollupBucket, source: MetricSource): TierPoint | undefined {
  if (source.type === "stored") {
    const stat = readStat(stats, source.index);
    return stat.count === 0 ? undefined : { at, ...stat };
  }
  const part = readStat(stats, source.part);
  const whole = readStat(stats, source.whole);
  const avg = toPercent(part.avg, whole.avg);
  if (part.count === 0 || Number.isNaN(avg)) return undefined;
  const bound = (value: number): number => Math.min(100, toPercent(value, whole.avg));
  return { at, count: part.count, min: bound(part.min), avg: bound(part.avg), max: bound(part.max) };
}

/** The contents of spans, sorted by time. */
export function toContent(buckets: readonly RollupBucket[]): TierContent {
  return {
    *points(source) {
      for (const bucket of buckets) {
        const point = readPoint(bucket, source);
        if (point !== undefined) yield point;
      }
    },
  };
}

/** The numbers of the stored metrics that these are made of. */
export function columnsOf(sources: readonly MetricSource[]): number[] {
  const columns = sources.flatMap((source) =>
    source.type === "stored" ? [source.index] : [source.part, source.whole],
  );
  return [...new Set(columns)];
}
