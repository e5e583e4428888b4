/** The snapshot file as an adapter for lowdb's `Low`. */
import { crc32 } from "node:zlib";
import type { Adapter } from "lowdb";
import type { Clock } from "../../kit/time/clock.ts";
import type { FileLayer } from "../../kit/files/file-layer.ts";
import { toChecksum } from "./line.ts";
import { type Snapshot, parseSnapshot, toSnapshotEnd, writeSnapshot } from "./snapshot.ts";

/** Text is written in pieces of this many characters; making one takes well under a millisecond. */
const PIECE_CHARACTERS = 64 * 1024;
/** Synced this often, so that one long sync does not hold up the journal's own at the end. */
const SYNC_EVERY_BYTES = 4 * 1024 * 1024;

export interface SnapshotFile extends Adapter<Snapshot> {
  readonly path: string;
}

export interface SnapshotFileOptions {
  readonly files: FileLayer;
  readonly folder: string;
  readonly name: string;
  readonly clock: Clock;
}

/** The whole file, or undefined when there is none. */
export async function readWhole(files: FileLayer, path: string): Promise<Buffer | undefined> {
  const chunks = await files.readChunks(path);
  if (chunks === undefined) return undefined;
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

async function writePieces(
  options: SnapshotFileOptions,
  temporary: string,
  snapshot: Snapshot,
): Promise<void> {
  const file = await options.files.openAppend(temporary, { truncate: true });
  let checksum = 0;
  let unsynced = 0;
  let piece = "";
  const put = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    checksum = crc32(bytes, checksum);
    await file.append(bytes);
    unsynced += bytes.byteLength;
    if (unsynced < SYNC_EVERY_BYTES) return;
    await file.datasync();
    unsynced = 0;
  };
  try {
    for (const text of writeSnapshot(snapshot, options.clock.now())) {
      piece += text;
      if (piece.length < PIECE_CHARACTERS) continue;
      await put(piece);
      piece = "";
    }
    await put(piece);
    await put(toSnapshotEnd(checksum.toString(16).padStart(8, "0")));
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** The adapter for `<folder>/<name>.json`. */
export function createSnapshotFile(options: SnapshotFileOptions): SnapshotFile {
  const { files, folder, name } = options;
  const path = `${folder}/${name}.json`;
  const temporary = `${path}.tmp`;
  return {
    path,
    async read() {
      const bytes = await readWhole(files, path);
      return bytes === undefined ? null : parseSnapshot(path, bytes);
    },
    async write(snapshot) {
      try {
        await writePieces(options, temporary, snapshot);
        await files.rename(temporary, path);
      } catch (error) {
        // What is left of it would only fill the disk; when this fails too, the next start removes it.
        await files.remove(temporary).catch(() => undefined);
        throw error;
      }
      await files.syncFolder(folder);
    },
  };
}

/** A checksum of content alone (not of when it was written), to compare copies. */
export function toContentHash(documents: Iterable<{ readonly id: string }>): string {
  const texts = [...documents].sort((a, b) => (a.id < b.id ? -1 : 1)).map((doc) => JSON.stringify(doc));
  return toChecksum(texts.join("\n"));
}
