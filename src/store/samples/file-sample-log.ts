/**
 * The sample log on files. Hidden here: when segments are rolled and dropped, when checkpoints are written,
 * and the order in which a start reads them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { FileLayer } from "../file-layer.ts";
import { nodeFileLayer } from "../file-layer.ts";
import { readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import type {
  CheckpointEntry,
  ReplayHandlers,
  ReplaySummary,
  SampleKind,
  SampleLog,
  SampleLogEvent,
} from "./samples.ts";
import type { ReadSegment, SegmentFolder } from "./segment-files.ts";
import { listSegments, readSegments } from "./segment-files.ts";
import type { OpenSegment, SegmentWriter } from "./segment-writer.ts";
import { createSegmentWriter } from "./segment-writer.ts";

export interface SampleLogOptions {
  /** Lies in a folder that its owner has locked; made when it does not exist. */
  readonly folder: string;
  /** Kinds by column number. A column keeps its number and kind for ever; new ones are added at the end. */
  readonly columns: readonly SampleKind[];
  /** What the owner wants back at the next start, read lazily while others run. Only durable rows may count in it. */
  readonly checkpoint: () => Iterable<CheckpointEntry>;
  readonly clock: Clock;
  /** Told of failures, healing and torn ends. */
  readonly log: Log;
  readonly files?: FileLayer;
  /** A segment is closed after this time. Default 5 minutes. */
  readonly segmentMs?: number;
  /** A segment is closed at this size. Default 64 MiB. */
  readonly segmentBytes?: number;
  /** Rows are kept at least this long. Default 16 minutes. */
  readonly retainMs?: number;
  readonly onEvent?: (event: SampleLogEvent) => void;
}

/** A segment that is only kept for replay. */
interface KeptSegment {
  readonly seq: number;
  readonly path: string;
  /** When it may go, on the monotonic clock: a jump of the wall clock must neither drop nor hoard rows. */
  readonly dropAt: number;
}

interface Settings {
  readonly segmentMs: number;
  readonly segmentBytes: number;
  readonly retainMs: number;
}

function sayEvent(log: Log, event: SampleLogEvent): void {
  const { type, ...fields } = event;
  const message = `Sample log: ${type}`;
  if (type === "failed" || type === "checkpoint_failed") log.error(message, fields);
  else if (type === "torn" || type === "gap") log.warn(message, fields);
  else if (type === "healed") log.info(message, fields);
  else log.debug(message, fields);
}

/** Segments that wait for their window to pass. */
function createKeptSegments(place: SegmentFolder, clock: Clock): {
  add(segment: { readonly seq: number; readonly path: string }, keepMs: number): void;
  /** Removes what has passed, of the segments before `firstSeq`. */
  drop(firstSeq: number): Promise<void>;
} {
  let kept: readonly KeptSegment[] = [];
  return {
    add(segment, keepMs) {
      kept = [...kept, { seq: segment.seq, path: segment.path, dropAt: clock.monotonic() + keepMs }];
    },
    async drop(firstSeq) {
      const passed = kept.filter(({ seq, dropAt }) => seq < firstSeq && dropAt <= clock.monotonic());
      for (const segment of passed) {
        await place.files.remove(segment.path);
        kept = kept.filter((other) => other !== segment);
        place.onEvent({ type: "dropped", path: segment.path });
      }
    },
  };
}

/** Opens the sample log of a folder. Call `replay` before the first append. */
export async function openSampleLog(options: SampleLogOptions): Promise<SampleLog> {
  const { folder, clock, files = nodeFileLayer } = options;
  const settings: Settings = {
    segmentMs: options.segmentMs ?? 5 * 60_000,
    segmentBytes: options.segmentBytes ?? 64 * 1024 * 1024,
    retainMs: options.retainMs ?? 16 * 60_000,
  };
  function onEvent(event: SampleLogEvent): void {
    sayEvent(options.log, event);
    options.onEvent?.(event);
  }
  await files.makeFolder(folder);
  return createSampleLog({ options, settings, place: { files, folder, onEvent }, clock });
}

