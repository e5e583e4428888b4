/** The JSON store: puts lock, recovery, engine, journal and healing together. */
import { setImmediate } from "node:timers";
import { type Clock, systemClock } from "../../kit/time/clock.ts";
import { type Log, silentLog } from "../../kit/observe/log.ts";
import { type FileLayer, nodeFileLayer } from "../../kit/files/file-layer.ts";
import { type Collection, type Store, StoreError } from "../store.ts";
import type { Prepared } from "../btree/base.ts";
import { type Damage, describeDamage } from "../btree/block-sums.ts";
import { Engine } from "./engine.ts";
import type { Version } from "./head.ts";
import { type Schedule, createHealer } from "./healer.ts";
import { type JournalStart, Journal } from "./journal.ts";
import { type Loaded, isFor, loadOver } from "./load.ts";
import { type Lock, type LockOptions, takeLock } from "./lock.ts";
import { createTables } from "./memory-store.ts";
import { type StorePlace, toSnapshotPath, toWorkPaths } from "./place.ts";
import { rebuild } from "./rebuild.ts";
import { type JournalFile, recoverChanges } from "./recovery.ts";
import type { DataProblem } from "../scrub.ts";
import { scrubJournal } from "./scrub.ts";
import { findBase } from "./snapshot-adapter.ts";

const COMPACT_AT_BYTES = 64 * 1024 * 1024;
/** Larger stores are not compacted when they close, so that a stop stays quick. */
const COMPACT_ON_CLOSE_BYTES = 256 * 1024 * 1024;

/** Events for administrators. */
export type JournalStoreEvent =
  | { readonly type: "opened"; readonly lsn: number; readonly records: number; readonly tornBytes: number }
  | { readonly type: "compacted"; readonly durationMs: number }
  | { readonly type: "compaction_failed"; readonly error: unknown }
  | { readonly type: "damaged"; readonly damage: Damage }
  | { readonly type: "failed"; readonly error: StoreError }
  | { readonly type: "healed" };

export interface JournalStoreOptions {
  /** The service's own folder, such as `data/monitor`. Made when there is none. */
  readonly folder: string;
  /** The service's name; begins the names of its files. */
  readonly name: string;
  readonly collections: readonly Collection[];
  readonly files?: FileLayer;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Compacts when the journal is larger than this (default 64 MiB) and than half of the snapshot. */
  readonly compactAtBytes?: number;
  /** Leaves everything in the snapshot when the store closes (default true), so that it can be read and edited. */
  readonly compactOnClose?: boolean;
  /** Runs each transaction's work twice and counts the second run. */
  readonly forceReruns?: boolean;
  readonly onEvent?: (event: JournalStoreEvent) => void;
  /** For tests: when a failed store is tried again. */
  readonly schedule?: Schedule;
  /** For tests: how the lock finds out who lives. */
  readonly lock?: Pick<LockOptions, "identity" | "watchMs">;
}

export interface JournalStoreStats {
  /** Number of the last durable transaction. */
  readonly lsn: number;
  readonly records: number;
  readonly generation: number;
  readonly journalBytes: number;
  readonly snapshotBytes: number;
}

export interface JournalStore extends Store {
  readonly stats: JournalStoreStats;
  /** Resolves when no compaction is under way. */
  idle(): Promise<void>;
  /** Compares all that is on disk with its checksums, piece by piece. */
  scrub(): AsyncGenerator<number | DataProblem>;
}

/** Resolves after everything that is ready to run has run. Taken once, so that mocked timers cannot stop the disk. */
const turn = setImmediate;
const nextTurn = (): Promise<void> => new Promise((resolve) => void turn(resolve));

interface Opened {
  readonly journal: Journal;
  readonly engine: Engine;
  readonly tornBytes: number;
}

type Known = JournalStoreOptions &
  Required<Pick<StorePlace, "onDamage">> & {
    readonly files: FileLayer;
    readonly clock: Clock;
    readonly log: Log;
  };

/** Reports each damaged part once, however often it is read. */
function createDamageReport(report: (event: JournalStoreEvent) => void): (damage: Damage) => void {
  const known = new Set<string>();
  return (damage) => {
    const place = `${damage.path} ${damage.offset}`;
    if (known.has(place)) return;
    known.add(place);
    report({ type: "damaged", damage });
  };
}

function toStart({ journals, version, prepared }: Read): JournalStart {
  const journal = journals.at(-1);
  if (journal === undefined) return { version, prepared };
  const { generation, goodBytes, changes } = journal;
  return { version, prepared, journal: { generation, sizeBytes: goodBytes, isEmpty: changes === 0 } };
}

/** The contents of the files, as tables. */
interface Read extends Pick<Loaded, "extras"> {
  readonly version: Version;
  readonly journals: readonly JournalFile[];
  /** A snapshot of it, when there is no index file that fits. */
  readonly prepared?: Prepared;
  /** True when the files have to be put in order before the first transaction. */
  readonly rewrite: boolean;
}

/** Reads the journals alone where the snapshot has its index file, else everything. */
async function readFiles(options: Known): Promise<Read> {
  const { collections } = options;
  const path = toSnapshotPath(options);
  const base = await findBase(options);
  if (base !== undefined && isFor(collections, base)) {
    try {
      const names = Object.keys(base.contents.collections);
      const { lsn, journals, changes } = await recoverChanges(options, { ...base.contents, names });
      const { tables, extras } = loadOver(collections, { base, changes, path });
      return { version: { lsn, tables, base }, extras, journals, rewrite: journals.length !== 1 };
    } catch (error) {
      base.release();
      throw error;
    }
  }
  base?.release();
  const tables = createTables(collections);
  const rebuilt = await rebuild(options);
  if (rebuilt === undefined)
    return { version: { lsn: 0, tables }, extras: new Map(), journals: [], rewrite: true };
  return { ...rebuilt, version: { lsn: rebuilt.prepared.contents.lsn, tables }, rewrite: true };
}

