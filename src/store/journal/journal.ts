/**
 * The store's files while it runs: batches go to the journal, and when that has grown past the snapshot a new
 * snapshot replaces both.
 */
import type { Low } from "lowdb";
import type { Clock } from "../../kit/time/clock.ts";
import type { AppendFile } from "../../kit/files/file-layer.ts";
import type { Batch } from "./engine.ts";
import type { Version } from "./head.ts";
import { toFirstLine, toLines } from "./line.ts";
import { type RecoveredCollection, type StorePlace, listJournals, toJournalPath } from "./recovery.ts";
import type { Snapshot, SnapshotCollection } from "./snapshot.ts";

export interface JournalOptions extends StorePlace {
  readonly clock: Clock;
  readonly low: Low<Snapshot>;
  readonly snapshotPath: string;
  readonly extras: ReadonlyMap<string, RecoveredCollection>;
  /** Compacts when the journal is larger than this and than the snapshot. */
  readonly compactAtBytes: number;
  readonly onCompaction: (outcome: { readonly error?: unknown; readonly durationMs: number }) => void;
}

/** A store at rest: where to go on writing. */
export interface JournalStart {
  readonly version: Version;
  /** The one journal to go on with; without it a new one is begun. */
  readonly journal?: { readonly generation: number; readonly sizeBytes: number; readonly isEmpty: boolean };
}

/** A snapshot of nothing, lowdb's default data. */
export function emptySnapshot(service: string): Snapshot {
  return { service, lsn: 0, collections: new Map(), edited: false };
}

