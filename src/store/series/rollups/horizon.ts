/**
 * How far back each tier reaches. It is the newest time that was ever counted, or the clock when that is earlier: a
 * clock that jumps ten years ahead must not delete ten years of history.
 */
import type { Clock } from "../../../kit/time/clock.ts";
import type { RollupTier } from "./rollups.ts";

/** Creates the horizon of some tiers. */
export function createHorizon(tiers: readonly RollupTier[], clock: Pick<Clock, "now">) {
  const keepMs = new Map(tiers.map((tier) => [tier.name, tier.keepMs]));
  let newest = -Infinity;

  /** Spans of the tier that end at this time or before have passed. */
  function of(tier: RollupTier): number {
    return Math.min(clock.now(), newest) - (keepMs.get(tier.name) ?? tier.keepMs);
  }

  return {
    tiers,
    /** @throws TypeError when there is no such tier */
    tier(name: string): RollupTier {
      const found = tiers.find((tier) => tier.name === name);
      if (found === undefined) throw new TypeError(`There is no tier "${name}"`);
      return found;
    },
    /** Notes that rows of this time were counted. */
    note: (newestAt: number): void => {
      newest = Math.max(newest, newestAt);
    },
    retain: (tier: string, ms: number): void => {
      if (keepMs.has(tier)) keepMs.set(tier, ms);
    },
    of,
    /** Whether the span is kept. */
    keeps: (tier: RollupTier, at: number): boolean => at + tier.stepMs > of(tier),
  };
}

export type Horizon = ReturnType<typeof createHorizon>;
