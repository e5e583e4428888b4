/**
 * The segments of a sample log on disk: their names, reading them back in order, telling a torn end (dropped) from
 * damage to acknowledged rows (refused).
 */
import { join } from "node:path";
import type { AppendFile, FileLayer } from "../../../kit/files/file-layer.ts";
import { renewFile } from "../../../kit/files/renew-file.ts";
import { textOf } from "../../../kit/thrown.ts";
import { StoreError } from "../../store.ts";
import { readFrames } from "./frames.ts";
import type { SampleLogEvent, SampleRow } from "./samples.ts";
import { writeNewest } from "./newest.ts";
import {
  type SegmentHeader,
  createRowDecoder,
  decodeHeader,
  maxRowBytes,
  readDurableMark,
} from "./segment-format.ts";

/** Where segments live, and the listener of their events. */
export interface SegmentFolder {
  readonly files: FileLayer;
  readonly folder: string;
  readonly onEvent: (event: SampleLogEvent) => void;
}

/** A segment that was read back. */
export interface ReadSegment {
  readonly seq: number;
  readonly path: string;
  /** Bytes of sound rows and the header. */
  readonly durableBytes: number;
  readonly rows: number;
  /** Unix epoch in milliseconds: when it began. */
  readonly baseMs: number;
  /** Unix epoch in milliseconds; the start of the segment when it has no row. */
  readonly lastReceivedAt: number;
}

/** The path of a segment: numbers are padded so that names sort. */
export function segmentPath(folder: string, seq: number): string {
  return join(folder, `${String(seq).padStart(12, "0")}.samples`);
}

function toDraft(folder: string): string {
  return join(folder, "segment.tmp");
}

