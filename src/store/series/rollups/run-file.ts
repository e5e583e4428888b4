/**
 * A run: the spans of many keys in one segment of one tier, written once. Blocks, one a key, in the order of the
 * keys' hashes; an index of hashes and lengths; a trailer of fixed size. Each has a checksum. block: frame of key
 * length, key, spans (bucket-codec.ts) index: frame of count, then hash − hash before, bytes of the block, for each
 * block trailer: "TRVR", version, offset and bytes of the index, number of spans, CRC-32 of these
 */
import { findFirst } from "../../../kit/find-first.ts";
import { crc32 } from "node:zlib";
import { createByteReader, createByteWriter } from "../../../kit/text/varint.ts";
import type { FileLayer } from "../../../kit/files/file-layer.ts";
import { openFrame, sealFrame } from "../samples/frames.ts";
import { StoreError } from "../../store.ts";
import { readBuckets, writeBuckets } from "./bucket-codec.ts";
import type { RollupBucket } from "./rollups.ts";
import type { RunName } from "./run-name.ts";

const MAGIC = 0x5652_5254;
const VERSION = 1;
const TRAILER_BYTES = 32;

export interface Run extends RunName {
  readonly path: string;
  readonly sizeBytes: number;
  readonly buckets: number;
  readonly indexOffset: number;
  readonly indexBytes: number;
}

/** Where the blocks are: block `i` has `hashes[i]` and lies from `offsets[i]` to `offsets[i + 1]`. */
export interface RunIndex {
  readonly hashes: Uint32Array;
  readonly offsets: Float64Array;
}

export interface RunBlock {
  readonly key: string;
  readonly buckets: RollupBucket[];
}

const text = { encoder: new TextEncoder(), decoder: new TextDecoder("utf-8", { fatal: true }) };
const blockWriter = createByteWriter(16 * 1024);

/** The sort key of blocks; two keys may share one. */
export function hashKey(key: string): number {
  return crc32(key);
}

/** The order of blocks in a run: by hash, and by the key where hashes are equal. */
export function compareKeys(
  left: { readonly hash: number; readonly key: string },
  right: { readonly hash: number; readonly key: string },
): number {
  if (left.hash !== right.hash) return left.hash - right.hash;
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0;
}

/** The error of a damaged run. */
export function damagedRun(path: string, what: string): StoreError {
  return new StoreError(
    "store_unavailable",
    `"${path}" is damaged (${what}). Restore the folder from a backup, or stop the service and move this file ` +
      "away. The charts then have a gap for its data",
  );
}

/** The bytes of a block. */
export function encodeBlock(key: string, buckets: readonly RollupBucket[]): Uint8Array {
  const name = text.encoder.encode(key);
  blockWriter.clear();
  blockWriter.varint(name.length);
  blockWriter.bytes(name);
  writeBuckets(blockWriter, buckets);
  return sealFrame(blockWriter.view());
}

/** Reads a block. @throws StoreError `store_unavailable` when it is damaged */
export function decodeBlock(path: string, bytes: Uint8Array): RunBlock {
  const payload = openFrame(bytes);
  if (payload === undefined) throw damagedRun(path, "a block");
  try {
    const reader = createByteReader(payload);
    const key = text.decoder.decode(reader.bytes(reader.varint()));
    return { key, buckets: readBuckets(reader) };
  } catch {
    throw damagedRun(path, "a block in an unknown format");
  }
}

/** The bytes that end a run. */
export function encodeEnd(end: {
  readonly entries: readonly { readonly hash: number; readonly sizeBytes: number }[];
  readonly indexOffset: number;
  readonly buckets: number;
}): { readonly bytes: Uint8Array; readonly indexBytes: number } {
  const writer = createByteWriter(16 + 8 * end.entries.length);
  writer.varint(end.entries.length);
  let before = 0;
  for (const { hash, sizeBytes } of end.entries) {
    writer.varint(hash - before);
    writer.varint(sizeBytes);
    before = hash;
  }
  const index = sealFrame(writer.view());
  const bytes = new Uint8Array(index.length + TRAILER_BYTES);
  bytes.set(index);
  const trailer = new DataView(bytes.buffer, index.length);
  trailer.setUint32(0, MAGIC, true);
  trailer.setUint32(4, VERSION, true);
  trailer.setFloat64(8, end.indexOffset, true);
  trailer.setUint32(16, index.length, true);
  trailer.setFloat64(20, end.buckets, true);
  trailer.setUint32(28, crc32(bytes.subarray(index.length, bytes.length - 4)), true);
  return { bytes, indexBytes: index.length };
}

