/** Disk usage of the history. */
import type { RollupTier, TierSize } from "../../store/series/rollups/rollups.ts";

export interface DiskUse {
  /** Servers that the estimate is for. */
  readonly servers: number;
  /** Current size. */
  readonly bytesOnDisk: number;
  /** Size once every tier is full, with the current servers. */
  readonly estimatedBytes: number;
}

/** A span of an agent that reports all of its numbers, as measured with `npm run bench -- monitor-history`. */
const BUCKET_BYTES = 300;
/** Fewer spans than this say nothing of their size. */
const ENOUGH_BUCKETS = 1_000;

/** Reckons what is taken and what will be. */
export function estimateDiskUse(options: {
  readonly servers: number;
  readonly tiers: readonly RollupTier[];
  readonly sizes: ReadonlyMap<string, TierSize>;
}): DiskUse {
  const { servers, tiers, sizes } = options;
  let bytesOnDisk = 0;
  let estimatedBytes = 0;
  for (const { name, stepMs, keepMs } of tiers) {
    const { bytes, buckets } = sizes.get(name) ?? { bytes: 0, buckets: 0 };
    const bucketBytes = buckets < ENOUGH_BUCKETS ? BUCKET_BYTES : bytes / buckets;
    bytesOnDisk += bytes;
    estimatedBytes += servers * (keepMs / stepMs) * bucketBytes;
  }
  return { servers, bytesOnDisk, estimatedBytes: Math.round(estimatedBytes) };
}

/** The sum of two histories of the same servers. */
export function addDiskUse(use: DiskUse, more: Omit<DiskUse, "servers"> | undefined): DiskUse {
  if (more === undefined) return use;
  return {
    servers: use.servers,
    bytesOnDisk: use.bytesOnDisk + more.bytesOnDisk,
    estimatedBytes: use.estimatedBytes + more.estimatedBytes,
  };
}
