/**
 * Checksums of every block of a file, kept in memory while the file is open, so that a part of it that is read later is
 * known to be what was written. Nothing of it is stored: the sums come from the pass that writes or verifies the file.
 */
import { crc32 } from "node:zlib";
import type { FileLayer, FileRange, ReadFile } from "../../kit/files/file-layer.ts";
import { DamagedError } from "../store.ts";

/** Small, since a look-up reads and sums up the whole blocks around what it wants. */
export const BLOCK_BYTES = 4096;

/** CRC-32 of each block of a file; the last block may be shorter. */
export interface BlockSums {
  readonly sizeBytes: number;
  readonly sums: Uint32Array;
}

/** Sums up the blocks of a file that comes in pieces. */
export class BlockSummer {
  #sums = new Uint32Array(256);
  #count = 0;
  /** Of the block that is not full yet. */
  #checksum = 0;
  #openBytes = 0;
  #sizeBytes = 0;

  add(bytes: Uint8Array): void {
    this.#sizeBytes += bytes.byteLength;
    for (let at = 0; at < bytes.byteLength;) {
      const end = Math.min(bytes.byteLength, at + BLOCK_BYTES - this.#openBytes);
      this.#checksum = crc32(bytes.subarray(at, end), this.#checksum);
      this.#openBytes += end - at;
      at = end;
      if (this.#openBytes === BLOCK_BYTES) this.#endBlock();
    }
  }

  #endBlock(): void {
    if (this.#count === this.#sums.length) {
      const larger = new Uint32Array(2 * this.#sums.length);
      larger.set(this.#sums);
      this.#sums = larger;
    }
    this.#sums[this.#count] = this.#checksum;
    this.#count += 1;
    this.#checksum = 0;
    this.#openBytes = 0;
  }

  /** The sums of all that was added. */
  end(): BlockSums {
    if (this.#openBytes > 0) this.#endBlock();
    return { sizeBytes: this.#sizeBytes, sums: this.#sums.slice(0, this.#count) };
  }
}

/** Reads a file through: the CRC-32 of its first bytes, and the sums of all of its blocks. */
export async function sumUpFile(
  files: FileLayer,
  path: string,
  checkedBytes: number,
): Promise<{ readonly checksum: number; readonly sums: BlockSums }> {
  const summer = new BlockSummer();
  let checksum = 0;
  let left = checkedBytes;
  for await (const chunk of (await files.readChunks(path)) ?? []) {
    checksum = crc32(chunk.subarray(0, left), checksum);
    left -= Math.min(left, chunk.byteLength);
    summer.add(chunk);
  }
  return { checksum, sums: summer.end() };
}

/** Bytes of a file that are not what was written. */
export interface Damage {
  readonly path: string;
  /** Offset of the block that contains them. */
  readonly offset: number;
  readonly remedy: string;
}

export function describeDamage({ path, offset, remedy }: Damage): string {
  return `"${path}" is damaged between byte ${offset} and ${offset + BLOCK_BYTES}; ${remedy}`;
}

export interface CheckedReadOptions {
  readonly sums: BlockSums;
  readonly remedy: string;
  /** Called for each read that meets damage. */
  readonly onDamage?: ((damage: Damage) => void) | undefined;
}

/** A file whose blocks are compared. */
export interface CheckedFile extends ReadFile {
  readonly sizeBytes: number;
}

/** Most reads are a page or a document: these share one buffer. */
const SCRATCH_BYTES = 16 * BLOCK_BYTES;

/**
 * A file of which nothing is handed out that is not what its sums say. Damage is a
 * DamagedError that names the file and the remedy.
 */
export function withChecks(file: ReadFile, options: CheckedReadOptions): CheckedFile {
  const { sums, sizeBytes } = options.sums;
  const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  return {
    path: file.path,
    sizeBytes,
    close: () => file.close(),
    read: (into, { offset, sizeBytes: wantedBytes }: FileRange) => {
      const start = offset - (offset % BLOCK_BYTES);
      const end = Math.min(sizeBytes, Math.ceil((offset + wantedBytes) / BLOCK_BYTES) * BLOCK_BYTES);
      if (offset + wantedBytes > end)
        throw new Error(`"${file.path}" ends before byte ${offset + wantedBytes}`);
      const length = end - start;
      const bytes = length <= SCRATCH_BYTES ? scratch : Buffer.allocUnsafeSlow(length);
      file.read(bytes, { offset: start, sizeBytes: length });
      for (let at = 0; at < length; at += BLOCK_BYTES) {
        const block = bytes.subarray(at, Math.min(at + BLOCK_BYTES, length));
        if (crc32(block) === sums[(start + at) / BLOCK_BYTES]) continue;
        const damage = { path: file.path, offset: start + at, remedy: options.remedy };
        options.onDamage?.(damage);
        throw new DamagedError(describeDamage(damage));
      }
      bytes.copy(into, 0, offset - start, offset - start + wantedBytes);
    },
  };
}