async function openFiles(options: Known, report: (event: JournalStoreEvent) => void): Promise<Opened> {
  const { files, folder, name, clock } = options;
  for (const left of toWorkPaths(options)) await files.remove(left);
  const read = await readFiles(options);
  const { version: found, extras, journals, rewrite } = read;
  const journal = new Journal({
    files,
    folder,
    name,
    clock,
    extras,
    onDamage: options.onDamage,
    compactAtBytes: options.compactAtBytes ?? COMPACT_AT_BYTES,
    onRotation: (lsn) => engine.keepFrom(lsn),
    onCompaction: ({ version, error, durationMs }) => {
      engine.moveTo(version);
      report(error === undefined ? { type: "compacted", durationMs } : { type: "compaction_failed", error });
    },
  });
  const version = await journal.open(toStart(read), rewrite);
  if (version.base !== found.base) found.base?.release();
  const engine = new Engine({
    start: version,
    persist: (batch) => journal.persist(batch),
    gather: nextTurn,
    forceReruns: options.forceReruns === true,
    onFailure: (error) => report({ type: "failed", error }),
  });
  const tornBytes = journals.reduce((sum, { tornBytes: bytes }) => sum + bytes, 0);
  return { journal, engine, tornBytes };
}

function countRecords(version: Version): number {
  return [...version.tables.values()].reduce((sum, { size }) => sum + size, 0);
}

function toFields(damage: Damage): { readonly file: string; readonly problem: string } {
  return { file: damage.path, problem: `${describeDamage(damage)} (trivet check names what is in it)` };
}

function logEvent(log: Log, event: JournalStoreEvent): void {
  if (event.type === "opened") {
    if (event.tornBytes > 0)
      log.warn("Dropped an incomplete transaction at the end of the journal", { tornBytes: event.tornBytes });
    log.info("Store opened", { lsn: event.lsn, records: event.records });
  } else if (event.type === "compacted") log.debug("Store compacted", { ms: Math.round(event.durationMs) });
  else if (event.type === "compaction_failed")
    log.warn("Compaction failed; the journal keeps growing", { error: event.error });
  else if (event.type === "damaged") log.error("A database file is damaged", toFields(event.damage));
  else if (event.type === "failed")
    log.error("The database rejects writes until the error is resolved", { error: event.error });
  else log.info("The database accepts writes again");
}

/**
 * Opens the JSON store of a service.
 * @throws StoreError `store_unavailable` when another process has the folder or a file is damaged, with the remedy
 */
export async function openJournalStore(options: JournalStoreOptions): Promise<JournalStore> {
  const { folder, name } = options;
  const log = (options.log ?? silentLog).child({ store: name });
  let onFailure: () => void = () => undefined;
  const report = (event: JournalStoreEvent): void => {
    logEvent(log, event);
    options.onEvent?.(event);
    if (event.type === "failed") onFailure();
  };
  const known = {
    ...options,
    log,
    files: options.files ?? nodeFileLayer,
    clock: options.clock ?? systemClock,
    onDamage: createDamageReport(report),
  };
  await known.files.makeFolder(folder);
  const lock = await takeLock({ files: known.files, folder, name, ...options.lock });
  let opened: Opened;
  try {
    opened = await openFiles(known, report);
  } catch (error) {
    await lock.release();
    throw error;
  }
  const { engine, journal, tornBytes } = opened;
  report({ type: "opened", lsn: engine.durable.lsn, records: countRecords(engine.durable), tornBytes });
  const healer = createHealer({
    clock: known.clock,
    schedule: options.schedule,
    attempt: async () => {
      // A compaction may replace the durable version.
      await journal.idle();
      engine.revive(await journal.restart(engine.durable));
      report({ type: "healed" });
    },
  });
  onFailure = () => healer.start();
  return toStore(known, { engine, journal, healer, lock });
}

interface Parts {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly healer: ReturnType<typeof createHealer>;
  readonly lock: Lock;
}

function toStore(options: Known, { engine, journal, healer, lock }: Parts): JournalStore {
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    try {
      await engine.drain();
      await healer.stop();
      await journal.idle();
      const small = journal.snapshotBytes + journal.journalBytes <= COMPACT_ON_CLOSE_BYTES;
      const compact = options.compactOnClose !== false && small && engine.failure === undefined;
      await journal.close({ version: engine.durable, compact });
    } catch (error) {
      options.log.warn("The journal could not be compacted; the next start replays it", { error });
    } finally {
      await lock.release();
    }
  }

  return {
    transact: (work) => engine.transact(work),
    read: (work) => engine.read(work),
    async check() {
      if (closing !== undefined) throw new StoreError("store_unavailable", "The store is closed");
      if (engine.failure !== undefined) await healer.tryNow();
      if (engine.failure !== undefined) throw engine.failure;
    },
    close: () => (closing ??= close()),
    idle: () => journal.idle(),
    async *scrub() {
      const { base } = engine.durable;
      base?.use();
      try {
        if (base !== undefined) yield* base.scrub();
      } finally {
        base?.release();
      }
      yield* scrubJournal(options.files, journal.path, journal.journalBytes);
    },
    get stats() {
      const { durable } = engine;
      const { generation, journalBytes, snapshotBytes } = journal;
      return { lsn: durable.lsn, records: countRecords(durable), generation, journalBytes, snapshotBytes };
    },
  };
}
