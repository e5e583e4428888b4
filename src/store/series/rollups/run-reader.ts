/** Finds a key in runs. */
import type { FileLayer } from "../../../kit/files/file-layer.ts";
import type { RollupBucket } from "./rollups.ts";
import { type Run, type RunIndex, decodeBlock, findBlock, hashKey, readRunIndex } from "./run-file.ts";

/** Blocks that are known at once, over all runs: 12 bytes each. */
const MAX_KNOWN_BLOCKS = 500_000;

/** Creates a reader that knows no index yet. */
export function createRunReader(files: FileLayer) {
  /** Least lately used first. */
  const indexes = new Map<string, RunIndex>();
  let known = 0;

  function forgetPath(path: string): void {
    const index = indexes.get(path);
    if (index === undefined) return;
    indexes.delete(path);
    known -= index.hashes.length;
  }

  async function findIndex(run: Run): Promise<RunIndex | undefined> {
    const index = indexes.get(run.path) ?? (await readRunIndex(files, run));
    forgetPath(run.path);
    if (index === undefined) return undefined;
    indexes.set(run.path, index);
    known += index.hashes.length;
    for (const path of indexes.keys()) {
      if (known <= MAX_KNOWN_BLOCKS || path === run.path) break;
      forgetPath(path);
    }
    return index;
  }

  return {
    /** The spans of a key in a run, sorted; "gone" when its file is no more. Throws when it is damaged. */
    async read(run: Run, key: string): Promise<readonly RollupBucket[] | "gone"> {
      const index = await findIndex(run);
      if (index === undefined) return "gone";
      const hash = hashKey(key);
      for (let block = findBlock(index, hash); index.hashes[block] === hash; block += 1) {
        const offset = index.offsets[block] ?? 0;
        const sizeBytes = (index.offsets[block + 1] ?? 0) - offset;
        const bytes = await files.readRange(run.path, { offset, sizeBytes });
        if (bytes === undefined) return "gone";
        const found = decodeBlock(run.path, bytes);
        if (found.key === key) return found.buckets;
      }
      return [];
    },
    /** Forgets a run that was removed. */
    forget: ({ path }: Run): void => forgetPath(path),
  };
}

export type RunReader = ReturnType<typeof createRunReader>;
