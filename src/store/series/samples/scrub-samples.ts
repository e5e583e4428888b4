/** Reads the segments of a sample log that take no more rows, and its checkpoint, through while it runs. */
import { join } from "node:path";
import type { DataProblem } from "../../scrub.ts";
import { findDamagedOrigin } from "./origin.ts";
import { manifestPath, readManifest } from "./manifest.ts";
import { readNewest } from "./newest.ts";
import { MAX_ENTRY_BYTES } from "./checkpoint.ts";
import { verifyFrames } from "./frames.ts";
import type { KeptSegment } from "./retention.ts";
import type { SegmentFolder } from "./segment-files.ts";
import { maxRowBytes } from "./segment-format.ts";

const REMEDY = "restore it from a backup; otherwise the next start fails and lists the alternatives";

/** The frames of a file, of which so many bytes must be sound. */
async function* scrubFrames(
  { files }: SegmentFolder,
  file: { readonly path: string; readonly maxPayloadBytes: number; readonly durableBytes: number },
): AsyncGenerator<number | DataProblem> {
  const chunks = await files.readChunks(file.path);
  const goodBytes = chunks === undefined ? 0 : yield* verifyFrames(chunks, file.maxPayloadBytes);
  if (goodBytes >= file.durableBytes) return;
  const problem =
    chunks === undefined ? `is missing; ${REMEDY}` : `is damaged at byte ${goodBytes}; ${REMEDY}`;
  yield { path: file.path, problem };
}

/** See the module's header. */
export async function* scrubSamples(
  place: SegmentFolder,
  readKept: () => readonly KeptSegment[],
): AsyncGenerator<number | DataProblem> {
  const { files, folder } = place;
  const path = join(folder, "checkpoint");
  const durableBytes = (await files.sizeBytes(path)) ?? 0;
  if (durableBytes > 0) yield* scrubFrames(place, { path, maxPayloadBytes: MAX_ENTRY_BYTES, durableBytes });
  if ((await readNewest(files, folder)) === undefined)
    yield { path: join(folder, "newest"), problem: "is missing or damaged; the next segment recreates it" };
  const origin = await findDamagedOrigin(files, folder);
  if (origin !== undefined) yield { path: origin, problem: `is damaged; ${REMEDY}` };
  if ((await readManifest(files, folder)) === "damaged")
    yield { path: manifestPath(folder), problem: "is damaged; the next segment recreates it" };
  for (const segment of readKept())
    for await (const step of scrubFrames(place, { ...segment, maxPayloadBytes: maxRowBytes })) {
      const isDropped = typeof step === "object" && !readKept().includes(segment);
      if (!isDropped) yield step;
    }
}
