/**
 * The store's files while it runs: batches go to the journal, and when that has grown past the snapshot a new
 * snapshot replaces both.
 */
import { Low } from "lowdb";
import type { Clock } from "../../kit/time/clock.ts";
import type { AppendFile } from "../../kit/files/file-layer.ts";
import { renewFile } from "../../kit/files/renew-file.ts";
import type { Prepared } from "../btree/base.ts";
import type { Table } from "../tables/table.ts";
import { toParts } from "../tables/write-table.ts";
import type { Batch } from "./engine.ts";
import type { Version } from "./head.ts";
import { toFirstLine, toLines } from "./line.ts";
import { moveOver } from "./load.ts";
import { type StorePlace, listGenerations, toGenerationPath, toWorkPaths } from "./place.ts";
import { type Image, type SnapshotFile, createSnapshotFile } from "./snapshot-adapter.ts";

export interface JournalOptions extends StorePlace {
  readonly clock: Clock;
  /** Collections that were not declared. */
  readonly extras: ReadonlyMap<string, Table>;
  /** Compacts when the journal is larger than this and than half of the snapshot. */
  readonly compactAtBytes: number;
  /** A snapshot is being made of the version `lsn`. */
  readonly onRotation: (lsn: number) => void;
  /** It is there, with its content as a version over it, or failed. */
  readonly onCompaction: (outcome: Compaction) => void;
}

export interface Compaction {
  readonly version?: Version;
  readonly error?: unknown;
  readonly durationMs: number;
}

/** A store at rest: where to go on writing. */
export interface JournalStart {
  readonly version: Version;
  /** The one journal to go on with; without it a new one is begun. */
  readonly journal?: { readonly generation: number; readonly sizeBytes: number; readonly isEmpty: boolean };
  /** A snapshot of all that the files hold, which names the next journal, to take the place of them. */
  readonly prepared?: Prepared | undefined;
}

/** Of a larger snapshot, so large a part is written to the journal before the next one is made. */
const SNAPSHOT_PART = 1 / 2;