interface Parts {
  readonly options: SampleLogOptions;
  readonly settings: Settings;
  readonly place: SegmentFolder;
  readonly clock: Clock;
}

function createSampleLog({ options, settings, place, clock }: Parts): SampleLog {
  const kept = createKeptSegments(place, clock);
  let opened: SegmentWriter | undefined;
  let rolling: Promise<void> | undefined;
  /** The first segment that the checkpoint on disk may lack rows of. */
  let coveredSeq = 0;

  function writer(): SegmentWriter {
    if (opened === undefined) throw new TypeError("The sample log must be replayed before it is used");
    return opened;
  }

  function keepRead(segment: ReadSegment): void {
    const ageMs = clock.now() - segment.lastReceivedAt;
    kept.add(segment, Math.min(Math.max(settings.retainMs - ageMs, 0), settings.retainMs));
  }

  async function saveCheckpoint(firstSeq: number): Promise<void> {
    // Whoever waited for the last rows learns of their durability first and counts them in.
    await nextTurn();
    try {
      await writeCheckpoint(place.files, place.folder, { firstSeq, entries: options.checkpoint() });
      coveredSeq = firstSeq;
    } catch (error) {
      place.onEvent({ type: "checkpoint_failed", error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  async function dropOld(): Promise<void> {
    try {
      await kept.drop(coveredSeq);
    } catch (error) {
      options.log.warn("Sample log: an old segment could not be removed", { error });
    }
  }

  async function rollNow(): Promise<void> {
    await writer().rotate();
    await saveCheckpoint(writer().segment.seq);
    await dropOld();
  }

  function roll(): Promise<void> {
    rolling ??= rollNow().finally(() => {
      rolling = undefined;
    });
    return rolling;
  }

  function isDue(segment: OpenSegment): boolean {
    if (segment.rows === 0 || rolling !== undefined) return false;
    return segment.sizeBytes >= settings.segmentBytes || clock.monotonic() - segment.openedAt >= settings.segmentMs;
  }

  return {
    async replay(handlers: ReplayHandlers): Promise<ReplaySummary> {
      if (opened !== undefined) throw new TypeError("The sample log was replayed before");
      const checkpoint = await readCheckpoint(place.files, place.folder, handlers.onCheckpoint);
      coveredSeq = checkpoint?.firstSeq ?? 0;
      const seqs = await listSegments(place.files, place.folder);
      const segments = await readSegments(place, seqs, handlers.onRow);
      for (const segment of segments) keepRead(segment);
      const last = segments.at(-1);
      opened = await createSegmentWriter({
        place,
        columns: options.columns,
        clock,
        firstSeq: Math.max(seqs.at(-1) ?? 0, coveredSeq) + 1,
        previous: { seq: last?.seq ?? 0, durableBytes: last?.durableBytes ?? 0 },
        onClosed: (segment) => kept.add(segment, settings.retainMs),
      });
      const rows = segments.reduce((sum, segment) => sum + segment.rows, 0);
      return { rows, segments: segments.length, checkpointEntries: checkpoint?.entries ?? 0 };
    },
    append(row) {
      const target = writer();
      const done = target.append(row);
      // A failed roll has told so by an event, and the rows learn of it by themselves.
      if (isDue(target.segment) && target.failure === undefined) void roll().catch(() => undefined);
      return done;
    },
    async maintain() {
      await writer().check().catch(() => undefined);
      if (writer().failure !== undefined) return;
      if (isDue(writer().segment)) await roll().catch(() => undefined);
      else await dropOld();
    },
    roll,
    check: () => writer().check(),
    async close() {
      await rolling?.catch(() => undefined);
      if (opened === undefined) return;
      const { failure, segment } = opened;
      await opened.close();
      if (failure === undefined) await saveCheckpoint(segment.seq + 1);
    },
  };
}
