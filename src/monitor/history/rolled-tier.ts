/** A rolled-up tier: flushed spans and what came since, here and on other nodes. */
import { mergeBuckets } from "../../store/series/rollups/bucket.ts";
import type { RollupBucket, RollupStore, RollupTier } from "../../store/series/rollups/rollups.ts";
import type { Accumulator } from "./accumulator.ts";
import type { Others } from "./others.ts";
import { columnsOf, toContent } from "./span-points.ts";
import type { Tier, TierRange } from "./tier.ts";

export interface RolledTierDeps {
  readonly tier: RollupTier;
  readonly rollups: RollupStore;
  readonly accumulator: Accumulator;
  readonly others: Others;
  readonly keyOf: (serverId: string) => string | undefined;
  readonly keepMs: () => number;
}

/** Creates a tier over flushed spans and the accumulator. */
export function createRolledTier(deps: RolledTierDeps): Tier {
  const { tier, rollups, accumulator, others, keyOf } = deps;

  async function readBuckets(serverId: string, range: TierRange): Promise<readonly RollupBucket[]> {
    const key = keyOf(serverId);
    if (key === undefined) return [];
    // The span in which `from` lies is shown whole.
    const from = Math.floor(range.from / tier.stepMs) * tier.stepMs;
    const { to } = range;
    const columns = columnsOf(range.sources);
    // Both read before the rollups: what is flushed meanwhile is in both, and the marks say which to use.
    const recentElsewhere = await others.ask({ serverId, key, stepMs: tier.stepMs, from, to, columns });
    const pending = accumulator.view(serverId);
    const { buckets, flushedSeq, marks } = await rollups.read({ tier: tier.name, key, from, to });
    const elsewhere = recentElsewhere.filter(({ origin, seq }) => seq >= (marks.get(origin) ?? 0));
    const recent = [...pending.read(flushedSeq), ...elsewhere.flatMap((part) => part.buckets)];
    return mergeBuckets([...buckets, ...recent.filter(({ at }) => at >= from && at < to)], {
      stepMs: tier.stepMs,
    });
  }

  return {
    name: tier.name,
    stepMs: tier.stepMs,
    get reachMs() {
      return deps.keepMs();
    },
    read: async (serverId, range) => toContent(await readBuckets(serverId, range)),
  };
}
