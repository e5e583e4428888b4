/** The checkpoint of the sample log: one blob a key, replaced as a whole (write, sync, rename, sync the folder). */
import { join } from "node:path";
import { textOf } from "../../../kit/thrown.ts";
import { createByteReader, createByteWriter } from "../../../kit/text/varint.ts";
import type { AppendFile, FileLayer } from "../../../kit/files/file-layer.ts";
import { StoreError } from "../../store.ts";
import { readFrames, sealFrame } from "./frames.ts";
import type { CheckpointEntry } from "./samples.ts";

/** Since 2 keys name servers, as in segments. */
const VERSION = 2;
/** Largest payload of a frame in a checkpoint. */
export const MAX_ENTRY_BYTES = 1024 * 1024 + 1024;
const PIECE_BYTES = 256 * 1024;
const NAME = "checkpoint";

const frameTypes = { header: 1, entry: 2, footer: 3 } as const;

function encode(type: number, write: (writer: ReturnType<typeof createByteWriter>) => void): Uint8Array {
  const writer = createByteWriter();
  writer.byte(type);
  write(writer);
  return sealFrame(writer.view());
}

function encodeEntry(entry: CheckpointEntry): Uint8Array {
  const key = new TextEncoder().encode(entry.key);
  if (key.length + entry.blob.length > MAX_ENTRY_BYTES - 16)
    throw new RangeError("A checkpoint blob is over 1 MiB");
  return encode(frameTypes.entry, (writer) => {
    writer.varint(key.length);
    writer.bytes(key);
    writer.bytes(entry.blob);
  });
}

async function writePieces(file: AppendFile, frames: Iterable<Uint8Array>): Promise<void> {
  const piece = createByteWriter(PIECE_BYTES);
  for (const frame of frames) {
    piece.bytes(frame);
    if (piece.length >= PIECE_BYTES) await file.append(piece.take());
  }
  await file.append(piece.take());
  await file.datasync();
}

function* toFrames(firstSeq: number, entries: Iterable<CheckpointEntry>): Generator<Uint8Array> {
  let count = 0;
  yield encode(frameTypes.header, (writer) => {
    writer.varint(VERSION);
    writer.varint(firstSeq);
  });
  for (const entry of entries) {
    yield encodeEntry(entry);
    count += 1;
  }
  yield encode(frameTypes.footer, (writer) => writer.varint(count));
}

/** Replaces the checkpoint. `firstSeq` is the first segment whose rows it may lack. */
export async function writeCheckpoint(
  files: FileLayer,
  folder: string,
  content: { readonly firstSeq: number; readonly entries: Iterable<CheckpointEntry> },
): Promise<void> {
  const path = join(folder, NAME);
  const draft = `${path}.tmp`;
  const file = await files.openAppend(draft, { truncate: true });
  try {
    await writePieces(file, toFrames(content.firstSeq, content.entries));
  } catch (error) {
    await file.close().catch(() => undefined);
    await files.remove(draft).catch(() => undefined);
    throw error;
  }
  await file.close();
  await files.rename(draft, path);
  await files.syncFolder(folder);
}

export interface CheckpointRead {
  readonly firstSeq: number;
  readonly entries: number;
}

interface ReadState {
  firstSeq: number | undefined;
  entries: number;
  complete: boolean;
}

function readFrameInto(
  state: ReadState,
  payload: Uint8Array,
  onEntry: (entry: CheckpointEntry) => void,
): void {
  const reader = createByteReader(payload);
  const type = reader.byte();
  if (type === frameTypes.header) {
    const version = reader.varint();
    if (version > VERSION) throw new RangeError(`Version ${version} is not known to this program`);
    state.firstSeq = reader.varint();
  } else if (type === frameTypes.entry) {
    const key = new TextDecoder().decode(reader.bytes(reader.varint()));
    onEntry({ key, blob: reader.bytes(reader.left).slice() });
    state.entries += 1;
  } else if (type === frameTypes.footer) {
    state.complete = reader.varint() === state.entries;
  } else {
    throw new RangeError(`Frame of unknown type ${type}`);
  }
}

function refused(path: string, problem: string, cause?: unknown): StoreError {
  const remedy =
    "Restore the folder from a backup, or move this file away. The latest samples, and the data that tells old reports " +
    "from new ones, then start from the segments only";
  return new StoreError("store_unavailable", `"${path}" ${problem}. ${remedy}`, { cause });
}

/**
 * Reads the checkpoint, or gives undefined when there is none.
 * @throws StoreError `store_unavailable` when it is damaged: it only ever appears whole, so that is no power cut.
 */
export async function readCheckpoint(
  files: FileLayer,
  folder: string,
  onEntry: (entry: CheckpointEntry) => void,
): Promise<CheckpointRead | undefined> {
  const path = join(folder, NAME);
  await files.remove(`${path}.tmp`);
  const chunks = await files.readChunks(path);
  if (chunks === undefined) return undefined;
  const state: ReadState = { firstSeq: undefined, entries: 0, complete: false };
  const { goodBytes, totalBytes } = await readFrames(chunks, {
    maxPayloadBytes: MAX_ENTRY_BYTES,
    onFrame: (payload, offset) => {
      try {
        readFrameInto(state, payload, onEntry);
      } catch (cause) {
        throw refused(path, `cannot be read at byte ${offset}: ${textOf(cause)}`, cause);
      }
    },
  });
  if (state.firstSeq === undefined || !state.complete || goodBytes !== totalBytes)
    throw refused(path, `is damaged at byte ${goodBytes}`);
  return { firstSeq: state.firstSeq, entries: state.entries };
}
