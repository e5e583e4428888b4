/** Makes durable what a former process has left in a file. */
import { codeOf } from "../thrown.ts";
import type { FileLayer } from "./file-layer.ts";

async function* firstBytes(chunks: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let left = sizeBytes;
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left);
    left -= chunk.byteLength;
    if (left <= 0) return;
  }
}

async function copy(
  files: FileLayer,
  from: string,
  { to, sizeBytes }: { readonly to: string; readonly sizeBytes: number },
): Promise<void> {
  const chunks = await files.readChunks(from);
  if (chunks === undefined) throw new Error(`"${from}" is gone`);
  const file = await files.openAppend(to, { truncate: true });
  try {
    for await (const bytes of firstBytes(chunks, sizeBytes)) await file.append(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Cuts a file, so that the next start finds no torn end, and syncs what is left. */
export async function cutFile(files: FileLayer, path: string, sizeBytes: number): Promise<void> {
  const file = await files.openAppend(path);
  try {
    if ((await file.sizeBytes()) > sizeBytes) await file.truncate(sizeBytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * Replaces a file by a synced copy of its first bytes. A sync of the file itself is not enough: after one that failed, in
 * an earlier start, the next one succeeds without writing what the disk lacks, although it can be read until the power is
 * cut (https://wiki.postgresql.org/wiki/Fsync_Errors). On a full disk the file itself is cut and synced.
 * @param options.draft a name in the same folder; worthless after a crash
 */
export async function renewFile(
  files: FileLayer,
  path: string,
  {
    folder,
    draft,
    sizeBytes = Infinity,
  }: { readonly folder: string; readonly draft: string; readonly sizeBytes?: number },
): Promise<void> {
  try {
    await copy(files, path, { to: draft, sizeBytes });
  } catch (error) {
    if (codeOf(error) !== "ENOSPC") throw error;
    await files.remove(draft);
    return cutFile(files, path, sizeBytes);
  }
  await files.rename(draft, path);
  await files.syncFolder(folder);
}
