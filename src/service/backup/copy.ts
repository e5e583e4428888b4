/** Copies files so that they survive a power cut: private modes, synced data, synced folders. */
import { createHash } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "../../kit/thrown.ts";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";

const CHUNK_BYTES = 1024 * 1024;

export interface Copied {
  readonly sizeBytes: number;
  /** Of the bytes that were read, so that reading the copy back proves it. */
  readonly sha256: string;
}

/** Copies what the file holds now; undefined when it is gone. */
export async function copyFileSafely(from: string, to: string): Promise<Copied | undefined> {
  const source = await open(from, "r").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (source === undefined) return undefined;
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const target = await open(to, "w", 0o600);
    try {
      const hash = createHash("sha256");
      const chunk = Buffer.alloc(CHUNK_BYTES);
      let sizeBytes = 0;
      for (;;) {
        const { bytesRead } = await source.read(chunk, 0, CHUNK_BYTES, null);
        if (bytesRead === 0) break;
        const part = chunk.subarray(0, bytesRead);
        hash.update(part);
        await target.writeFile(part);
        sizeBytes += bytesRead;
      }
      await target.sync();
      await nodeFileLayer.syncFolder(dirname(to));
      return { sizeBytes, sha256: hash.digest("hex") };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
