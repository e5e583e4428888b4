/** The history of all servers for charts. */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { RollupStore, RollupTier } from "../../store/series/rollups/rollups.ts";
import { type Accumulator, type StoredRow, createAccumulator } from "./accumulator.ts";
import type { HistoryPoint, TierPoint } from "./buckets.ts";
import { createFlusher } from "./flusher.ts";
import { createForgetting } from "./gone-servers.ts";
import { type HistoryQuestion, type Others, type TimedPart, createOthers, nobodyElse } from "./others.ts";
import { type RawTier, createRawTier } from "./raw-tier.ts";
import { createRolledTier } from "./rolled-tier.ts";
import { querySeries } from "./series-query.ts";
import { type DiskUse, estimateDiskUse } from "./sizes.ts";
import type { Tier } from "./tier.ts";
import { createTiers, toKeepMs } from "./tiers.ts";
import { type MetricName, metricKinds, metricSource } from "../base/metrics.ts";
import type { Retention } from "../base/schema.ts";
import { type KeyedServer, toKey } from "../base/server-key.ts";

export interface HistoryOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly rollups: RollupStore;
  readonly retention: Retention;
  /** When the server was made, epoch ms: an id that is made again starts empty. Undefined: no such server. */
  readonly createdAt: (serverId: string) => number | undefined;
  /** How long single reports are kept. Default 15 minutes. */
  readonly rawMs?: number;
  /** Reports kept for a server at most. Default 900. */
  readonly maxPoints?: number;
  /** Other processes on the same rollups. Default: none. */
  readonly nodes?: {
    readonly bus: Bus;
    /** Names of those that are alive. */
    readonly peers: () => readonly string[];
    /** How long a chart waits for what they have. Default 300 ms. */
    readonly timeoutMs?: number | undefined;
    /** The servers that there are at this moment, whatever this process knew before. */
    readonly listServers: () => Promise<readonly KeyedServer[]>;
  };
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

export interface SpansRequest {
  readonly serverId: string;
  readonly metric: MetricName;
  readonly tier: "1m" | "10m" | "1h" | "1d";
  /** Epoch ms, inclusive. */
  readonly from: number;
  /** Epoch ms, exclusive. */
  readonly to: number;
}

export interface HistorySeries {
  readonly metric: MetricName;
  /** Where the points come from: raw, 1m, 10m, 1h or 1d. */
  readonly tier: string;
  /** Width of a point in ms; 0 when each point is one report. */
  readonly stepMs: number;
  /** Sorted by time; spans without a value are left out. */
  readonly points: HistoryPoint[];
}

/** Rows seen since the start: a row whose first write failed may be in the log twice. */
function createSeen(): { isNew(serverId: string, at: number): boolean; clear(): void } {
  const seen = new Map<string, Set<number>>();
  return {
    isNew(serverId, at) {
      const times = seen.get(serverId) ?? new Set();
      seen.set(serverId, times);
      if (times.has(at)) return false;
      times.add(at);
      return true;
    },
    clear: () => seen.clear(),
  };
}

function createRolledTiers(
  options: HistoryOptions,
  parts: {
    accumulator: Accumulator;
    others: Others;
    keyOf: (serverId: string) => string | undefined;
    tiers: () => readonly RollupTier[];
  },
): Tier[] {
  const { accumulator, others, keyOf } = parts;
  return parts.tiers().map((tier) =>
    createRolledTier({
      tier,
      rollups: options.rollups,
      accumulator,
      others,
      keyOf,
      keepMs: () => parts.tiers().find(({ name }) => name === tier.name)?.keepMs ?? tier.keepMs,
    }),
  );
}

/** Finds what this process has and the rollups lack, for others. */
function createFinder(parts: {
  raw: RawTier;
  accumulator: Accumulator;
  keyOf: (serverId: string) => string | undefined;
}): (question: HistoryQuestion) => readonly TimedPart[] | undefined {
  const { raw, accumulator, keyOf } = parts;
  return (question) => {
    const { serverId, stepMs } = question;
    if (keyOf(serverId) !== question.key) return undefined;
    if (stepMs > 0) return accumulator.view(serverId).parts(question);
    const buckets = raw.spans(serverId, question);
    return buckets.length === 0 ? [] : [{ seq: 0, buckets }];
  };
}

async function readSpans(tiers: readonly Tier[], request: SpansRequest): Promise<readonly TierPoint[]> {
  const { serverId, metric, from, to } = request;
  const tier = tiers.find(({ name }) => name === request.tier);
  if (tier === undefined || to <= from) return [];
  const source = metricSource(metric);
  const content = await tier.read(serverId, { from, to, sources: [source] });
  return [...content.points(source)];
}

