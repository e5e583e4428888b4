/**
 * The series of parts: spans of a minute and longer, as the history of servers has them, but without single reports and
 * without rows in the sample log. After a crash the minutes since the last flush are missing.
 */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { RollupStore, RollupTier, TierSize } from "../../store/series/rollups/rollups.ts";
import { PART_COLUMNS } from "../base/part-metrics.ts";
import type { Retention } from "../base/schema.ts";
import { type KeyedServer, toKey } from "../base/server-key.ts";
import { createAccumulator } from "../history/accumulator.ts";
import { createForgetting } from "../history/gone-servers.ts";
import { createOthers, nobodyElse } from "../history/others.ts";
import { createRolledTier } from "../history/rolled-tier.ts";
import { type FoundSeries, type SeriesQuery, querySeries } from "../history/series-query.ts";
import type { Tier } from "../history/tier.ts";
import { createTiers } from "../history/tiers.ts";

/** A minute of a part takes about 200 bytes. 1,000 servers of 20 parts fill 100,000 between two flushes. */
const WANTED_AT_MINUTES = 200_000;
const FULL_AT_MINUTES = 600_000;
/** As measured with `npm run bench -- monitor-parts`. */
const SPAN_BYTES = 41;
const FLUSH_MS = 5 * 60_000;
const RETRY_MS = 30_000;

export interface PartHistoryDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly rollups: RollupStore;
  readonly retention: Retention;
  /** When the server was made, epoch ms; undefined: no such server. */
  readonly createdAt: (serverId: string) => number | undefined;
  /** Other processes on the same rollups. Default: none. */
  readonly nodes?: {
    readonly bus: Bus;
    readonly peers: () => readonly string[];
    readonly timeoutMs?: number | undefined;
    readonly listServers: () => Promise<readonly KeyedServer[]>;
  };
  /** For tests. Default 600,000. */
  readonly maxMinutes?: number;
}

/** Of what servers' tiers are kept for, parts are kept this share: there are many more of them. */
const shares: Readonly<Record<string, number>> = { "1m": 1 / 4, "10m": 1 / 3, "1h": 1 / 3, "1d": 1 / 2 };

/** The tiers of parts, finest first. */
export function createPartTiers(retention: Retention): readonly RollupTier[] {
  return createTiers(retention).map((tier) => ({ ...tier, keepMs: tier.keepMs * (shares[tier.name] ?? 1) }));
}

/** Between the name of a server and that of a series; neither has it. */
const BETWEEN = "/";

function ownerOf(name: string): string {
  return name.slice(0, name.indexOf(BETWEEN));
}

function createPartTier(
  deps: PartHistoryDeps,
  parts: Pick<Parameters<typeof createRolledTier>[0], "accumulator" | "others" | "keyOf"> & {
    tiers: () => readonly RollupTier[];
  },
): [Tier, ...Tier[]] {
  const { tiers, ...shared } = parts;
  const [first, ...rest] = tiers().map((tier) =>
    createRolledTier({
      ...shared,
      tier,
      rollups: deps.rollups,
      keepMs: () => tiers().find(({ name }) => name === tier.name)?.keepMs ?? tier.keepMs,
    }),
  );
  if (first === undefined) throw new TypeError("There are no tiers");
  return [first, ...rest];
}

function estimateUse(
  count: number,
  { tiers, sizes }: { tiers: readonly RollupTier[]; sizes: ReadonlyMap<string, TierSize> },
): { readonly bytesOnDisk: number; readonly estimatedBytes: number } {
  let bytesOnDisk = 0;
  let estimatedBytes = 0;
  for (const { name, stepMs, keepMs } of tiers) {
    bytesOnDisk += sizes.get(name)?.bytes ?? 0;
    estimatedBytes += count * (keepMs / stepMs) * SPAN_BYTES;
  }
  return { bytesOnDisk, estimatedBytes: Math.round(estimatedBytes) };
}

export function createPartHistory(deps: PartHistoryDeps) {
  const { clock, log, rollups, nodes, maxMinutes = FULL_AT_MINUTES } = deps;
  const accumulator = createAccumulator(PART_COLUMNS);
  const keyOf = (seriesId: string): string | undefined => {
    const serverId = ownerOf(seriesId);
    const createdAt = deps.createdAt(serverId);
    return createdAt === undefined ? undefined : toKey(serverId, createdAt) + seriesId.slice(serverId.length);
  };
  const others =
    nodes === undefined ? nobodyElse : createOthers({ ...nodes, origin: rollups.origin, topic: "parts" });
  others.answer((question) =>
    keyOf(question.serverId) === question.key
      ? accumulator.view(question.serverId).parts(question)
      : undefined,
  );
  let rollupTiers = createPartTiers(deps.retention);
  const tiers = createPartTier(deps, { accumulator, others, keyOf, tiers: () => rollupTiers });
  const forgetGone = createForgetting({ ...deps, ownerOf });
  /** A counter of its own: these spans are not rebuilt from the sample log. */
  let seq = rollups.flushedSeq;
  let flushedMs = clock.monotonic();
  let hasFailed = false;
  let isFull = false;

  async function flush(): Promise<void> {
    flushedMs = clock.monotonic();
    if (accumulator.minutes === 0) return;
    seq += 1;
    const nextSeq = seq;
    try {
      await rollups.flush({
        nextSeq,
        collect: (fromSeq) => accumulator.collect({ fromSeq, toSeq: nextSeq }, keyOf),
      });
      if (hasFailed) log.info("The history of parts can be stored again");
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.error("The history of parts cannot be stored. It is kept in memory", { error });
      hasFailed = true;
    }
    accumulator.dropBefore(rollups.flushedSeq);
  }

  function isFlushDue(): boolean {
    const passedMs = clock.monotonic() - flushedMs;
    if (hasFailed) return passedMs >= RETRY_MS;
    return passedMs >= FLUSH_MS || accumulator.minutes >= WANTED_AT_MINUTES;
  }

  return {
    /** Counts the values of a part in. While too much waits for the disk, it is left out. */
    add(seriesId: string, at: number, values: readonly number[]): void {
      if (accumulator.minutes >= maxMinutes) {
        if (!isFull) log.error("The history of parts is full and leaves values out until it can be stored");
        isFull = true;
        return;
      }
      isFull = false;
      accumulator.add(seriesId, { at, values, seq });
    },
    query: (query: SeriesQuery): Promise<FoundSeries[]> => querySeries(tiers, query, clock.now()),
    /** Forgets series of a server, which may be gone already. */
    async drop({ id, createdAt }: KeyedServer, names: readonly string[]): Promise<void> {
      for (const name of names) {
        accumulator.drop(id + BETWEEN + name);
        await rollups.drop(toKey(id, createdAt) + BETWEEN + name);
      }
    },
    retain(retention: Retention): void {
      rollupTiers = createPartTiers(retention);
      for (const { name, keepMs } of rollupTiers) rollups.retain(name, keepMs);
    },
    flush,
    /** Stores what is due, deletes what has passed; call it every half minute or so. */
    async maintain(): Promise<void> {
      if (isFlushDue()) await flush();
      await rollups.maintain();
      await forgetGone();
    },
    /** What the series take on disk now, and what `count` of them take once every tier is full, in bytes. */
    diskUse: async (count: number) =>
      estimateUse(count, { tiers: rollupTiers, sizes: await rollups.sizes() }),
  };
}

export type PartHistory = ReturnType<typeof createPartHistory>;
