/**
 * Contents of files in chunks of 1 MiB among the shop's blobs, so that files of any size lie where pictures lie: in the
 * data folder or in the database, in backups, and checked against their hash whenever they are read. A chunk's blob
 * begins with a line of the content's id, the chunk's number and its writer: no two are one blob, each can go for ever,
 * and none is taken for a picture.
 */
import { hashBytes } from "../../kit/secrets/hash-bytes.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { fileParts } from "./records.ts";
import type { StoredFileRecord } from "./schema.ts";

export const CHUNK_BYTES = 1_048_576;
const CHUNKS_A_PART = 64;

/** Chunks that a content of so many bytes has. */
export function countChunks(sizeBytes: number): number {
  return Math.ceil(sizeBytes / CHUNK_BYTES);
}

const LINE_END = 0x0a;

/** The blob of a chunk, with its name. */
export async function toChunkBlob(
  { storedId, index, writer }: { readonly storedId: string; readonly index: number; readonly writer: string },
  bytes: Uint8Array,
): Promise<{ hash: string; bytes: Uint8Array<ArrayBuffer> }> {
  const prefix = new TextEncoder().encode(`trivet-file ${storedId} ${index} ${writer}\n`);
  const blob = new Uint8Array(prefix.length + bytes.length);
  blob.set(prefix);
  blob.set(bytes, prefix.length);
  return { hash: await hashBytes(blob), bytes: blob };
}

function toPartId(storedId: string, part: number): string {
  return `${storedId}:${String(part).padStart(6, "0")}`;
}

/** The name of a chunk, also if its bytes never came. */
export async function findChunk(tx: ReadTx, storedId: string, index: number): Promise<string | undefined> {
  const part = await tx.get(fileParts, toPartId(storedId, Math.floor(index / CHUNKS_A_PART)));
  return part?.chunks[index % CHUNKS_A_PART];
}

/** Writes the name of a chunk down, which then is the last one. */
export async function nameChunk(
  tx: Tx,
  { storedId, index }: { readonly storedId: string; readonly index: number },
  hash: string,
): Promise<void> {
  const id = toPartId(storedId, Math.floor(index / CHUNKS_A_PART));
  const part = await tx.get(fileParts, id);
  const chunks = [...(part?.chunks ?? []).slice(0, index % CHUNKS_A_PART), hash];
  if (part === undefined) await tx.insert(fileParts, { id, storedId, chunks });
  else await tx.put(fileParts, { ...part, chunks });
}

type ReadDeps = Pick<ShopDeps, "store" | "fileBlobs">;

/** The bytes of a content from `first` to `last`, both inclusive, a chunk at a time. @throws Error where one is missing or damaged */
export async function* readChunks(
  { store, fileBlobs }: ReadDeps,
  { id, keptChunks }: Pick<StoredFileRecord, "id" | "keptChunks">,
  { first, last }: { readonly first: number; readonly last: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const end = Math.min(Math.floor(last / CHUNK_BYTES), keptChunks - 1);
  let names: readonly string[] = [];
  for (let index = Math.floor(first / CHUNK_BYTES); index <= end; index += 1) {
    const at = index % CHUNKS_A_PART;
    if (names.length === 0 || at === 0) {
      const partId = toPartId(id, Math.floor(index / CHUNKS_A_PART));
      names = (await store.read((tx) => tx.get(fileParts, partId)))?.chunks ?? [];
    }
    const name = names[at];
    const blob = name === undefined ? undefined : await fileBlobs.get(name);
    if (blob === undefined) throw new Error(`Chunk ${index} of the file "${id}" is missing`);
    const bytes = blob.subarray(blob.indexOf(LINE_END) + 1);
    const startsAt = index * CHUNK_BYTES;
    yield bytes.subarray(Math.max(0, first - startsAt), last - startsAt + 1);
  }
}

/** Removes all chunks of a content, and what names them. */
export async function removeChunks(
  { store, fileBlobs }: ReadDeps,
  { id, sizeBytes }: Pick<StoredFileRecord, "id" | "sizeBytes">,
): Promise<void> {
  const parts = Math.ceil(countChunks(sizeBytes) / CHUNKS_A_PART);
  for (let part = 0; part < parts; part += 1) {
    const partId = toPartId(id, part);
    const names = (await store.read((tx) => tx.get(fileParts, partId)))?.chunks;
    if (names === undefined) continue;
    for (const name of names) await fileBlobs.remove(name);
    await store.transact((tx) => tx.remove(fileParts, partId));
  }
}
