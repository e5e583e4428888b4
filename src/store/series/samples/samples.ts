/**
 * PORT: the sample log. Keeps rows of numbers, by key and time, durably for a short window, and one opaque
 * blob a key for what is older. Append-only; its owner rebuilds its state from it at start.
 */

/** How a column is kept: `fraction` as float32, `whole` exactly, 0 to 2^53 − 1. */
export type SampleKind = "fraction" | "whole";

/** One row. `values` are by column number; NaN, or a missing end, means that there is none. */
export interface SampleRow {
  /** The key of the row; at most 512 bytes of UTF-8. */
  readonly key: string;
  /** The row's own time, Unix epoch in milliseconds; in any order. */
  readonly at: number;
  /** When it came, by the service's clock, Unix epoch in milliseconds. */
  readonly receivedAt: number;
  readonly values: ArrayLike<number>;
}

/** The owner's data of a key after its rows are gone. */
export interface CheckpointEntry {
  readonly key: string;
  /** At most 1 MiB. */
  readonly blob: Uint8Array;
}

export interface ReplayHandlers {
  /** Called for every entry of the last checkpoint, before the first row. */
  readonly onCheckpoint: (entry: CheckpointEntry) => void;
  /**
   * Called for every kept row in the order of writing. Rows may also be part of the checkpoint, and one
   * whose first write failed may come twice: handlers must not mind. `seq` is the number of its segment;
   * `isCovered` says that the checkpoint was written after the last row of that segment.
   */
  readonly onRow: (row: SampleRow, seq: number, isCovered: boolean) => void;
}

/** Events for administrators. */
export type SampleLogEvent =
  | { readonly type: "torn"; readonly path: string; readonly droppedBytes: number }
  | { readonly type: "gap"; readonly missing: string }
  /** Something that was there when the log was written last. */
  | { readonly type: "lost"; readonly path: string; readonly problem: string }
  | { readonly type: "manifest_failed"; readonly error: Error }
  | { readonly type: "rolled"; readonly path: string }
  | { readonly type: "dropped"; readonly path: string }
  | { readonly type: "drop_failed"; readonly path: string; readonly error: Error }
  | { readonly type: "checkpoint_failed"; readonly error: Error }
  | { readonly type: "failed"; readonly error: Error; readonly retryInMs: number }
  | { readonly type: "healed"; readonly path: string };

export interface SampleLog {
  /**
   * Reads back what is kept; must be called once, before the first append. Throws a `store_unavailable`
   * StoreError that names file, offset and remedy when acknowledged data is damaged.
   */
  replay(handlers: ReplayHandlers): Promise<ReplaySummary>;
  /**
   * Appends a row (its values are read at once); resolves with the number of its segment when it is durable. Rows of
   * one batch share one promise. Throws `store_unavailable` after a failed write, until a new segment could be opened.
   * @throws RangeError at once for a row that cannot be written, such as a fraction in a `whole` column.
   */
  append(row: SampleRow): Promise<number>;
  /** Does what is due: starts a new segment, drops old ones, heals. Appends do so too; call it when idle. */
  maintain(): Promise<void>;
  /** Starts a new segment and writes a checkpoint, whether due or not. */
  roll(): Promise<void>;
  /** Resolves when rows can be taken; throws `store_unavailable` with the reason when they cannot. */
  check(): Promise<void>;
  /** Flushes all rows to disk, writes a checkpoint and closes the file. */
  close(): Promise<void>;
}

export interface ReplaySummary {
  readonly rows: number;
  readonly segments: number;
  readonly checkpointEntries: number;
}
