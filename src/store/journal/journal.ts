/**
 * The store's files while it runs: batches go to the journal, and when that has grown past the snapshot a
 * new snapshot replaces both. Hidden here: generations, and the order of steps that makes a crash between
 * any two of them recoverable.
 */
import type { Low } from "lowdb";
import type { Clock } from "../../kit/clock.ts";
import type { AppendFile } from "../file-layer.ts";
import type { Batch } from "./engine.ts";
import type { Version } from "./head.ts";
import { toLines } from "./line.ts";
import type { RecoveredCollection, StorePlace } from "./recovery.ts";
import { listJournals, toJournalPath } from "./recovery.ts";
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
  readonly journal?: { readonly generation: number; readonly sizeBytes: number };
}

export interface Journal {
  /** Takes up the files. With `rewrite` a new snapshot and journal replace them first. */
  open(start: JournalStart, rewrite: boolean): Promise<void>;
  /** Writes and syncs a batch. */
  persist(batch: Batch): Promise<void>;
  /** Replaces all files by a snapshot of `version` and an empty journal. */
  restart(version: Version): Promise<void>;
  /** Closes the files; `compact` first leaves everything in the snapshot. */
  close(options: { version: Version; compact: boolean }): Promise<void>;
  /** Resolves when no compaction is under way. */
  idle(): Promise<void>;
  readonly generation: number;
  readonly journalBytes: number;
  readonly snapshotBytes: number;
}

/** A snapshot of nothing, lowdb's default data. */
export function emptySnapshot(service: string): Snapshot {
  return { service, lsn: 0, collections: new Map(), edited: false };
}

/** Makes the journal of a place; nothing is touched before `open`. */
export function createJournal(options: JournalOptions): Journal {
  const { files, low, clock } = options;
  let file: AppendFile | undefined;
  let generation = 0;
  let journalBytes = 0;
  let snapshotBytes = 0;
  let compactAtBytes = options.compactAtBytes;
  /** The version that all written batches add up to. */
  let written: Version = { lsn: 0, tables: new Map() };
  let compacting: Promise<void> | undefined;

  function toSnapshot(version: Version): Snapshot {
    const collections = new Map<string, SnapshotCollection>();
    for (const [name, table] of version.tables) {
      const documents = { [Symbol.iterator]: () => table.documents() };
      collections.set(name, { revision: table.collection.revision, documents });
    }
    for (const [name, { revision, documents }] of options.extras) {
      collections.set(name, { revision, documents: [...documents.values()] });
    }
    return { service: options.name, lsn: version.lsn, collections, edited: false };
  }

  async function writeSnapshot(version: Version): Promise<void> {
    low.data = toSnapshot(version);
    try {
      await low.write();
    } finally {
      low.data = emptySnapshot(options.name); // else it would keep an old version's trees in memory
    }
    snapshotBytes = (await files.sizeBytes(options.snapshotPath)) ?? 0;
  }

  async function removeJournals(isOld: (generation: number) => boolean): Promise<void> {
    for (const journal of await listJournals(options)) {
      if (isOld(journal.generation)) await files.remove(journal.path);
    }
    await files.syncFolder(options.folder);
  }

  async function closeFile(): Promise<void> {
    const old = file;
    file = undefined;
    await old?.close();
  }

  async function begin(next: number): Promise<void> {
    const opened = await files.openAppend(toJournalPath(options, next), { truncate: true });
    try {
      await files.syncFolder(options.folder);
    } catch (error) {
      await opened.close();
      throw error;
    }
    file = opened;
    generation = next;
    journalBytes = 0;
    compactAtBytes = options.compactAtBytes;
  }

  /**
   * Compaction, step by step; a crash after any step leaves files that add up to the same state:
   * 1. an empty next journal, 2. (from now on lines go there) a snapshot of all before it under a
   * temporary name, synced, 3. renamed over the old one, 4. the old journals removed. Lines that the
   * snapshot already holds are skipped by their number when read back.
   */
  async function rotate(): Promise<void> {
    const old = file;
    await begin(generation + 1);
    await old?.close().catch(() => undefined);
    compacting = compact(written, generation);
  }

  async function compact(version: Version, current: number): Promise<void> {
    const startedAt = clock.monotonic();
    try {
      await writeSnapshot(version);
      await removeJournals((old) => old < current);
      options.onCompaction({ durationMs: clock.monotonic() - startedAt });
    } catch (error) {
      putOff(error, startedAt);
    }
    compacting = undefined;
  }

  /** The journals hold everything, so a compaction that failed endangers nothing: try again when they have grown. */
  function putOff(error: unknown, startedAt: number): void {
    compactAtBytes = journalBytes + options.compactAtBytes;
    options.onCompaction({ error, durationMs: clock.monotonic() - startedAt });
  }

  async function rotateWhenLarge(): Promise<void> {
    if (compacting !== undefined || journalBytes <= Math.max(compactAtBytes, snapshotBytes)) return;
    const startedAt = clock.monotonic();
    try {
      await rotate();
    } catch (error) {
      putOff(error, startedAt);
    }
  }

  async function restart(version: Version): Promise<void> {
    await compacting;
    await closeFile().catch(() => undefined);
    await writeSnapshot(version);
    // Only when no line of a lost batch is left may new lines with the same numbers be written.
    await removeJournals(() => true);
    await begin(generation + 1);
    written = version;
  }

  return {
    async open(start, rewrite) {
      written = start.version;
      generation = start.journal?.generation ?? 0;
      if (rewrite) return restart(start.version);
      snapshotBytes = (await files.sizeBytes(options.snapshotPath)) ?? 0;
      if (start.journal === undefined) return begin(generation + 1);
      journalBytes = start.journal.sizeBytes;
      file = await files.openAppend(toJournalPath(options, generation));
      if ((await file.sizeBytes()) === journalBytes) return;
      await file.truncate(journalBytes);
      await file.datasync();
    },
    async persist(batch) {
      await rotateWhenLarge();
      if (file === undefined) throw new Error("the journal is closed");
      const bytes = toLines(batch.transactions, { firstLsn: batch.firstLsn, at: clock.now() });
      try {
        await file.append(bytes);
        await file.datasync();
      } catch (error) {
        // Nobody will be told that these bytes are stored, so they should not come back after a restart.
        await file.truncate(journalBytes).catch(() => undefined);
        throw error;
      }
      journalBytes += bytes.byteLength;
      written = batch.version;
    },
    restart,
    async idle() {
      await compacting;
    },
    async close({ version, compact: wanted }) {
      await compacting;
      await closeFile();
      if (!wanted || journalBytes === 0) return;
      await writeSnapshot(version);
      await removeJournals(() => true);
    },
    get generation() {
      return generation;
    },
    get journalBytes() {
      return journalBytes;
    },
    get snapshotBytes() {
      return snapshotBytes;
    },
  };
}
