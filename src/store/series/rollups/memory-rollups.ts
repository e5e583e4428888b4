/** Rollups in memory, for tests and for a monitor that shall keep nothing. */
import type { Clock } from "../../../kit/time/clock.ts";
import { mergeBuckets } from "./bucket.ts";
import { createHorizon } from "./horizon.ts";
import type { RollupBucket, RollupStore, RollupTier } from "./rollups.ts";

/** Memory of one number of a span. */
const BYTES_PER_NUMBER = 8;

/** Shared by several owners in one process. */
export interface MemoryTables {
  readonly spans: ReadonlyMap<string, Map<string, RollupBucket[]>>;
  readonly marks: Map<string, number>;
}

export function createMemoryTables(tiers: readonly RollupTier[]): MemoryTables {
  return { spans: new Map(tiers.map(({ name }) => [name, new Map()])), marks: new Map() };
}

/** Creates a store of rollups that forgets everything with the process, unless it shares its tables. */
export function createMemoryRollups(options: {
  readonly tiers: readonly RollupTier[];
  readonly clock: Pick<Clock, "now">;
  /** Default "alone". */
  readonly origin?: string;
  readonly tables?: MemoryTables;
}): RollupStore {
  const { origin = "alone" } = options;
  const horizon = createHorizon(options.tiers, options.clock);
  const { spans: tables, marks } = options.tables ?? createMemoryTables(options.tiers);
  const markOf = (): number => marks.get(origin) ?? 0;

  return {
    origin,
    get flushedSeq() {
      return markOf();
    },
    async flush({ nextSeq, collect }) {
      const flushedSeq = markOf();
      if (nextSeq <= flushedSeq) return;
      const batch = collect(flushedSeq);
      horizon.note(batch.newestAt);
      const changes: (() => void)[] = [];
      for (const tier of options.tiers) {
        const table = tables.get(tier.name);
        for (const key of batch.keys) {
          const added = batch.read(tier, key).filter(({ at }) => horizon.keeps(tier, at));
          if (added.length === 0) continue;
          const merged = mergeBuckets([...(table?.get(key) ?? []), ...added]);
          changes.push(() => table?.set(key, merged));
        }
      }
      for (const change of changes) change();
      marks.set(origin, nextSeq);
    },
    async read({ tier, key, from, to }) {
      const known = horizon.tier(tier);
      const buckets = (tables.get(tier)?.get(key) ?? []).filter(
        ({ at }) => at >= from && at < to && horizon.keeps(known, at),
      );
      return { buckets, flushedSeq: markOf(), marks: new Map(marks) };
    },
    async drop(key) {
      for (const table of tables.values()) table.delete(key);
    },
    keys: async () => [...new Set([...tables.values()].flatMap((table) => [...table.keys()]))],
    retain: (tier, keepMs) => horizon.retain(tier, keepMs),
    async maintain() {
      for (const tier of options.tiers) {
        const table = tables.get(tier.name);
        for (const [key, buckets] of table ?? []) {
          const kept = buckets.filter(({ at }) => horizon.keeps(tier, at));
          if (kept.length > 0) table?.set(key, kept);
          else table?.delete(key);
        }
      }
    },
    async sizes() {
      return new Map(
        [...tables].map(([name, table]) => {
          const all = [...table.values()].flat();
          const bytes = all.reduce((sum, { stats }) => sum + stats.length * BYTES_PER_NUMBER, 0);
          return [name, { bytes, buckets: all.length }];
        }),
      );
    },
    close: async () => undefined,
  };
}
