/** The raw tier: every report of the last minutes, in memory. Hidden here: one ring a server, and the window. */
import type { Clock } from "../../kit/clock.ts";
import type { MetricSource } from "../metric-names.ts";
import { metricKinds, toPercent } from "../metric-names.ts";
import type { TierPoint } from "./buckets.ts";
import type { PointRing } from "./ring.ts";
import { createPointLayout, createPointRing } from "./ring.ts";
import type { Tier, TierRange } from "./tier.ts";

const layout = createPointLayout(metricKinds);

export interface RawTier extends Tier {
  insert(serverId: string, at: number, row: ArrayLike<number>): void;
  drop(serverId: string): void;
  /** Frees what has passed, of servers that report no more too. */
  sweep(): void;
  readonly servers: number;
  readonly sizeBytes: number;
}

export interface RawTierOptions {
  readonly clock: Clock;
  readonly windowMs: number;
  readonly maxPoints: number;
}

function readValue(ring: PointRing, index: number, source: MetricSource): number {
  if (source.type === "stored") return ring.value(index, source.index);
  return toPercent(ring.value(index, source.part), ring.value(index, source.whole));
}

/** Makes an empty raw tier. */
export function createRawTier({ clock, windowMs, maxPoints }: RawTierOptions): RawTier {
  const rings = new Map<string, PointRing>();

  function* readPoints(serverId: string, source: MetricSource, range: TierRange): Generator<TierPoint> {
    const ring = rings.get(serverId);
    if (ring === undefined) return;
    const from = Math.max(range.from, clock.now() - windowMs);
    const end = ring.lowerBound(range.to);
    for (let index = ring.lowerBound(from); index < end; index += 1) {
      const value = readValue(ring, index, source);
      if (!Number.isNaN(value)) yield { at: ring.at(index), min: value, avg: value, max: value, count: 1 };
    }
  }

  return {
    name: "raw",
    stepMs: 0,
    reachMs: windowMs,
    read: async (serverId, range) => ({ points: (source) => readPoints(serverId, source, range) }),
    insert(serverId, at, row) {
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
    drop: (serverId) => {
      rings.delete(serverId);
    },
    sweep() {
      const oldest = clock.now() - windowMs;
      for (const [serverId, ring] of rings) {
        ring.dropBefore(oldest);
        if (ring.count === 0) rings.delete(serverId);
      }
    },
    get servers() {
      return rings.size;
    },
    get sizeBytes() {
      let sum = 0;
      for (const ring of rings.values()) sum += ring.sizeBytes;
      return sum;
    },
  };
}
