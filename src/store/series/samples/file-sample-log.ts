/** The sample log on files. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Log } from "../../../kit/observe/log.ts";
import { type FileLayer, nodeFileLayer } from "../../../kit/files/file-layer.ts";
import { readCheckpoint } from "./checkpoint.ts";
import { type Manifest, findLost, isCurrent, readManifest, removeManifestDraft } from "./manifest.ts";
import { type Newest, readNewest, removeNewestDraft } from "./newest.ts";
import { type Retention, createRetention } from "./retention.ts";
import type {
  CheckpointEntry,
  ReplayHandlers,
  ReplaySummary,
  SampleKind,
  SampleLog,
  SampleLogEvent,
} from "./samples.ts";
import type { Scrub } from "../../scrub.ts";
import { scrubSamples } from "./scrub-samples.ts";
import { type SegmentFolder, listSegments, readSegments, segmentPath } from "./segment-files.ts";
import { type SegmentWriter, createSegmentWriter } from "./segment-writer.ts";

export interface SampleLogOptions {
  /** Lies in a folder that its owner has locked; made when it does not exist. */
  readonly folder: string;
  /** Kinds by column number. A column keeps its number and kind for ever; new ones are added at the end. */
  readonly columns: readonly SampleKind[];
  /** The owner's data for the next start, read lazily while others run. Must only include durable rows. */
  readonly checkpoint: () => Iterable<CheckpointEntry>;
  readonly clock: Clock;
  /** Called on failures, healing and torn ends. */
  readonly log: Log;
  readonly files?: FileLayer;
  /** A segment is closed after this time. Default 5 minutes. */
  readonly segmentMs?: number;
  /** A segment is closed at this size. Default 64 MiB. */
  readonly segmentBytes?: number;
  /** Rows are kept at least this long. Default 16 minutes. */
  readonly retainMs?: number;
  readonly onEvent?: (event: SampleLogEvent) => void;
  /** Segments from this number on stay, whatever their age; new ones get no smaller number. Default: none. */
  readonly keepFrom?: () => number;
  /**
   * Called in a roll when all rows of segments before `firstSeq` are durable and acknowledged,
   * before the checkpoint. The roll goes on when it is done; its failures are its own affair.
   */
  readonly onRolled?: (firstSeq: number) => Promise<void>;
  /** Asked with each row: whether the owner wants a new segment before its time. Default: never. */
  readonly wantsRoll?: () => boolean;
}

const DEFAULT_SEGMENT_MS = 5 * 60_000;
const DEFAULT_SEGMENT_BYTES = 64 * 1024 * 1024;
const DEFAULT_RETAIN_MS = 16 * 60_000;

function sayEvent(log: Log, event: SampleLogEvent): void {
  const { type, ...fields } = event;
  const message = `Sample log: ${type}`;
  if (type === "failed" || type === "checkpoint_failed" || type === "lost") log.error(message, fields);
  else if (["torn", "gap", "drop_failed", "manifest_failed"].includes(type)) log.warn(message, fields);
  else if (type === "healed") log.info(message, fields);
  else log.debug(message, fields);
}

/** Opens the sample log of a folder. Call `replay` before the first append. */
export async function openSampleLog(
  options: SampleLogOptions,
): Promise<SampleLog & { readonly scrub: Scrub }> {
  const { folder, files = nodeFileLayer } = options;
  function onEvent(event: SampleLogEvent): void {
    sayEvent(options.log, event);
    options.onEvent?.(event);
  }
  await files.makeFolder(folder);
  return createSampleLog(options, { files, folder, onEvent });
}

/** The parts after the replay. */
interface Parts {
  readonly writer: SegmentWriter;
  readonly retention: Retention;
  readonly summary: ReplaySummary;
}

/** Files next to the segments. */
interface Pointers {
  readonly seqs: readonly number[];
  readonly newest: Newest | undefined;
  readonly manifest: Manifest | "damaged" | undefined;
  /** The number that the next segment must be above. */
  readonly last: number;
}

/** Reads them, and says what is gone. */
async function readPointers(
  { keepFrom = () => 0 }: Pick<SampleLogOptions, "keepFrom">,
  { files, folder, onEvent }: SegmentFolder,
  coveredSeq: number | undefined,
): Promise<Pointers> {
  const seqs = await listSegments(files, folder);
  await removeNewestDraft(files, folder);
  await removeManifestDraft(files, folder);
  const newest = await readNewest(files, folder);
  const manifest = await readManifest(files, folder);
  const keptFrom = keepFrom();
  const toPath = (seq: number): string => segmentPath(folder, seq);
  for (const lost of findLost({ folder, manifest, seqs, toPath, newest, coveredSeq, keptFrom }))
    onEvent({ type: "lost", ...lost });
  const noted = typeof manifest === "object" ? manifest : { newest: 0, coveredSeq: 0, keptFrom: 0 };
  // Above all that covers segments by their numbers: such a number must not come again.
  const numbers = [
    newest?.seq ?? 0,
    coveredSeq ?? 0,
    keptFrom,
    noted.newest,
    noted.coveredSeq,
    noted.keptFrom,
  ];
  return { seqs, newest, manifest, last: Math.max(seqs.at(-1) ?? 0, ...numbers) };
}

