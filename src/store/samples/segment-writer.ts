/**
 * The segment that takes rows. Hidden here: group commit, the switch to the next segment, and how writing
 * heals after a failure: in a new segment, never by trying the old one again.
 */
import type { Clock } from "../../kit/clock.ts";
import type { AppendLog } from "../append-log.ts";
import { createAppendLog } from "../append-log.ts";
import { StoreError } from "../store.ts";
import { sealFrame } from "./frames.ts";
import type { SampleKind, SampleRow } from "./samples.ts";
import type { SegmentFolder } from "./segment-files.ts";
import { createSegment, cutFile, segmentPath } from "./segment-files.ts";
import type { SegmentHeader } from "./segment-format.ts";
import { createRowEncoder, encodeHeader } from "./segment-format.ts";

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

/** What the writer tells of the segment that takes rows. */
export interface OpenSegment {
  readonly seq: number;
  readonly path: string;
  /** On the monotonic clock. */
  readonly openedAt: number;
  /** Bytes taken, durable or not yet. */
  readonly sizeBytes: number;
  readonly durableBytes: number;
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
  /** Told of each segment that takes no more rows. */
  readonly onClosed: (segment: OpenSegment) => void;
}

export interface SegmentWriter {
  readonly segment: OpenSegment;
  /** Why nothing can be written, or undefined. */
  readonly failure: StoreError | undefined;
  /** Resolves when the row is durable; rows of one batch share the promise. */
  append(row: SampleRow): Promise<void>;
  /** Goes on in the next segment when all rows are durable; rows that come meanwhile wait. */
  rotate(): Promise<void>;
  /** Heals when it is time to; throws while it cannot write. */
  check(): Promise<void>;
  close(): Promise<void>;
}

function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new StoreError("store_unavailable", `The sample log cannot be written: ${text}`, { cause: error });
}

function createSegmentFactory(options: SegmentWriterOptions): (previous: SegmentHeader["previous"]) => Segment {
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

/** What the segment after this one says of it. A segment without rows is passed over: it may be removed. */
function previousOf(segment: Segment): SegmentHeader["previous"] {
  return hasDurableRows(segment) ? { seq: segment.seq, durableBytes: segment.durableBytes } : segment.previous;
}

/** Opens the first segment and gives the writer of it and those after it. */
export async function createSegmentWriter(options: SegmentWriterOptions): Promise<SegmentWriter> {
  const { place, clock } = options;
  const makeSegment = createSegmentFactory(options);
  let segment = makeSegment(options.previous);
  let log: AppendLog = createAppendLog(await createSegment(place, segment));
  let failure: { readonly error: StoreError; readonly retryAt: number } | undefined;
  let retryMs = FIRST_RETRY_MS;
  /** Set while the segment is being switched or replaced; never rejects. */
  let pause: Promise<void> | undefined;
  let batch: { readonly done: Promise<void>; endBytes: number } | undefined;
  let isClosed = false;

  function fail(cause: unknown): StoreError {
    const error = toStoreError(cause);
    failure = { error, retryAt: clock.monotonic() + retryMs };
    place.onEvent({ type: "failed", error, retryInMs: retryMs });
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    return error;
  }

  /** Learns when a batch is durable, once for all of its rows. */
  function follow(done: Promise<void>): void {
    if (batch?.done === done) {
      batch.endBytes = segment.sizeBytes;
      return;
    }
    const mine = { done, endBytes: segment.sizeBytes };
    const { segment: owner } = { segment };
    batch = mine;
    done.then(
      () => {
        owner.durableBytes = mine.endBytes;
        retryMs = FIRST_RETRY_MS;
      },
      (error: unknown) => {
        if (failure === undefined) fail(error);
      },
    );
  }

  async function replaceSegment(): Promise<void> {
    const broken = segment;
    await log.close().catch(() => undefined);
    // Rows that were never acknowledged should not come back; when cutting fails too, replay copes with them.
    if (hasDurableRows(broken)) await cutFile(place.files, broken.path, broken.durableBytes).catch(() => undefined);
    else await place.files.remove(broken.path).catch(() => undefined);
    const next = makeSegment(previousOf(broken));
    log = createAppendLog(await createSegment(place, next));
    segment = next;
    batch = undefined;
    failure = undefined;
    if (hasDurableRows(broken)) options.onClosed(broken);
    place.onEvent({ type: "healed", path: next.path });
  }

  async function switchSegment(): Promise<void> {
    const old = segment;
    // No row comes while this runs, so what the old segment has taken is durable when the next is opened.
    await log.flush();
    const next = makeSegment({ seq: old.seq, durableBytes: old.sizeBytes });
    await log.rotate(() => createSegment(place, next));
    segment = next;
    batch = undefined;
    options.onClosed(old);
    place.onEvent({ type: "rolled", path: next.path });
  }

  function holdRows(work: () => Promise<void>): Promise<void> {
    const result = work().catch((error: unknown) => {
      // A batch that failed meanwhile has already told so.
      throw failure === undefined || work === replaceSegment ? fail(error) : failure.error;
    });
    pause = result.then(
      () => undefined,
      () => undefined,
    );
    void pause.then(() => {
      pause = undefined;
    });
    return result;
  }

  /** Resolves when rows can be taken. Only called when something is in the way. */
  async function ready(): Promise<void> {
    while (pause !== undefined) await pause;
    if (isClosed) throw new StoreError("store_unavailable", "The sample log is closed");
    if (failure === undefined) return;
    if (clock.monotonic() < failure.retryAt) throw failure.error;
    await holdRows(replaceSegment);
  }

  function append(row: SampleRow): Promise<void> {
    if (pause !== undefined || failure !== undefined || isClosed) return ready().then(() => append(row));
    try {
      const frame = sealFrame(segment.encode(row, segment.sizeBytes - segment.durableBytes));
      const done = log.append(frame);
      segment.sizeBytes += frame.length;
      segment.rows += 1;
      follow(done);
      return done;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  return {
    get segment() {
      return segment;
    },
    get failure() {
      return failure?.error;
    },
    append,
    async rotate() {
      await ready();
      await holdRows(switchSegment);
    },
    check: ready,
    async close() {
      while (pause !== undefined) await pause;
      isClosed = true;
      await log.close();
    },
  };
}