/** Creates the history over what its rollups hold. */
export function createHistory(options: HistoryOptions) {
  const { clock, log, rollups } = options;
  const accumulator = createAccumulator(metricKinds.length);
  const keyOf = (serverId: string): string | undefined => {
    const createdAt = options.createdAt(serverId);
    return createdAt === undefined ? undefined : toKey(serverId, createdAt);
  };
  const others =
    options.nodes === undefined ? nobodyElse : createOthers({ ...options.nodes, origin: rollups.origin });
  const raw = createRawTier({
    clock,
    windowMs: options.rawMs ?? 15 * 60_000,
    maxPoints: options.maxPoints ?? 900,
    others,
    keyOf,
  });
  others.answer(createFinder({ raw, accumulator, keyOf }));
  let rollupTiers = createTiers(options.retention);
  const tiers: readonly [Tier, ...Tier[]] = [
    raw,
    ...createRolledTiers(options, { accumulator, others, keyOf, tiers: () => rollupTiers }),
  ];
  const flusher = createFlusher({ accumulator, rollups, keyOf, clock, log });
  const seen = createSeen();
  const forgetGone = createForgetting(options);

  return {
    ...flusher,
    /**
     * Counts a report that is stored, once: into the raw tier, where one of the same time is replaced and what
     * is older than the window is ignored, and into every other tier, however late it comes.
     */
    insert(serverId: string, row: StoredRow): void {
      raw.insert(serverId, row.at, row.values);
      accumulator.add(serverId, row);
    },
    /** Restores a row at start: into the raw tier, and into the others if they lack its segment. */
    restore(serverId: string, row: StoredRow): void {
      raw.insert(serverId, row.at, row.values);
      if (row.seq >= rollups.flushedSeq && seen.isNew(serverId, row.at)) accumulator.add(serverId, row);
    },
    /** Ends bringing back: forgets what was needed to count each row once. */
    restored: (): void => seen.clear(),
    /** One series a metric, in the order asked. A server without history has series without points. */
    async query(request: HistoryRequest): Promise<HistorySeries[]> {
      if (!(request.to > request.from))
        return request.metrics.map((metric) => ({ metric, tier: raw.name, stepMs: 0, points: [] }));
      try {
        const { serverId, metrics, ...range } = request;
        const sources = metrics.map(metricSource);
        const found = await querySeries(tiers, { seriesId: serverId, sources, ...range }, clock.now());
        return metrics.map((metric, at) => {
          const { tier = raw.name, stepMs = 0, points = [] } = found[at] ?? {};
          return { metric, tier, stepMs, points };
        });
      } catch (error) {
        log.error("The history of a server cannot be read", { server: request.serverId, error });
        throw error;
      }
    },
    /** A metric in the tiers beyond single reports, sorted by time, as stored. */
    spans: (request: SpansRequest) => readSpans(tiers, request),
    /** Forgets a server; `createdAt` as it was (epoch ms). */
    drop(serverId: string, { createdAt }: { readonly createdAt: number }): void {
      raw.drop(serverId);
      accumulator.drop(serverId);
      rollups.drop(toKey(serverId, createdAt)).catch((error: unknown) => {
        log.warn("The history of a deleted server could not be removed yet; retrying later", {
          server: serverId,
          error,
        });
      });
    },
    /** Changes how long tiers are kept, the raw one apart: for queries at once, on disk at the next `maintain`. */
    retain(retention: Retention): void {
      rollupTiers = createTiers(retention);
      for (const [tier, keepMs] of Object.entries(toKeepMs(retention))) rollups.retain(tier, keepMs);
    },
    /** Frees what has passed in memory, also of servers that report no more; call it every minute or so. */
    sweep: (): void => raw.sweep(),
    /** Deletes what has passed on disk and tidies up there; call it every half minute or so. */
    async maintain(): Promise<void> {
      await rollups.maintain();
      await forgetGone();
    },
    /** Disk usage of this many servers' history now, and once every tier is full. */
    diskUse: async (servers: number): Promise<DiskUse> =>
      estimateDiskUse({ servers, tiers: rollupTiers, sizes: await rollups.sizes() }),
    /** Of the raw tier, for measuring. */
    get size(): { readonly servers: number; readonly bytes: number } {
      return { servers: raw.servers, bytes: raw.sizeBytes };
    },
  };
}

export type History = ReturnType<typeof createHistory>;
