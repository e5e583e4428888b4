/**
 * The bytes of an upload, in parts of any length: what was kept stays, so that a broken line goes on from there. Each
 * chunk's name is written before its bytes and counts once they are durable: whatever stops in between is found again
 * and removed.
 */
import { AppError } from "../../kit/errors.ts";
import { type HashStream, createHashStream } from "../../kit/secrets/hash-stream.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { storedFiles } from "./records.ts";
import { CHUNK_BYTES, countChunks, findChunk, nameChunk, readChunks, toChunkBlob } from "./chunks.ts";
import type { StoredFileRecord } from "./schema.ts";

/** How long what was sent waits for more of it, or for a version that names it. */
export const UNUSED_MS = 86_400_000;
/** Hashes under way that this process keeps; others are made again from what was kept. */
const MAX_HASHES = 32;

export type UploadDeps = Pick<ShopDeps, "store" | "fileBlobs" | "clock">;

export interface UploadPart {
  /** Bytes before this part. */
  readonly offset: number;
  readonly body: ReadableStream<Uint8Array>;
}

/** Bytes of an upload that are durable. */
export function toReceivedBytes({
  keptChunks,
  sizeBytes,
}: Pick<StoredFileRecord, "keptChunks" | "sizeBytes">): number {
  return Math.min(keptChunks * CHUNK_BYTES, sizeBytes);
}

/** An upload that no version names yet. @throws AppError `not_found` */
export async function getUpload(tx: ReadTx, id: string): Promise<StoredFileRecord> {
  const stored = await tx.get(storedFiles, id);
  if (stored?.state === "sending") return stored;
  throw new AppError("not_found", "This upload does not exist: it was used or has expired");
}

/** Throws `conflict` with what is there for a part that begins elsewhere. */
function assertOffset(stored: StoredFileRecord, offset: number): void {
  const receivedBytes = toReceivedBytes(stored);
  if (offset === receivedBytes) return;
  const message = `The offset is wrong. ${receivedBytes} bytes were received: continue from there`;
  throw new AppError("conflict", message, { details: { receivedBytes, sizeBytes: stored.sizeBytes } });
}

