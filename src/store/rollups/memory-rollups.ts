/** Rollups in memory, for tests and for a monitor that shall keep nothing. Hidden here: nothing is durable. */
import type { Clock } from "../../kit/clock.ts";
import { mergeBuckets } from "./bucket.ts";
import { createHorizon } from "./horizon.ts";
import type { RollupBucket, RollupStore, RollupTier } from "./rollups.ts";

/** What one number of a span takes in memory. */
const BYTES_PER_NUMBER = 8;

/** Makes a store of rollups that forgets everything with the process. */
export function createMemoryRollups(options: {
  readonly tiers: readonly RollupTier[];
  readonly clock: Pick<Clock, "now">;
}): RollupStore {
  const horizon = createHorizon(options.tiers, options.clock);
  const tables = new Map(options.tiers.map(({ name }) => [name, new Map<string, RollupBucket[]>()]));
  let flushedSeq = 0;

  return {
    get flushedSeq() {
      return flushedSeq;
    },
    async flush({ nextSeq, collect }) {
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
      flushedSeq = nextSeq;
    },
    async read({ tier, key, from, to }) {
      const known = horizon.tier(tier);
      const buckets = (tables.get(tier)?.get(key) ?? []).filter(
        ({ at }) => at >= from && at < to && horizon.keeps(known, at),
      );
      return { buckets, flushedSeq };
    },
    async drop(key) {
      for (const table of tables.values()) table.delete(key);
    },
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
