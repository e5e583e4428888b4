/** The segment that takes rows. */
import { cutFile } from "../../../kit/files/renew-file.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { toError } from "../../../kit/thrown.ts";
import { createAppendLog } from "../append-log.ts";
import type { StoreError } from "../../store.ts";
import { createBackoff } from "./backoff.ts";
import { createGate } from "./gate.ts";
import { sealFrame } from "./frames.ts";
import type { SampleKind, SampleRow } from "./samples.ts";
import { type SegmentFolder, createSegment, segmentPath } from "./segment-files.ts";
import { type SegmentHeader, createRowEncoder, encodeHeader } from "./segment-format.ts";

/** The state of the segment that takes rows. */
export interface OpenSegment {
  readonly seq: number;
  readonly path: string;
  /** On the monotonic clock. */
  readonly openedAt: number;
  /** Bytes taken, durable or not yet. */
  readonly sizeBytes: number;
  readonly durableBytes: number;
  readonly headerBytes: number;
  /** When it began, Unix epoch in milliseconds. */
  readonly baseMs: number;
  readonly rows: number;
}

interface Segment extends OpenSegment {
  readonly headerFrame: Uint8Array;
  readonly previous: SegmentHeader["previous"];
  readonly encode: (row: SampleRow, unsyncedBytes: number) => Uint8Array;
  sizeBytes: number;
  durableBytes: number;
  rows: number;
}

export interface SegmentWriterOptions {
  readonly place: SegmentFolder;
  readonly columns: readonly SampleKind[];
  readonly clock: Clock;
  /** Number of the first segment. */
  readonly firstSeq: number;
  readonly previous: SegmentHeader["previous"];
  /** Called for each segment that takes no more rows. */
  readonly onClosed: (segment: OpenSegment) => void;
}

function createSegmentFactory(
  options: SegmentWriterOptions,
): (previous: SegmentHeader["previous"]) => Segment {
  let nextSeq = options.firstSeq;
  return (previous) => {
    const seq = nextSeq;
    nextSeq += 1;
    const header = { seq, baseMs: options.clock.now(), previous, kinds: options.columns };
    const headerFrame = sealFrame(encodeHeader(header));
    return {
      seq,
      path: segmentPath(options.place.folder, seq),
      openedAt: options.clock.monotonic(),
      headerFrame,
      headerBytes: headerFrame.length,
      baseMs: header.baseMs,
      previous,
      encode: createRowEncoder(header),
      sizeBytes: headerFrame.length,
      durableBytes: headerFrame.length,
      rows: 0,
    };
  };
}

function hasDurableRows(segment: Segment): boolean {
  return segment.durableBytes > segment.headerFrame.length;
}

/** The reference to this segment in the next one. A segment without rows is skipped: it may be removed. */
function previousOf(segment: Segment): SegmentHeader["previous"] {
  return hasDurableRows(segment)
    ? { seq: segment.seq, durableBytes: segment.durableBytes }
    : segment.previous;
}

/**
 * Calls back once for each batch of rows: when all that the segment had taken by then is durable, or when it failed.
 * Returns, once per batch, the promise of the segment's number.
 */
function createBatchFollower(
  onFailed: (error: unknown) => void,
  onDurable: () => void,
): (segment: Segment, done: Promise<void>) => Promise<number> {
  let batch: { readonly done: Promise<void>; readonly stored: Promise<number>; endBytes: number } | undefined;
  return (segment, done) => {
    if (batch?.done === done) {
      batch.endBytes = segment.sizeBytes;
      return batch.stored;
    }
    const stored = done.then(() => segment.seq);
    stored.catch(() => undefined); // An unawaited batch must not end the process.
    const mine = { done, stored, endBytes: segment.sizeBytes };
    batch = mine;
    done.then(() => {
      segment.durableBytes = mine.endBytes;
      onDurable();
    }, onFailed);
    return stored;
  };
}

/** Frees a segment that could not be written, and keeps of it what was durable. */
async function abandon({ files }: SegmentFolder, segment: Segment): Promise<void> {
  try {
    // Rows that were never acknowledged should not come back; when cutting fails too, replay copes with them.
    if (hasDurableRows(segment)) await cutFile(files, segment.path, segment.durableBytes);
    else await files.remove(segment.path);
  } catch {
    // The disk fails already, which has been reported.
  }
}

/** Opens the first segment and gives the writer of it and those after it. */
export async function createSegmentWriter(options: SegmentWriterOptions) {
  const { place } = options;
  const makeSegment = createSegmentFactory(options);
  let segment = makeSegment(options.previous);
  let log = createAppendLog(await createSegment(place, segment));
  const backoff = createBackoff(options.clock, place.onEvent);
  const follow = createBatchFollower(
    (error) => backoff.fail(error),
    () => backoff.succeed(),
  );
  const gate = createGate(backoff, replaceSegment);

  async function replaceSegment(): Promise<void> {
    const broken = segment;
    await log.close().catch(() => undefined);
    await abandon(place, broken);
    const next = makeSegment(previousOf(broken));
    log = createAppendLog(await createSegment(place, next));
    segment = next;
    backoff.heal();
    if (hasDurableRows(broken)) options.onClosed(broken);
    place.onEvent({ type: "healed", path: next.path });
  }

  async function switchSegment(): Promise<void> {
    const old = segment;
    // No row comes while this runs, so what the old segment has taken is durable when the next is opened.
    await log.flush();
    old.durableBytes = old.sizeBytes;
    const next = makeSegment(previousOf(old));
    await log.rotate(() => createSegment(place, next));
    segment = next;
    if (hasDurableRows(old)) options.onClosed(old);
    place.onEvent({ type: "rolled", path: next.path });
  }

  /** Resolves with the segment's number when the row is durable; rows of one batch share the promise. */
  function append(row: SampleRow): Promise<number> {
    if (!gate.isOpen) return gate.pass().then(() => append(row));
    try {
      const frame = sealFrame(segment.encode(row, segment.sizeBytes - segment.durableBytes));
      const done = log.append(frame);
      segment.sizeBytes += frame.length;
      segment.rows += 1;
      return follow(segment, done);
    } catch (error) {
      return Promise.reject(toError(error));
    }
  }

  return {
    get segment(): OpenSegment {
      return segment;
    },
    /** Why nothing can be written, or undefined. */
    get failure(): StoreError | undefined {
      return backoff.failure;
    },
    append,
    /** Goes on in the next segment when all rows are durable; rows that come meanwhile wait. */
    rotate: (): Promise<void> => gate.hold(switchSegment),
    /** Heals when it is time to; throws while it cannot write. */
    check: (): Promise<void> => gate.pass(),
    async close(): Promise<void> {
      await gate.close();
      await log.close();
    },
  };
}

export type SegmentWriter = Awaited<ReturnType<typeof createSegmentWriter>>;
