/** Writes a batch as runs, one for each segment that it touches. */
import { createPacer } from "./pacer.ts";
import type { Horizon } from "./horizon.ts";
import type { RollupBatch, RollupBucket, RollupTier } from "./rollups.ts";
import { type Run, compareKeys, hashKey } from "./run-file.ts";
import { type RunPlace, type RunWriter, createRunWriter } from "./run-writer.ts";

/** Splits spans, sorted by time, by segment. */
function splitBySegment(
  buckets: readonly RollupBucket[],
  segmentMs: number,
): ReadonlyMap<number, RollupBucket[]> {
  const segments = new Map<number, RollupBucket[]>();
  for (const bucket of buckets) {
    const segment = Math.floor(bucket.at / segmentMs);
    const known = segments.get(segment);
    if (known === undefined) segments.set(segment, [bucket]);
    else known.push(bucket);
  }
  return segments;
}

async function writeTier(
  place: RunPlace,
  tier: RollupTier,
  options: {
    readonly batch: RollupBatch;
    readonly keys: readonly string[];
    readonly flush: number;
    readonly horizon: Horizon;
  },
): Promise<Run[]> {
  const writers = new Map<number, RunWriter>();
  const { batch, flush, horizon } = options;
  const pace = createPacer();
  try {
    for (const key of options.keys) {
      const kept = batch.read(tier, key).filter(({ at }) => at >= 0 && horizon.keeps(tier, at));
      for (const [segment, buckets] of splitBySegment(kept, tier.segmentMs)) {
        const name = { tier: tier.name, segment, first: flush, last: flush };
        const writer = writers.get(segment) ?? (await createRunWriter(place, name));
        writers.set(segment, writer);
        await writer.add(key, buckets);
      }
      await pace();
    }
    const runs: Run[] = [];
    for (const writer of writers.values()) runs.push(await writer.finish());
    return runs;
  } catch (error) {
    for (const writer of writers.values()) await writer.abort();
    throw error;
  }
}

/** Writes all tiers and syncs the folder. After a failure nothing of it is left, as far as the disk lets it be removed. */
export async function writeFlush(
  place: RunPlace,
  options: { readonly batch: RollupBatch; readonly flush: number; readonly horizon: Horizon },
): Promise<Run[]> {
  const keys = options.batch.keys
    .map((key) => ({ key, hash: hashKey(key) }))
    .sort(compareKeys)
    .map(({ key }) => key);
  const runs: Run[] = [];
  try {
    for (const tier of options.horizon.tiers)
      runs.push(...(await writeTier(place, tier, { ...options, keys })));
    await place.files.syncFolder(place.folder);
    return runs;
  } catch (error) {
    for (const { path } of runs) await place.files.remove(path).catch(() => undefined);
    throw error;
  }
}