async function replayAll(
  options: SampleLogOptions,
  place: SegmentFolder,
  handlers: ReplayHandlers,
): Promise<Parts> {
  const { clock } = options;
  const checkpoint = await readCheckpoint(place.files, place.folder, handlers.onCheckpoint);
  const coveredSeq = checkpoint?.firstSeq ?? 0;
  const { seqs, newest, manifest, last: lastSeq } = await readPointers(options, place, checkpoint?.firstSeq);
  const durable = isCurrent(manifest, newest?.seq ?? 0) ? manifest.segments : [];
  const segments = await readSegments(place, { seqs, newest: newest?.seq ?? 0, durable }, (row, seq) =>
    handlers.onRow(row, seq, seq < coveredSeq),
  );
  const retention = createRetention({
    place,
    clock,
    retainMs: options.retainMs ?? DEFAULT_RETAIN_MS,
    checkpoint: options.checkpoint,
    coveredSeq,
    keepFrom: options.keepFrom ?? (() => Infinity),
  });
  for (const segment of segments) retention.addRead(segment);
  const last = segments.at(-1);
  const writer = await createSegmentWriter({
    place,
    columns: options.columns,
    clock,
    firstSeq: lastSeq + 1,
    previous: { seq: last?.seq ?? 0, durableBytes: last?.durableBytes ?? 0 },
    onClosed: (segment) => retention.addClosed(segment),
  });
  await retention.saveManifest(writer.segment);
  // Only now: the newest one would be missed until there is a newer.
  const withRows = new Set(segments.map(({ seq }) => seq));
  for (const seq of seqs) if (!withRows.has(seq)) await place.files.remove(segmentPath(place.folder, seq));
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0);
  return {
    writer,
    retention,
    summary: { rows, segments: segments.length, checkpointEntries: checkpoint?.entries ?? 0 },
  };
}

function createSampleLog(
  options: SampleLogOptions,
  place: SegmentFolder,
): SampleLog & { readonly scrub: Scrub } {
  const { clock, segmentMs = DEFAULT_SEGMENT_MS, segmentBytes = DEFAULT_SEGMENT_BYTES } = options;
  let parts: Parts | undefined;
  let rolling: Promise<void> | undefined;

  function opened(): Parts {
    if (parts === undefined) throw new TypeError("The sample log must be replayed before it is used");
    return parts;
  }

  async function finishSegments(firstSeq: number): Promise<void> {
    // Callers that wait for the last rows learn of their durability first and count them.
    await nextTurn();
    await options.onRolled?.(firstSeq);
    const { writer, retention } = opened();
    await retention.saveCheckpoint(firstSeq);
    await retention.saveManifest(writer.segment);
  }

  async function rollNow(): Promise<void> {
    const { writer, retention } = opened();
    await writer.rotate();
    await finishSegments(writer.segment.seq);
    await retention.tidy(writer.segment);
  }

  function roll(): Promise<void> {
    rolling ??= rollNow().finally(() => {
      rolling = undefined;
    });
    return rolling;
  }

  function isDue({ segment, failure }: SegmentWriter): boolean {
    if (segment.rows === 0 || failure !== undefined || rolling !== undefined) return false;
    if (segment.sizeBytes >= segmentBytes || options.wantsRoll?.() === true) return true;
    return clock.monotonic() - segment.openedAt >= segmentMs;
  }

  return {
    async replay(handlers) {
      if (parts !== undefined) throw new TypeError("The sample log was replayed before");
      parts = await replayAll(options, place, handlers);
      return parts.summary;
    },
    append(row) {
      const { writer } = opened();
      const done = writer.append(row);
      // A failed roll has been reported by an event, and its rows fail by themselves.
      if (isDue(writer)) void roll().catch(() => undefined);
      return done;
    },
    async maintain() {
      const { writer, retention } = opened();
      await writer.check().catch(() => undefined);
      if (isDue(writer)) await roll().catch(() => undefined);
      else if (rolling === undefined) await retention.tidy(writer.segment);
    },
    roll,
    check: () => opened().writer.check(),
    scrub: () => scrubSamples(place, () => opened().retention.kept),
    async close() {
      if (parts === undefined) return;
      await rolling?.catch(() => undefined);
      const { writer } = parts;
      const { failure, segment } = writer;
      if (failure !== undefined) {
        // Nothing after the failure was reported as durable, so there is nothing to lose.
        await writer.close().catch(() => undefined);
        return;
      }
      await writer.close();
      await finishSegments(segment.seq + 1);
    },
  };
}
