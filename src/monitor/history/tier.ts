/** The interface of a tier of the history: single reports in memory, or rolled-up spans. */
import type { MetricSource } from "../base/metrics.ts";
import type { TierPoint } from "./buckets.ts";

/** Epoch ms; `from` inclusive, `to` exclusive. */
export interface TierRange {
  readonly from: number;
  readonly to: number;
  /** Sources to read from the content. */
  readonly sources: readonly MetricSource[];
}

/** Content of a tier for one series and range. */
export interface TierContent {
  /** The points of one metric, sorted by time; those without a value are left out. */
  points(source: MetricSource): Iterable<TierPoint>;
}

export interface Tier {
  /** How answers name it. */
  readonly name: string;
  /** Width of its points; 0 for single reports. */
  readonly stepMs: number;
  /** How far back from now it reaches. */
  readonly reachMs: number;
  read(seriesId: string, range: TierRange): Promise<TierContent>;
}
