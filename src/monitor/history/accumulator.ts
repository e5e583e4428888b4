/** Sums of reports since the last flush, by minute. */
import { ByteReader, createByteWriter } from "../../kit/text/varint.ts";
import { readBuckets, writeBuckets } from "../../store/series/rollups/bucket-codec.ts";
import { addValues, createStats, mergeBuckets } from "../../store/series/rollups/bucket.ts";
import type { RollupBatch, RollupBucket } from "../../store/series/rollups/rollups.ts";

const MINUTE_MS = 60_000;

export interface StoredRow {
  /** Unix epoch in milliseconds. */
  readonly at: number;
  readonly values: ArrayLike<number>;
  /** The segment of the sample log that holds it. */
  readonly seq: number;
}

const writer = createByteWriter();
const reader = new ByteReader();

/** A server's minutes by their number. */
class Minutes {
  /** The one that was counted last. */
  #open = Number.NaN;
  #stats: Float64Array = new Float64Array(0);
  /** The others, in the form of the disk: a fifth of the memory. */
  readonly #packed = new Map<number, Uint8Array>();

  get size(): number {
    return this.#packed.size + (Number.isNaN(this.#open) ? 0 : 1);
  }

  /** The sums of a minute, to add to; valid until those of another are opened. */
  open(minute: number, columns: number): Float64Array {
    if (minute === this.#open) return this.#stats;
    if (!Number.isNaN(this.#open)) {
      writer.clear();
      writeBuckets(writer, [{ at: 0, stats: this.#stats }]);
      this.#packed.set(this.#open, writer.view().slice());
    }
    this.#stats = this.#unpack(minute) ?? createStats(columns);
    this.#packed.delete(minute);
    this.#open = minute;
    return this.#stats;
  }

  *read(): Generator<RollupBucket> {
    for (const minute of this.#packed.keys())
      yield { at: minute * MINUTE_MS, stats: this.#unpack(minute) ?? createStats(0) };
    // A copy: this minute goes on.
    if (!Number.isNaN(this.#open)) yield { at: this.#open * MINUTE_MS, stats: this.#stats.slice() };
  }

  #unpack(minute: number): Float64Array | undefined {
    const bytes = this.#packed.get(minute);
    if (bytes === undefined) return undefined;
    reader.reset(bytes);
    return readBuckets(reader)[0]?.stats;
  }
}

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
  for (const { servers } of generations) yield* servers.get(serverId)?.read() ?? [];
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

/** Creates an accumulator of rows with so many columns. */
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
      minutes = new Minutes();
      generation.servers.set(serverId, minutes);
    }
    const before = minutes.size;
    // Small numbers are quicker keys than instants.
    const stats = minutes.open(Math.floor(at / MINUTE_MS), columns);
    generation.minutes += minutes.size - before;
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
    /** Additions from the segment `fromSeq` up to `toSeq`, for a flush; `keyOf` returns the rollups' key. */
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
