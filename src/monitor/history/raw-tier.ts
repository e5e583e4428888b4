/** The raw tier: every report of the last minutes, in memory. */
import type { Clock } from "../../kit/time/clock.ts";
import { addValues, createStats } from "../../store/series/rollups/bucket.ts";
import type { RollupBucket } from "../../store/series/rollups/rollups.ts";
import { type MetricSource, metricKinds, toPercent } from "../base/metrics.ts";
import type { TierPoint } from "./buckets.ts";
import type { Others } from "./others.ts";
import { type PointRing, createPointLayout, createPointRing } from "./ring.ts";
import { columnsOf, toContent } from "./span-points.ts";
import type { TierContent, TierRange } from "./tier.ts";

type Span = Pick<TierRange, "from" | "to">;

const layout = createPointLayout(metricKinds);

export interface RawTierOptions {
  readonly clock: Clock;
  readonly windowMs: number;
  readonly maxPoints: number;
  readonly others: Others;
  /** The key of the server's rollups; undefined when there is no such server. */
  readonly keyOf: (serverId: string) => string | undefined;
}

function readValue(ring: PointRing, index: number, source: MetricSource): number {
  if (source.type === "stored") return ring.value(index, source.index);
  return toPercent(ring.value(index, source.part), ring.value(index, source.whole));
}

function readSpans(ring: PointRing, { from, to }: Span): RollupBucket[] {
  const first = ring.lowerBound(from);
  const count = Math.max(0, ring.lowerBound(to) - first);
  return Array.from({ length: count }, (_, index) => {
    const stats = createStats(metricKinds.length);
    const values = metricKinds.map((_kind, metric) => ring.value(first + index, metric));
    addValues(stats, values);
    return { at: ring.at(first + index), stats };
  });
}

/** One report a time, sorted: one that two nodes have is the same. */
function mergeReports(all: readonly (readonly RollupBucket[])[]): RollupBucket[] {
  const byTime = new Map(all.flat().map((report) => [report.at, report]));
  return [...byTime.values()].toSorted((a, b) => a.at - b.at);
}

export function createRawTier(options: RawTierOptions) {
  const { clock, windowMs, maxPoints, others, keyOf } = options;
  const rings = new Map<string, PointRing>();

  function* readPoints(serverId: string, source: MetricSource, range: Span): Generator<TierPoint> {
    const ring = rings.get(serverId);
    if (ring === undefined) return;
    const from = Math.max(range.from, clock.now() - windowMs);
    const end = ring.lowerBound(range.to);
    for (let index = ring.lowerBound(from); index < end; index += 1) {
      const value = readValue(ring, index, source);
      if (!Number.isNaN(value)) yield { at: ring.at(index), min: value, avg: value, max: value, count: 1 };
    }
  }

  /** The reports of a server as spans of themselves, sorted by time. */
  function spans(serverId: string, range: Span): RollupBucket[] {
    const ring = rings.get(serverId);
    if (ring === undefined) return [];
    return readSpans(ring, { from: Math.max(range.from, clock.now() - windowMs), to: range.to });
  }

  return {
    name: "raw",
    stepMs: 0,
    reachMs: windowMs,
    read: async (serverId: string, range: TierRange): Promise<TierContent> => {
      const { from, to, sources } = range;
      const key = keyOf(serverId);
      const question = { serverId, key: key ?? "", stepMs: 0, from, to, columns: columnsOf(sources) };
      const answered = key === undefined ? [] : await others.ask(question);
      if (answered.length === 0) return { points: (source) => readPoints(serverId, source, range) };
      return toContent(mergeReports([spans(serverId, range), ...answered.map(({ buckets }) => buckets)]));
    },
    spans,
    insert(serverId: string, at: number, row: ArrayLike<number>): void {
      const oldest = clock.now() - windowMs;
      if (at < oldest) return;
      let ring = rings.get(serverId);
      if (ring === undefined) {
        ring = createPointRing(layout, maxPoints);
        rings.set(serverId, ring);
      }
      ring.dropBefore(oldest);
      ring.insert(at, row);
    },
    drop: (serverId: string): void => {
      rings.delete(serverId);
    },
    /** Frees what has passed, of servers that report no more too. */
    sweep(): void {
      const oldest = clock.now() - windowMs;
      for (const [serverId, ring] of rings) {
        ring.dropBefore(oldest);
        if (ring.count === 0) rings.delete(serverId);
      }
    },
    get servers(): number {
      return rings.size;
    },
    get sizeBytes(): number {
      let sum = 0;
      for (const ring of rings.values()) sum += ring.sizeBytes;
      return sum;
    },
  };
}

export type RawTier = ReturnType<typeof createRawTier>;