/** Bytes of a body in chunks; the last one may be shorter. */
async function* cutChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let chunk = new Uint8Array(CHUNK_BYTES);
  let filled = 0;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (let from = 0; from < value.length;) {
        const taken = Math.min(value.length - from, CHUNK_BYTES - filled);
        chunk.set(value.subarray(from, from + taken), filled);
        from += taken;
        filled += taken;
        if (filled < CHUNK_BYTES) continue;
        yield chunk;
        chunk = new Uint8Array(CHUNK_BYTES);
        filled = 0;
      }
    }
  } finally {
    // A caller that stops early needs no more data.
    reader.cancel().catch(() => undefined);
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

/** One request that sends: it writes as long as no other took over. */
interface Writer {
  readonly id: string;
  readonly writer: string;
  readonly sizeBytes: number;
  readonly hash: HashStream;
  kept: number;
}

async function getOwn(tx: ReadTx, { id, writer }: Writer): Promise<StoredFileRecord> {
  const stored = await getUpload(tx, id);
  if (stored.writer === writer) return stored;
  throw new AppError("conflict", "Another request is sending a part of this upload");
}

/** Writes down how far it is. */
function settle({ store, clock }: UploadDeps, writer: Writer): Promise<StoredFileRecord> {
  return store.transact(async (tx) =>
    tx.put(storedFiles, {
      ...(await getOwn(tx, writer)),
      keptChunks: writer.kept,
      sweepAt: clock.now() + UNUSED_MS,
    }),
  );
}

async function keepChunk(deps: UploadDeps, writer: Writer, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const { store, fileBlobs, clock } = deps;
  const place = { storedId: writer.id, index: writer.kept };
  const blob = await toChunkBlob({ ...place, writer: writer.writer }, bytes);
  // Leftovers of an earlier writer never counted. A later writer names its blobs differently.
  const before = await store.read(async (tx) => {
    await getOwn(tx, writer);
    return findChunk(tx, place.storedId, place.index);
  });
  if (before !== undefined) await fileBlobs.remove(before);
  await store.transact(async (tx) => {
    const stored = await getOwn(tx, writer);
    await tx.put(storedFiles, { ...stored, keptChunks: writer.kept, sweepAt: clock.now() + UNUSED_MS });
    await nameChunk(tx, place, blob.hash);
  });
  await fileBlobs.put(blob.hash, blob.bytes);
  // A takeover since the name was written found no bytes to remove: without this, nothing would ever refer to these.
  await store
    .read((tx) => getOwn(tx, writer))
    .catch(async (error: unknown) => {
      await fileBlobs.remove(blob.hash);
      throw error;
    });
  writer.hash.add(bytes);
  writer.kept += 1;
}

/** Keeps what comes; a part of a chunk counts only at the end of the file. */
async function keepBody(deps: UploadDeps, writer: Writer, body: ReadableStream<Uint8Array>): Promise<void> {
  for await (const bytes of cutChunks(body)) {
    const endsAt = writer.kept * CHUNK_BYTES + bytes.length;
    if (endsAt > writer.sizeBytes) {
      const message = `The file is larger than the announced ${writer.sizeBytes} bytes`;
      throw new AppError("invalid", message, { details: { sizeBytes: writer.sizeBytes } });
    }
    if (bytes.length === CHUNK_BYTES || endsAt === writer.sizeBytes) await keepChunk(deps, writer, bytes);
  }
}

/** All is there: its hash is known, and compared with what the sender said. */
async function complete({ store, clock }: UploadDeps, writer: Writer): Promise<StoredFileRecord> {
  const sha256 = writer.hash.digest();
  const done = await store.transact(async (tx) => {
    const { writer: _writer, ...stored } = await getOwn(tx, writer);
    const isWrong = stored.expectedSha256 !== undefined && stored.expectedSha256 !== sha256;
    const kept = { ...stored, keptChunks: writer.kept };
    if (isWrong) await tx.put(storedFiles, { ...kept, state: "leaving", sweepAt: clock.now() });
    return isWrong ? undefined : tx.put(storedFiles, { ...kept, sha256, sweepAt: clock.now() + UNUSED_MS });
  });
  if (done !== undefined) return done;
  const message =
    "The SHA-256 of the received bytes differs from the announced one. Send the file again from the start";
  throw new AppError("invalid", message, { details: { sha256 } });
}

/** The hash of the chunks that are there. */
async function hashKept(deps: UploadDeps, stored: StoredFileRecord): Promise<HashStream> {
  const hash = createHashStream();
  if (stored.keptChunks === 0) return hash;
  const last = toReceivedBytes(stored) - 1;
  for await (const bytes of readChunks(deps, stored, { first: 0, last })) hash.add(bytes);
  return hash;
}

/** Hashes of uploads whose next part is awaited, by the upload; with how many chunks they have seen. */
type Hashes = Map<string, { readonly hash: HashStream; readonly kept: number }>;

function remember(hashes: Hashes, { id, hash, kept }: Writer): void {
  hashes.set(id, { hash, kept });
  for (const oldest of hashes.keys()) {
    if (hashes.size <= MAX_HASHES) return;
    hashes.delete(oldest);
  }
}

/** Begins to write, in place of an earlier writer; returns the upload itself when it is complete. */
async function open(
  deps: UploadDeps,
  hashes: Hashes,
  { id, offset }: { readonly id: string; readonly offset: number },
): Promise<Writer | StoredFileRecord> {
  const writer = newId("snd", deps.clock.now());
  const stored = await deps.store.transact(async (tx) => {
    const found = await getUpload(tx, id);
    // Sent again after its answer was lost.
    if (found.sha256 !== undefined) return found;
    assertOffset(found, offset);
    return tx.put(storedFiles, { ...found, writer });
  });
  if (stored.sha256 !== undefined) return stored;
  const known = hashes.get(id);
  hashes.delete(id);
  const hash = known?.kept === stored.keptChunks ? known.hash : await hashKept(deps, stored);
  return { id, writer, sizeBytes: stored.sizeBytes, hash, kept: stored.keptChunks };
}

/** Creates what keeps the parts of uploads. */
export function createReceiver(
  deps: UploadDeps,
): (id: string, part: UploadPart) => Promise<StoredFileRecord> {
  const hashes: Hashes = new Map();
  return async (id, { offset, body }) => {
    const writer = await open(deps, hashes, { id, offset });
    if (!("hash" in writer)) return writer;
    const began = writer.kept;
    const all = countChunks(writer.sizeBytes);
    try {
      await keepBody(deps, writer, body);
      if (writer.kept === all) return await complete(deps, writer);
      if (writer.kept === began) {
        const message = `A part must have at least ${CHUNK_BYTES} bytes, except for the last part`;
        throw new AppError("invalid", message, { details: { receivedBytes: began * CHUNK_BYTES } });
      }
      const stored = await settle(deps, writer);
      remember(hashes, writer);
      return stored;
    } catch (error) {
      // Durable bytes count, also when the connection broke; if even that cannot be written, the last stored count
      // does.
      if (writer.kept > began && writer.kept < all)
        await settle(deps, writer).then(
          () => remember(hashes, writer),
          () => undefined,
        );
      throw error;
    }
  };
}
