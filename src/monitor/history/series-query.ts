/** Reads series from the tier that fits the question. */
import type { MetricSource } from "../base/metrics.ts";
import { type HistoryPoint, chooseStep, gather } from "./buckets.ts";
import type { Tier } from "./tier.ts";

export interface SeriesQuery {
  readonly seriesId: string;
  readonly sources: readonly MetricSource[];
  /** Epoch ms, inclusive. */
  readonly from: number;
  /** Epoch ms, exclusive. */
  readonly to: number;
  /** Points at most for each series, 1 or more. */
  readonly points: number;
  /** Start of this series, epoch ms: earlier points belong to another; default: none do. */
  readonly since?: number;
}

export interface FoundSeries {
  readonly tier: string;
  readonly stepMs: number;
  readonly points: HistoryPoint[];
}

/**
 * The tier for a query: single reports when they reach back far enough; else the coarsest one that still gives
 * as many points as requested, as it is the quickest; else the one that reaches furthest.
 */
function pickTier(tiers: readonly [Tier, ...Tier[]], query: SeriesQuery, now: number): Tier {
  const reaching = tiers.filter(({ reachMs }) => reachMs >= now - query.from);
  const [finest] = reaching;
  if (finest === undefined) return tiers.reduce((far, tier) => (tier.reachMs >= far.reachMs ? tier : far));
  if (finest.stepMs === 0) return finest;
  const stepMs = chooseStep(query, query.points);
  return reaching.findLast((tier) => stepMs % tier.stepMs === 0) ?? finest;
}

/** One series a source, in the order asked. */
export async function querySeries(
  tiers: readonly [Tier, ...Tier[]],
  query: SeriesQuery,
  now: number,
): Promise<FoundSeries[]> {
  const tier = pickTier(tiers, query, now);
  const { from, to, sources, since = 0 } = query;
  const content = await tier.read(query.seriesId, { from, to, sources });
  return sources.map((source) => {
    const points = [...content.points(source)].filter(({ at }) => at >= since);
    const isFine = points.length > query.points;
    const multipleOf = Math.max(1, tier.stepMs);
    const stepMs = isFine ? chooseStep({ from, to, multipleOf }, query.points) : tier.stepMs;
    return { tier: tier.name, stepMs, points: gather(points, stepMs) };
  });
}