/**
 * Reads the trailer of a run.
 * @throws StoreError `store_unavailable` when the file is cut short or of another form
 */
export async function openRun(files: FileLayer, name: RunName & { readonly path: string }): Promise<Run> {
  const { path } = name;
  const sizeBytes = (await files.sizeBytes(path)) ?? 0;
  const offset = sizeBytes - TRAILER_BYTES;
  const bytes = offset < 0 ? undefined : await files.readRange(path, { offset, sizeBytes: TRAILER_BYTES });
  if (bytes?.length !== TRAILER_BYTES) throw damagedRun(path, "its end is missing");
  const trailer = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (trailer.getUint32(28, true) !== crc32(bytes.subarray(0, 28))) throw damagedRun(path, "its trailer");
  const version = trailer.getUint32(4, true);
  if (trailer.getUint32(0, true) !== MAGIC || version !== VERSION)
    throw damagedRun(path, `version ${version} is not known to this program`);
  const indexOffset = trailer.getFloat64(8, true);
  const indexBytes = trailer.getUint32(16, true);
  if (indexOffset + indexBytes !== offset) throw damagedRun(path, "its length");
  return { ...name, sizeBytes, indexOffset, indexBytes, buckets: trailer.getFloat64(20, true) };
}

/** Reads where the blocks of a run are; undefined when the file is gone. */
export async function readRunIndex(files: FileLayer, run: Run): Promise<RunIndex | undefined> {
  const bytes = await files.readRange(run.path, { offset: run.indexOffset, sizeBytes: run.indexBytes });
  if (bytes === undefined) return undefined;
  const payload = openFrame(bytes);
  if (payload === undefined) throw damagedRun(run.path, "its index");
  const reader = createByteReader(payload);
  const count = reader.varint();
  const hashes = new Uint32Array(count);
  const offsets = new Float64Array(count + 1);
  let hash = 0;
  let offset = 0;
  for (let index = 0; index < count; index += 1) {
    hash += reader.varint();
    hashes[index] = hash;
    offset += reader.varint();
    offsets[index + 1] = offset;
  }
  return { hashes, offsets };
}

/** Reads a run block by block, a piece of at most `pieceBytes` at a time; each step gives the bytes that were compared. */
export async function* verifyRun(files: FileLayer, run: Run, pieceBytes: number): AsyncGenerator<number> {
  const index = await readRunIndex(files, run);
  if (index === undefined) return;
  const { offsets } = index;
  const count = index.hashes.length;
  if ((offsets[count] ?? 0) !== run.indexOffset) throw damagedRun(run.path, "its index");
  yield run.indexBytes;
  for (let first = 0; first < count;) {
    const start = offsets[first] ?? 0;
    let end = first + 1;
    while (end < count && (offsets[end + 1] ?? 0) - start <= pieceBytes) end += 1;
    const sizeBytes = (offsets[end] ?? 0) - start;
    const bytes = await files.readRange(run.path, { offset: start, sizeBytes });
    // Merged away meanwhile.
    if (bytes === undefined) return;
    for (; first < end; first += 1)
      decodeBlock(run.path, bytes.subarray((offsets[first] ?? 0) - start, (offsets[first + 1] ?? 0) - start));
    yield sizeBytes;
  }
}

/** The first block whose hash is `hash` or greater. */
export function findBlock({ hashes }: RunIndex, hash: number): number {
  return findFirst(hashes.length, (place) => (hashes[place] ?? 0) < hash);
}
