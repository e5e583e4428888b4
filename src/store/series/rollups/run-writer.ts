/** Writes a run under a temporary name, syncs it, and gives it its own. */
import { createByteWriter } from "../../../kit/text/varint.ts";
import type { AppendFile, FileLayer } from "../../../kit/files/file-layer.ts";
import type { RollupBucket } from "./rollups.ts";
import { type Run, encodeBlock, encodeEnd, hashKey } from "./run-file.ts";
import { type RunName, runPath } from "./run-name.ts";

const PIECE_BYTES = 256 * 1024;

export interface RunPlace {
  readonly files: FileLayer;
  readonly folder: string;
}

export class RunWriter {
  readonly #files: FileLayer;
  readonly #file: AppendFile;
  readonly #name: RunName;
  readonly #path: string;
  readonly #piece = createByteWriter(64 * 1024);
  readonly #entries: { hash: number; sizeBytes: number }[] = [];
  #offset = 0;
  #buckets = 0;

  constructor({ files, folder }: RunPlace, name: RunName, file: AppendFile) {
    this.#files = files;
    this.#file = file;
    this.#name = name;
    this.#path = runPath(folder, name);
  }

  /** Adds the spans of a key; keys come in the order of `compareKeys`. */
  async add(key: string, buckets: readonly RollupBucket[]): Promise<void> {
    const block = encodeBlock(key, buckets);
    this.#entries.push({ hash: hashKey(key), sizeBytes: block.length });
    this.#offset += block.length;
    this.#buckets += buckets.length;
    this.#piece.bytes(block);
    if (this.#piece.length >= PIECE_BYTES) await this.#file.append(this.#piece.take());
  }

  /** Syncs the file and gives it its name, which is durable once the folder is synced. */
  async finish(): Promise<Run> {
    const indexOffset = this.#offset;
    const { bytes, indexBytes } = encodeEnd({ entries: this.#entries, indexOffset, buckets: this.#buckets });
    this.#piece.bytes(bytes);
    await this.#file.append(this.#piece.take());
    await this.#file.datasync();
    await this.#file.close();
    await this.#files.rename(this.#file.path, this.#path);
    const sizeBytes = indexOffset + bytes.length;
    return {
      ...this.#name,
      path: this.#path,
      sizeBytes,
      indexOffset,
      indexBytes,
      buckets: this.#buckets,
    };
  }

  /** Removes what was written; never throws. */
  async abort(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    for (const path of [this.#file.path, this.#path]) await this.#files.remove(path).catch(() => undefined);
  }
}

export async function createRunWriter(place: RunPlace, name: RunName): Promise<RunWriter> {
  const file = await place.files.openAppend(`${runPath(place.folder, name)}.tmp`, { truncate: true });
  return new RunWriter(place, name, file);
}