/** The numbers of all segments in the folder, in order. */
export async function listSegments(files: FileLayer, folder: string): Promise<number[]> {
  const names = await files.list(folder);
  return names
    .map((name) => /^(\d{12})\.samples$/u.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Creates a segment that begins with `headerFrame`, makes it survive a power cut, and notes that it is the newest. */
export async function createSegment(
  { files, folder }: SegmentFolder,
  segment: { readonly seq: number; readonly path: string; readonly headerFrame: Uint8Array },
): Promise<AppendFile> {
  const file = await files.openAppend(segment.path, { exclusive: true });
  try {
    await file.append(segment.headerFrame);
    await file.datasync();
    await files.syncFolder(folder);
    await writeNewest(files, folder, segment.seq);
  } catch (error) {
    await file.close().catch(() => undefined);
    await files.remove(segment.path).catch(() => undefined);
    throw error;
  }
  return file;
}

const REMEDY =
  "Restore the folder from a backup, or move this file away. The few minutes of data in it are then missing from the " +
  "raw history";

function damaged(path: string, offset: number): StoreError {
  return new StoreError(
    "store_unavailable",
    `"${path}" is damaged at byte ${offset}, in rows that were acknowledged. ${REMEDY}`,
  );
}

/** Decodes a sound frame. @throws StoreError when what is in it does not belong there */
function decodeFrame<T>(place: { readonly path: string; readonly offset: number }, decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    const message = `"${place.path}" cannot be read at byte ${place.offset}: ${textOf(cause)}. ${REMEDY}`;
    throw new StoreError("store_unavailable", message, { cause });
  }
}

/** Knowledge about the segments before they are read. */
export interface KnownSegments {
  readonly seqs: readonly number[];
  /** The number noted with the segment that was made last, 0 when there is no note. */
  readonly newest: number;
  /** How much of each is known to be durable. */
  readonly durable?: readonly { readonly seq: number; readonly durableBytes: number }[];
}

/** Per segment, how many bytes the segments after it, or the manifest, know to have been durable; of the newest a header. */
async function readRequired(
  { files, folder, onEvent }: SegmentFolder,
  { seqs, newest, durable = [] }: KnownSegments,
): Promise<Map<number, number>> {
  const required = new Map([[newest, 1]]);
  for (const { seq, durableBytes } of durable)
    required.set(seq, Math.max(durableBytes, required.get(seq) ?? 0));
  // The manifest reports segments that it knows to be gone, with their times.
  const isTold = (seq: number): boolean =>
    durable.some((noted) => noted.seq === seq && noted.durableBytes > 0);
  if (newest > (seqs.at(-1) ?? 0) && !isTold(newest))
    onEvent({ type: "gap", missing: segmentPath(folder, newest) });
  for (const seq of seqs) {
    const header = await readHeader(files, segmentPath(folder, seq));
    if (header === undefined || header.previous.seq === 0) continue;
    const { seq: before, durableBytes } = header.previous;
    required.set(before, Math.max(durableBytes, required.get(before) ?? 0));
    const [oldest] = seqs;
    // Old segments are dropped from the old end; a missing one in between was moved by hand.
    if (oldest !== undefined && oldest < before && !seqs.includes(before) && !isTold(before)) {
      onEvent({ type: "gap", missing: segmentPath(folder, header.previous.seq) });
    }
  }
  return required;
}

async function readHeader(files: FileLayer, path: string): Promise<SegmentHeader | undefined> {
  let header: SegmentHeader | undefined;
  async function* firstChunk(): AsyncGenerator<Uint8Array> {
    for await (const chunk of (await files.readChunks(path)) ?? []) {
      yield chunk.subarray(0, maxRowBytes);
      return;
    }
  }
  await readFrames(firstChunk(), {
    maxPayloadBytes: maxRowBytes,
    onFrame: (payload, offset) => {
      if (offset === 0) header = decodeFrame({ path, offset }, () => decodeHeader(payload));
    },
  });
  return header;
}

interface SegmentContent {
  readonly goodBytes: number;
  readonly totalBytes: number;
  /** The most that any row behind damage knew to be durable. */
  readonly strayMark: number;
  readonly rows: number;
  readonly baseMs: number;
  readonly lastReceivedAt: number;
}

async function readContent(
  files: FileLayer,
  path: string,
  onRow: (row: SampleRow) => void,
): Promise<SegmentContent> {
  let decode: ((payload: Uint8Array) => SampleRow) | undefined;
  let rows = 0;
  let baseMs = 0;
  let lastReceivedAt = 0;
  let strayMark = 0;
  const { goodBytes, totalBytes } = await readFrames((await files.readChunks(path)) ?? emptyFile(), {
    maxPayloadBytes: maxRowBytes,
    onFrame: (payload, offset) => {
      const decodeRow = decode;
      if (decodeRow === undefined) {
        const header = decodeFrame({ path, offset }, () => decodeHeader(payload));
        baseMs = header.baseMs;
        lastReceivedAt = baseMs;
        decode = createRowDecoder(header);
        return;
      }
      const row = decodeFrame({ path, offset }, () => decodeRow(payload));
      rows += 1;
      lastReceivedAt = Math.max(lastReceivedAt, row.receivedAt);
      onRow(row);
    },
    onStray: (payload, offset) => {
      strayMark = Math.max(strayMark, readDurableMark(payload, offset) ?? 0);
    },
  });
  return { goodBytes, totalBytes, strayMark, rows, baseMs, lastReceivedAt };
}

async function* emptyFile(): AsyncGenerator<Uint8Array> {
  // A file that vanished between listing and reading has no bytes.
}

async function readSegment(
  { files, folder, onEvent }: SegmentFolder,
  place: { readonly seq: number; readonly path: string; readonly requiredBytes: number },
  onRow: (row: SampleRow) => void,
): Promise<ReadSegment | undefined> {
  const { seq, path, requiredBytes } = place;
  const content = await readContent(files, path, onRow);
  const { goodBytes, totalBytes, strayMark, rows, baseMs, lastReceivedAt } = content;
  // Unsynced bytes may be torn anywhere: pages reach the disk in any order. Synced ones may not.
  if (goodBytes < Math.max(requiredBytes, strayMark)) throw damaged(path, goodBytes);
  if (goodBytes < totalBytes) onEvent({ type: "torn", path, droppedBytes: totalBytes - goodBytes });
  // Rows of a killed program may not be on the disk yet; the next segment will say that they are.
  if (goodBytes < totalBytes || goodBytes > requiredBytes)
    await renewFile(files, path, { folder, draft: toDraft(folder), sizeBytes: goodBytes });
  if (rows > 0) return { seq, path, durableBytes: goodBytes, rows, baseMs, lastReceivedAt };
  return undefined;
}

/** A segment that is not what was acknowledged. */
export interface DamagedSegment {
  readonly path: string;
  readonly problem: string;
  readonly remedy: string;
}

/**
 * Reads all segments and changes nothing; those that lack what was durable. The last one may be written meanwhile: of
 * it only what later bytes tell counts.
 */
export async function* inspectSegments(
  place: SegmentFolder,
  known: KnownSegments,
): AsyncGenerator<DamagedSegment> {
  const required = await readRequired(place, known);
  for (const seq of known.seqs) {
    const path = segmentPath(place.folder, seq);
    const { goodBytes, strayMark } = await readContent(place.files, path, () => undefined);
    if (goodBytes < Math.max(required.get(seq) ?? 0, strayMark))
      yield {
        path,
        problem: `is damaged at byte ${goodBytes}, in rows that were acknowledged`,
        remedy: REMEDY,
      };
  }
}

/**
 * Reads all segments in order, calls `onRow` for every row and cuts torn ends; those without rows are not in the
 * answer.
 * @throws StoreError `store_unavailable` when rows that were durable are damaged.
 */
export async function readSegments(
  place: SegmentFolder,
  known: KnownSegments,
  onRow: (row: SampleRow, seq: number) => void,
): Promise<ReadSegment[]> {
  await place.files.remove(toDraft(place.folder));
  const required = await readRequired(place, known);
  const segments: ReadSegment[] = [];
  for (const seq of known.seqs) {
    const path = segmentPath(place.folder, seq);
    const requiredBytes = required.get(seq) ?? 0;
    const segment = await readSegment(place, { seq, path, requiredBytes }, (row) => onRow(row, seq));
    if (segment !== undefined) segments.push(segment);
  }
  return segments;
}
