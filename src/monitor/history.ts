/**
 * The history of all servers for charts. Hidden here: which tier answers a query, and how points are
 * gathered so that an answer stays small.
 */
import type { Clock } from "../kit/clock.ts";
import type { HistoryPoint } from "./history/buckets.ts";
import { chooseStep, gather } from "./history/buckets.ts";
import { createRawTier } from "./history/raw-tier.ts";
import type { Tier } from "./history/tier.ts";
import type { MetricName } from "./metric-names.ts";
import { metricSource } from "./metric-names.ts";

export interface HistoryOptions {
  readonly clock: Clock;
  /** How long single reports are kept. Default 15 minutes. */
  readonly rawMs?: number;
  /** Reports kept for a server at most. Default 900. */
  readonly maxPoints?: number;
}

export interface HistoryRequest {
  readonly serverId: string;
  readonly metrics: readonly MetricName[];
  /** Epoch ms, inclusive. */
  readonly from: number;
  /** Epoch ms, exclusive. */
  readonly to: number;
  /** Points at most for each series, 1 or more. */
  readonly points: number;
}

export interface HistorySeries {
  readonly metric: MetricName;
  /** Where the points come from. */
  readonly tier: string;
  /** Width of a point in ms; 0 when each point is one report. */
  readonly stepMs: number;
  /** Sorted by time; spans without a value are left out. */
  readonly points: HistoryPoint[];
}

export interface History {
  /** Keeps a report's row under `at` (epoch ms). Older than the window: ignored; the same `at` again: replaced. */
  insert(serverId: string, at: number, row: ArrayLike<number>): void;
  /** One series a metric, in the order asked. A server without history has series without points. */
  query(request: HistoryRequest): HistorySeries[];
  /** Forgets a server. */
  drop(serverId: string): void;
  /** Frees what has passed, also of servers that report no more; call it every minute or so. */
  sweep(): void;
  /** For measuring. */
  readonly size: { readonly servers: number; readonly bytes: number };
}

/** Makes an empty history. */
export function createHistory(options: HistoryOptions): History {
  const { clock } = options;
  const raw = createRawTier({
    clock,
    windowMs: options.rawMs ?? 15 * 60_000,
    maxPoints: options.maxPoints ?? 900,
  });
  /** Finest first. */
  const tiers: readonly [Tier, ...Tier[]] = [raw];

  /** The finest tier that reaches back to `from`, else the one that reaches furthest. */
  function pickTier(from: number): Tier {
    const ageMs = clock.now() - from;
    return tiers.find(({ reachMs }) => reachMs >= ageMs) ?? tiers.at(-1) ?? tiers[0];
  }

  function querySeries(request: HistoryRequest, tier: Tier, metric: MetricName): HistorySeries {
    const points = [...tier.read(request.serverId, metricSource(metric), request)];
    const stepMs = points.length <= request.points ? 0 : chooseStep(request, request.points);
    return { metric, tier: tier.name, stepMs, points: gather(points, stepMs) };
  }

  return {
    insert: (serverId, at, row) => raw.insert(serverId, at, row),
    query(request) {
      if (!(request.to > request.from))
        return request.metrics.map((metric) => ({ metric, tier: raw.name, stepMs: 0, points: [] }));
      const tier = pickTier(request.from);
      return request.metrics.map((metric) => querySeries(request, tier, metric));
    },
    drop: (serverId) => raw.drop(serverId),
    sweep: () => raw.sweep(),
    get size() {
      return { servers: raw.servers, bytes: raw.sizeBytes };
    },
  };
}