/** See the module's header. Nothing is touched before `open`; callers never overlap `persist`, `restart` and `close`. */
export class Journal {
  readonly #options: JournalOptions;
  readonly #snapshot: SnapshotFile;
  readonly #low: Low<Image>;
  #extras: ReadonlyMap<string, Table>;
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
    this.#snapshot = createSnapshotFile(options);
    this.#low = new Low<Image>(this.#snapshot, this.#nothing);
    this.#extras = options.extras;
    this.#compactAtBytes = options.compactAtBytes;
  }

  get #nothing(): Image {
    return { service: this.#options.name, lsn: 0, parts: new Map() };
  }

  get generation(): number {
    return this.#generation;
  }

  /** The journal that is written. */
  get path(): string {
    return this.#toPath(this.#generation);
  }

  get journalBytes(): number {
    return this.#journalBytes;
  }

  get snapshotBytes(): number {
    return this.#snapshotBytes;
  }

  /** Opens the files; returns the current version. With `rewrite`, a new snapshot and journal replace them first. */
  async open(start: JournalStart, rewrite: boolean): Promise<Version> {
    const { files, folder } = this.#options;
    // Lines that a killed program has left count from now on.
    for (const { path } of await listGenerations(this.#options, "journal"))
      await renewFile(files, path, { folder, draft: toWorkPaths(this.#options)[2] });
    this.#written = start.version;
    this.#generation = start.journal?.generation ?? 0;
    if (start.prepared !== undefined) return this.#adopt(start.version, start.prepared);
    if (rewrite || start.journal === undefined) return this.restart(start.version);
    await this.#measureSnapshot();
    this.#journalBytes = start.journal.sizeBytes;
    this.#isEmpty = start.journal.isEmpty;
    this.#file = await files.openAppend(this.#toPath(this.#generation));
    if ((await this.#file.sizeBytes()) !== this.#journalBytes) await this.#file.truncate(this.#journalBytes);
    await this.#file.datasync();
    return start.version;
  }

  /** As `restart`, with a snapshot that was written already. */
  async #adopt(version: Version, prepared: Prepared): Promise<Version> {
    await this.#begin(version.lsn);
    await this.#snapshot.adopt(prepared);
    await this.#measureSnapshot();
    await this.#removeOld();
    this.#written = await this.#openSnapshot(version);
    return this.#written;
  }

  /** Writes and syncs a batch. */
  async persist(batch: Batch): Promise<void> {
    await this.#rotateWhenLarge();
    if (this.#file === undefined) throw new Error("the journal is closed");
    const bytes = toLines(batch.transactions, { firstLsn: batch.firstLsn, at: this.#options.clock.now() });
    try {
      await this.#file.appendDurably(bytes);
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
   * names it; before the very first one there is a snapshot that names none. The same content over the new snapshot.
   */
  async restart(version: Version): Promise<Version> {
    await this.#compacting;
    await this.#closeFile().catch(() => undefined);
    const isFirst = (await this.#options.files.sizeBytes(this.#snapshot.path)) === undefined;
    if (isFirst) await this.#writeSnapshot(version, undefined);
    await this.#begin(version.lsn);
    await this.#writeSnapshot(version, this.#generation);
    // Only when no line of a lost batch is left may new lines with the same numbers be written.
    await this.#removeOld();
    this.#written = await this.#openSnapshot(version);
    return this.#written;
  }

  /** Resolves when no compaction is under way. */
  async idle(): Promise<void> {
    await this.#compacting;
  }

  /** Closes the files; `compact` first leaves everything in the snapshot. */
  async close(options: { version: Version; compact: boolean }): Promise<void> {
    await this.#compacting;
    const { version, compact } = options;
    const last = compact && !this.#isEmpty ? await this.restart(version) : version;
    if (last !== version) last.base?.release();
    version.base?.release();
    await this.#closeFile();
  }

  async #writeSnapshot(version: Version, journal: number | undefined): Promise<void> {
    const { name } = this.#options;
    const { lsn } = version;
    const parts = toParts(new Map([...version.tables, ...this.#extras]));
    this.#low.data = { service: name, lsn, journal, parts };
    try {
      await this.#low.write();
    } finally {
      this.#low.data = this.#nothing; // else it would keep an old version's trees in memory
    }
    await this.#measureSnapshot();
  }

  async #measureSnapshot(): Promise<void> {
    this.#snapshotBytes = (await this.#options.files.sizeBytes(this.#snapshot.path)) ?? 0;
  }

  /** The version over the snapshot that was just made of it. */
  async #openSnapshot({ lsn, tables }: Version): Promise<Version> {
    const base = await this.#snapshot.open();
    this.#extras = moveOver(this.#extras, base);
    return { lsn, tables: moveOver(tables, base), base };
  }

  /** Removes journals before the current one, and index files of earlier snapshots. */
  async #removeOld(): Promise<void> {
    const { files, folder } = this.#options;
    for (const kind of ["journal", "index"] as const)
      for (const old of await listGenerations(this.#options, kind))
        if (old.generation < this.#generation) await files.remove(old.path);
    await files.syncFolder(folder);
  }

  #toPath(generation: number): string {
    return toGenerationPath(this.#options, { generation, kind: "journal" });
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
    const opened = await files.openAppend(this.#toPath(generation), { truncate: true });
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
    const isLarge = this.#journalBytes > Math.max(this.#compactAtBytes, this.#snapshotBytes * SNAPSHOT_PART);
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
    this.#options.onRotation(this.#written.lsn);
    this.#compacting = this.#compact(this.#written);
  }

  async #compact(version: Version): Promise<void> {
    const { clock, onCompaction } = this.#options;
    const startedAt = clock.monotonic();
    try {
      await this.#writeSnapshot(version, this.#generation);
      await this.#removeOld();
      const moved = await this.#openSnapshot(version);
      onCompaction({ version: moved, durationMs: clock.monotonic() - startedAt });
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
