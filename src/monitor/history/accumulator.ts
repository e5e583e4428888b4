/** What reports came to since the last flush, by minute. */
import { addValues, createStats, mergeBuckets } from "../../store/series/rollups/bucket.ts";
import type { RollupBatch, RollupBucket } from "../../store/series/rollups/rollups.ts";

const MINUTE_MS = 60_000;

/** A report that is stored. */
export interface StoredRow {
  /** Unix epoch in milliseconds. */
  readonly at: number;
  readonly values: ArrayLike<number>;
  /** The segment of the sample log that holds it. */
  readonly seq: number;
}

/** By number of the minute: small numbers are quicker keys than instants. */
type Minutes = Map<number, Float64Array>;

interface Generation {
  readonly seq: number;
  readonly servers: Map<string, Minutes>;
  newestAt: number;
  minutes: number;
}

/** Epoch ms; `from` inclusive, `to` exclusive. */
export interface SpanRange {
  readonly stepMs: number;
  readonly from: number;
  readonly to: number;
}

function* readMinutes(generations: readonly Generation[], serverId: string): Generator<RollupBucket> {
  for (const { servers } of generations) {
    for (const [minute, stats] of servers.get(serverId) ?? []) yield { at: minute * MINUTE_MS, stats };
  }
}

function createView(seen: readonly Generation[], serverId: string) {
  return {
    /** The minutes of segments from `fromSeq` on. */
    read: (fromSeq: number): Iterable<RollupBucket> =>
      readMinutes(
        seen.filter(({ seq }) => seq >= fromSeq),
        serverId,
      ),
    /** The same by segment: what minutes that begin in the range come to in spans of this width, sorted. */
    parts: ({ stepMs, from, to }: SpanRange): { readonly seq: number; readonly buckets: RollupBucket[] }[] =>
      seen.flatMap((generation) => {
        const minutes = [...readMinutes([generation], serverId)];
        const asked = minutes.filter(({ at }) => at >= from && at < to);
        const buckets = mergeBuckets(asked, { stepMs });
        return buckets.length === 0 ? [] : [{ seq: generation.seq, buckets }];
      }),
  };
}

/** A view of what was there at one moment; rows that come later are seen only in the newest segment. */
type AccumulatorView = ReturnType<typeof createView>;

/** Makes an accumulator of rows with so many columns. */
export function createAccumulator(columns: number) {
  /** In no order: there are rarely more than two. */
  let generations: readonly Generation[] = [];

  function findGeneration(seq: number): Generation {
    const found = generations.find((one) => one.seq === seq);
    if (found !== undefined) return found;
    const made = { seq, servers: new Map<string, Minutes>(), newestAt: -Infinity, minutes: 0 };
    generations = [...generations, made];
    return made;
  }

  function findStats(generation: Generation, serverId: string, at: number): Float64Array {
    let minutes = generation.servers.get(serverId);
    if (minutes === undefined) {
      minutes = new Map();
      generation.servers.set(serverId, minutes);
    }
    const minute = Math.floor(at / MINUTE_MS);
    let stats = minutes.get(minute);
    if (stats === undefined) {
      stats = createStats(columns);
      minutes.set(minute, stats);
      generation.minutes += 1;
    }
    return stats;
  }

  return {
    /** Minutes of servers that are held. */
    get minutes(): number {
      return generations.reduce((sum, { minutes }) => sum + minutes, 0);
    },
    add(serverId: string, { at, values, seq }: StoredRow): void {
      const generation = findGeneration(seq);
      addValues(findStats(generation, serverId, at), values);
      generation.newestAt = Math.max(generation.newestAt, at);
    },
    /** What was added from the segment `fromSeq` up to `toSeq`, for a flush; `keyOf` gives the rollups' key. */
    collect(
      { fromSeq, toSeq }: { readonly fromSeq: number; readonly toSeq: number },
      keyOf: (serverId: string) => string | undefined,
    ): RollupBatch {
      const taken = generations.filter(({ seq }) => seq >= fromSeq && seq < toSeq);
      const ids = new Map<string, string>();
      for (const { servers } of taken) {
        for (const id of servers.keys()) {
          const key = keyOf(id);
          if (key !== undefined) ids.set(key, id);
        }
      }
      return {
        keys: [...ids.keys()],
        newestAt: taken.reduce((newest, generation) => Math.max(newest, generation.newestAt), -Infinity),
        read: ({ stepMs }, key) => mergeBuckets(readMinutes(taken, ids.get(key) ?? ""), { stepMs }),
      };
    },
    /** Forgets what came before the segment `seq`. */
    dropBefore(seq: number): void {
      generations = generations.filter((generation) => generation.seq >= seq);
    },
    view: (serverId: string): AccumulatorView => createView(generations, serverId),
    drop(serverId: string): void {
      for (const generation of generations) {
        generation.minutes -= generation.servers.get(serverId)?.size ?? 0;
        generation.servers.delete(serverId);
      }
    },
  };
}

export type Accumulator = ReturnType<typeof createAccumulator>;
