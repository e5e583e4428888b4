/** What a query asks of a tier of the history: the raw one now, rolled-up ones behind the same words later. */
import type { MetricSource } from "../metric-names.ts";
import type { TierPoint } from "./buckets.ts";

/** Epoch ms; `from` inclusive, `to` exclusive. */
export interface TierRange {
  readonly from: number;
  readonly to: number;
}

export interface Tier {
  /** How answers name it. */
  readonly name: string;
  /** How far back from now it reaches. */
  readonly reachMs: number;
  /** The points of one metric in a range, sorted by time; those without a value are left out. */
  read(serverId: string, source: MetricSource, range: TierRange): Iterable<TierPoint>;
}
