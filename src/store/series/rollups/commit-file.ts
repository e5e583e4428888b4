/** The file that says which flushes count. */
import { join } from "node:path";
import { z } from "zod";
import type { FileLayer } from "../../../kit/files/file-layer.ts";
import { openFrame, sealFrame } from "../samples/frames.ts";
import { StoreError } from "../../store.ts";

const NAME = "commit";
const MAX_BYTES = 64 * 1024 * 1024;

const commitSchema = z.object({
  format: z.literal("trivet-rollups/1"),
  /** Number of the last flush; runs of later ones do not count. */
  flush: z.number().int().min(0),
  /** The owner's mark after that flush. */
  flushedSeq: z.number().int().min(0),
  /** Keys that were dropped, with the last flush whose spans of them do not count. */
  dropped: z.array(z.tuple([z.string(), z.number().int()])),
  /** Names of the runs that were there; since then they may have been merged or have passed. Absent in what older programs wrote. */
  runs: z.array(z.string()).optional(),
});

export interface Commit {
  readonly flush: number;
  readonly flushedSeq: number;
  readonly dropped: ReadonlyMap<string, number>;
}

/** Replaces the commit; `runs` are the names of those that count with it. Durable when it resolves. */
export async function writeCommit(
  files: FileLayer,
  folder: string,
  commit: Commit & { readonly runs: readonly string[] },
): Promise<void> {
  const content: z.infer<typeof commitSchema> = {
    format: "trivet-rollups/1",
    flush: commit.flush,
    flushedSeq: commit.flushedSeq,
    dropped: [...commit.dropped],
    runs: [...commit.runs],
  };
  const path = join(folder, NAME);
  const file = await files.openAppend(`${path}.tmp`, { truncate: true });
  try {
    await file.append(sealFrame(new TextEncoder().encode(JSON.stringify(content))));
    await file.datasync();
  } finally {
    await file.close();
  }
  await files.rename(`${path}.tmp`, path);
  await files.syncFolder(folder);
}

/**
 * Reads the commit; undefined when there is none.
 * @throws StoreError `store_unavailable` when it is damaged: it only ever appears whole, so that is no power cut
 */
export async function readCommit(
  files: FileLayer,
  folder: string,
): Promise<(Commit & { readonly runs: readonly string[] }) | undefined> {
  const path = join(folder, NAME);
  const bytes = await files.readRange(path, {
    offset: 0,
    sizeBytes: Math.min((await files.sizeBytes(path)) ?? 0, MAX_BYTES),
  });
  if (bytes === undefined) return undefined;
  const payload = openFrame(bytes);
  const content = payload === undefined ? undefined : parseCommit(payload);
  if (content === undefined) {
    throw new StoreError(
      "store_unavailable",
      `"${path}" is damaged. Restore the folder from a backup, or move the whole folder away. The charts then ` +
        "restart with the data in the sample log",
    );
  }
  const { flush, flushedSeq, dropped, runs = [] } = content;
  return { flush, flushedSeq, dropped: new Map(dropped), runs };
}

function parseCommit(payload: Uint8Array): z.infer<typeof commitSchema> | undefined {
  try {
    return commitSchema.safeParse(JSON.parse(new TextDecoder().decode(payload))).data;
  } catch {
    return undefined;
  }
}
