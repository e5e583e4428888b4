/**
 * PORT: rollups. For each key and tier, keeps count, minimum, maximum and sum of every column over spans of
 * equal width. Knows no service. Each row is counted once: its owner passes everything up to its own mark
 * (`nextSeq`), which is stored together with the counts.
 */

/** Spans of one width. */
export interface RollupTier {
  /** Short, of letters and digits; part of the names of files and tables. */
  readonly name: string;
  /** Width of a span; spans begin at whole multiples of it since the Unix epoch. */
  readonly stepMs: number;
  /** The unit of deletion; a multiple of `stepMs`. */
  readonly segmentMs: number;
  /** How long spans are kept, counted back from the newest one, or from now when that is earlier. */
  readonly keepMs: number;
}

/** The aggregate of one span's rows. */
export interface RollupBucket {
  /** Start of the span, Unix epoch in milliseconds. */
  readonly at: number;
  /** Four numbers a column: count, least, greatest, sum. A column with count 0 has no values. */
  readonly stats: Float64Array;
}

/** The contents of a flush. Unchanged until the flush has ended. */
export interface RollupBatch {
  readonly keys: readonly string[];
  /** The latest time of any row, Unix epoch in milliseconds; −Infinity without rows. */
  readonly newestAt: number;
  /** The spans of a key in a tier, sorted by time. They are added to what is kept already. */
  read(tier: RollupTier, key: string): readonly RollupBucket[];
}

export interface RollupFlush {
  /** The mark after this flush: everything before it is kept. */
  readonly nextSeq: number;
  /** The buckets from the stored mark `fromSeq` up to `nextSeq`. May be requested again. */
  collect(fromSeq: number): RollupBatch;
}

export interface RollupQuery {
  readonly tier: string;
  readonly key: string;
  /** Spans that begin at this time or later, Unix epoch in milliseconds. */
  readonly from: number;
  /** Spans that begin before this time. */
  readonly to: number;
}

export interface RollupView {
  /** Sorted by time, one for each span that has values. */
  readonly buckets: readonly RollupBucket[];
  /** The mark up to which these spans count; what comes after it, the owner still has. */
  readonly flushedSeq: number;
  /** The same of all owners, by origin; one that is not named has the mark 0. */
  readonly marks: ReadonlyMap<string, number>;
}

export interface TierSize {
  readonly bytes: number;
  /** Spans that are kept, those counted twice that are not merged yet. */
  readonly buckets: number;
}

export interface RollupStore {
  /** Names this owner of a mark among all that share the spans; stays the same over restarts. */
  readonly origin: string;
  /** The mark up to which everything is kept; 0 at first. */
  readonly flushedSeq: number;
  /**
   * Adds a batch and moves the mark, both or neither, durably. After a failure the owner keeps what it has
   * and calls again later. Spans that are older than their tier keeps are left out.
   * @throws StoreError `store_unavailable` when it could not be written
   */
  flush(flush: RollupFlush): Promise<void>;
  /** @throws StoreError `store_unavailable` when a file is damaged, or the database is unavailable */
  read(query: RollupQuery): Promise<RollupView>;
  /** Forgets what is kept of a key now; the same key may come again later and starts empty. */
  drop(key: string): Promise<void>;
  /** Keys of which a `drop` may have been missed, as another owner flushed after it: to be looked at now and then. */
  keys(): Promise<readonly string[]>;
  /** Changes how long a tier is kept: at once for what is read, at the next `maintain` for what is deleted. */
  retain(tier: string, keepMs: number): void;
  /** Deletes what has passed, whole segments at a time, and tidies up. Call it every few seconds. */
  maintain(): Promise<void>;
  /** The size of each tier, by name. */
  sizes(): Promise<ReadonlyMap<string, TierSize>>;
  /** Ends what runs; what was flushed stays. */
  close(): Promise<void>;
}