/** See the module's header. Nothing is touched before `open`; callers never overlap `persist`, `restart` and `close`. */
export class Journal {
  readonly #options: JournalOptions;
  #file: AppendFile | undefined;
  #generation = 0;
  #journalBytes = 0;
  /** Whether the journal holds nothing but its first line. */
  #isEmpty = true;
  #snapshotBytes = 0;
  #compactAtBytes: number;
  /** The version that all written batches add up to. */
  #written: Version = { lsn: 0, tables: new Map() };
  #compacting: Promise<void> | undefined;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#compactAtBytes = options.compactAtBytes;
  }

  get generation(): number {
    return this.#generation;
  }

  get journalBytes(): number {
    return this.#journalBytes;
  }

  get snapshotBytes(): number {
    return this.#snapshotBytes;
  }

  /** Takes up the files. With `rewrite` a new snapshot and journal replace them first. */
  async open(start: JournalStart, rewrite: boolean): Promise<void> {
    const { files, snapshotPath } = this.#options;
    this.#written = start.version;
    this.#generation = start.journal?.generation ?? 0;
    if (rewrite || start.journal === undefined) return this.restart(start.version);
    this.#snapshotBytes = (await files.sizeBytes(snapshotPath)) ?? 0;
    this.#journalBytes = start.journal.sizeBytes;
    this.#isEmpty = start.journal.isEmpty;
    this.#file = await files.openAppend(toJournalPath(this.#options, this.#generation));
    if ((await this.#file.sizeBytes()) === this.#journalBytes) return;
    await this.#file.truncate(this.#journalBytes);
    await this.#file.datasync();
  }

  /** Writes and syncs a batch. */
  async persist(batch: Batch): Promise<void> {
    await this.#rotateWhenLarge();
    if (this.#file === undefined) throw new Error("the journal is closed");
    const bytes = toLines(batch.transactions, { firstLsn: batch.firstLsn, at: this.#options.clock.now() });
    try {
      await this.#file.append(bytes);
      await this.#file.datasync();
    } catch (error) {
      // These bytes are never reported as stored, so they should not come back after a restart.
      await this.#file.truncate(this.#journalBytes).catch(() => undefined);
      throw error;
    }
    this.#journalBytes += bytes.byteLength;
    this.#isEmpty = false;
    this.#written = batch.version;
  }

  /**
   * Replaces all files by a snapshot of `version` and an empty journal. The journal comes first, as the snapshot
   * names it; before the very first one there is a snapshot that names none.
   */
  async restart(version: Version): Promise<void> {
    await this.#compacting;
    await this.#closeFile().catch(() => undefined);
    const { files, snapshotPath } = this.#options;
    if ((await files.sizeBytes(snapshotPath)) === undefined) await this.#writeSnapshot(version, undefined);
    await this.#begin(version.lsn);
    await this.#writeSnapshot(version, this.#generation);
    // Only when no line of a lost batch is left may new lines with the same numbers be written.
    await this.#removeOldJournals();
    this.#written = version;
  }

  /** Resolves when no compaction is under way. */
  async idle(): Promise<void> {
    await this.#compacting;
  }

  /** Closes the files; `compact` first leaves everything in the snapshot. */
  async close(options: { version: Version; compact: boolean }): Promise<void> {
    await this.#compacting;
    if (options.compact && !this.#isEmpty) await this.restart(options.version);
    await this.#closeFile();
  }

  #toSnapshot(version: Version, journal: number | undefined): Snapshot {
    const collections = new Map<string, SnapshotCollection>();
    for (const [name, table] of version.tables) {
      const documents = { [Symbol.iterator]: () => table.documents() };
      collections.set(name, { revision: table.collection.revision, documents });
    }
    for (const [name, { revision, documents }] of this.#options.extras) {
      collections.set(name, { revision, documents: [...documents.values()] });
    }
    return { service: this.#options.name, lsn: version.lsn, journal, collections, edited: false };
  }

  async #writeSnapshot(version: Version, journal: number | undefined): Promise<void> {
    const { low, files, name, snapshotPath } = this.#options;
    low.data = this.#toSnapshot(version, journal);
    try {
      await low.write();
    } finally {
      low.data = emptySnapshot(name); // else it would keep an old version's trees in memory
    }
    this.#snapshotBytes = (await files.sizeBytes(snapshotPath)) ?? 0;
  }

  /** Removes those before the present one. */
  async #removeOldJournals(): Promise<void> {
    const { files, folder } = this.#options;
    for (const journal of await listJournals(this.#options)) {
      if (journal.generation < this.#generation) await files.remove(journal.path);
    }
    await files.syncFolder(folder);
  }

  async #closeFile(): Promise<void> {
    const old = this.#file;
    this.#file = undefined;
    await old?.close();
  }

  /** Goes on in the next journal, after the transaction `lsn`. */
  async #begin(lsn: number): Promise<void> {
    const { files, folder, compactAtBytes, clock } = this.#options;
    // No snapshot names it yet, so that one that was begun in vain is begun again.
    const generation = this.#generation + 1;
    const opened = await files.openAppend(toJournalPath(this.#options, generation), { truncate: true });
    const firstLine = toFirstLine({ lsn, at: clock.now() });
    try {
      await opened.append(firstLine);
      await opened.datasync();
      await files.syncFolder(folder);
    } catch (error) {
      await opened.close();
      throw error;
    }
    this.#file = opened;
    this.#generation = generation;
    this.#journalBytes = firstLine.byteLength;
    this.#isEmpty = true;
    this.#compactAtBytes = compactAtBytes;
  }

  async #rotateWhenLarge(): Promise<void> {
    const isLarge = this.#journalBytes > Math.max(this.#compactAtBytes, this.#snapshotBytes);
    if (this.#compacting !== undefined || !isLarge) return;
    const startedAt = this.#options.clock.monotonic();
    try {
      await this.#rotate();
    } catch (error) {
      this.#putOff(error, startedAt);
    }
  }

  /**
   * Compaction, step by step; a crash after any step leaves files that add up to the same state:
   * 1. an empty next journal, 2. (from now on lines go there) a snapshot of all before it, which names that
   * journal, under a temporary name, synced, 3. renamed over the old one, 4. the old journals removed. Lines
   * that the snapshot already holds are skipped by their number when read back.
   */
  async #rotate(): Promise<void> {
    const old = this.#file;
    await this.#begin(this.#written.lsn);
    await old?.close().catch(() => undefined);
    this.#compacting = this.#compact(this.#written);
  }

  async #compact(version: Version): Promise<void> {
    const { clock, onCompaction } = this.#options;
    const startedAt = clock.monotonic();
    try {
      await this.#writeSnapshot(version, this.#generation);
      await this.#removeOldJournals();
      onCompaction({ durationMs: clock.monotonic() - startedAt });
    } catch (error) {
      this.#putOff(error, startedAt);
    }
    this.#compacting = undefined;
  }

  /** The journals hold everything, so a compaction that failed endangers nothing: try again when they have grown. */
  #putOff(error: unknown, startedAt: number): void {
    this.#compactAtBytes = this.#journalBytes + this.#options.compactAtBytes;
    this.#options.onCompaction({ error, durationMs: this.#options.clock.monotonic() - startedAt });
  }
}
