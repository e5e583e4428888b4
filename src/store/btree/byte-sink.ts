/** A file that is written from its beginning to its end, in pieces, with a checksum of all that was written. */
import { crc32 } from "node:zlib";
import { formatChecksum } from "../checksum.ts";
import type { AppendFile, FileLayer } from "../../kit/files/file-layer.ts";
import { type BlockSums, BlockSummer } from "./block-sums.ts";

/** Bytes are written in pieces of this size; making one takes well under a millisecond. */
const PIECE_BYTES = 64 * 1024;
/** Synced this often, so that one long sync does not hold up the journal's own at the end. */
const SYNC_EVERY_BYTES = 4 * 1024 * 1024;

/** See the module's header. What is written is kept in memory until `flush`. */
export class ByteSink {
  readonly #file: AppendFile;
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #unsynced = 0;
  #checksum = 0;
  readonly #blocks = new BlockSummer();
  #offset = 0;

  private constructor(file: AppendFile) {
    this.#file = file;
  }

  /** Starts a new file. */
  static async open(files: FileLayer, path: string): Promise<ByteSink> {
    return new ByteSink(await files.openAppend(path, { truncate: true }));
  }

  /** Bytes so far, also of what is not in the file yet. */
  get offset(): number {
    return this.#offset;
  }

  /** CRC-32 of all that was flushed, in eight hex digits. */
  get checksum(): string {
    return formatChecksum(this.#checksum);
  }

  write(bytes: Uint8Array | string): void {
    const part = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    this.#parts.push(part);
    this.#partBytes += part.byteLength;
    this.#offset += part.byteLength;
  }

  /** Hands a whole piece to the file; gives others their turn meanwhile. */
  async drain(): Promise<void> {
    if (this.#partBytes >= PIECE_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#partBytes = 0;
    this.#checksum = crc32(bytes, this.#checksum);
    this.#blocks.add(bytes);
    await this.#file.append(bytes);
    this.#unsynced += bytes.byteLength;
    if (this.#unsynced < SYNC_EVERY_BYTES) return;
    await this.#file.datasync();
    this.#unsynced = 0;
  }

  /** Writes what is left and syncs the file; the sums of all of it. */
  async end(): Promise<BlockSums> {
    await this.flush();
    await this.#file.datasync();
    return this.#blocks.end();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
