/**
 * A rolled-up tier: flushed spans and what came since. Hidden here: how both are added up without counting a
 * report twice, and how metrics that are not stored are reckoned from spans.
 */
import { STATS, mergeBuckets } from "../../store/rollups/bucket.ts";
import type { RollupBucket, RollupStore, RollupTier } from "../../store/rollups/rollups.ts";
import type { MetricSource } from "../metric-names.ts";
import { toPercent } from "../metric-names.ts";
import type { Accumulator } from "./accumulator.ts";
import type { TierPoint } from "./buckets.ts";
import type { Tier, TierRange } from "./tier.ts";

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
 * A metric in a span; undefined when no report had it. A percentage of two stored metrics is that of their
 * averages: 100 × average part ÷ average whole; least and greatest likewise are those of the part, by the average
 * whole. While the whole stands still, as the size of a memory does, that is what single reports would give.
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

export interface RolledTierDeps {
  readonly tier: RollupTier;
  readonly rollups: RollupStore;
  readonly accumulator: Accumulator;
  readonly keyOf: (serverId: string) => string | undefined;
  readonly keepMs: () => number;
}

/** Makes a tier over flushed spans and the accumulator. */
export function createRolledTier(deps: RolledTierDeps): Tier {
  const { tier, rollups, accumulator, keyOf } = deps;

  async function readBuckets(serverId: string, range: TierRange): Promise<readonly RollupBucket[]> {
    const key = keyOf(serverId);
    if (key === undefined) return [];
    // The span in which `from` lies is shown whole.
    const from = Math.floor(range.from / tier.stepMs) * tier.stepMs;
    // Seen before the rollups are asked: what is flushed meanwhile is in both, and the mark tells which to take.
    const pending = accumulator.view(serverId);
    const { buckets, flushedSeq } = await rollups.read({ tier: tier.name, key, from, to: range.to });
    const recent = [...pending.read(flushedSeq)].filter(({ at }) => at >= from && at < range.to);
    return mergeBuckets([...buckets, ...recent], { stepMs: tier.stepMs });
  }

  return {
    name: tier.name,
    stepMs: tier.stepMs,
    get reachMs() {
      return deps.keepMs();
    },
    read: async (serverId, range) => {
      const buckets = await readBuckets(serverId, range);
      return {
        *points(source) {
          for (const bucket of buckets) {
            const point = readPoint(bucket, source);
            if (point !== undefined) yield point;
          }
        },
      };
    },
  };
}
