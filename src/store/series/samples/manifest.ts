/**
 * What a sample log contains, in a file next to its segments: without it, a missing first segment, checkpoint
 * or history would go unnoticed. It never claims more than is true, so a crash at any time raises no false
 * alarm.
 */
import { join } from "node:path";
import { z } from "zod";
import type { FileLayer } from "../../../kit/files/file-layer.ts";
import { openFrame, sealFrame } from "./frames.ts";

const NAME = "segments";
const MAX_BYTES = 4 * 1024 * 1024;

const number = z.number().int().min(0);

const manifestSchema = z.object({
  format: z.literal("trivet-segments/1"),
  /** The newest segment when this was written. */
  newest: number,
  /** The first segment that the checkpoint may lack rows of. */
  coveredSeq: number,
  /** The first segment that the owner still needs; 0 when it said nothing. */
  keptFrom: number,
  /** Segments that have to be there. */
  segments: z.array(z.object({ seq: number, durableBytes: number, from: number, to: number })),
});
export type Manifest = Omit<z.infer<typeof manifestSchema>, "format">;
/** `durableBytes` is 0 where nothing is known to be durable; `from` and `to` are the times of its rows, epoch milliseconds. */
export type ManifestSegment = Manifest["segments"][number];

/** Replaces the manifest; durable when it resolves. */
export async function writeManifest(files: FileLayer, folder: string, content: Manifest): Promise<void> {
  const path = join(folder, NAME);
  const text = JSON.stringify({ format: "trivet-segments/1", ...content });
  const file = await files.openAppend(`${path}.tmp`, { truncate: true });
  try {
    await file.append(sealFrame(new TextEncoder().encode(text)));
    await file.datasync();
  } finally {
    await file.close();
  }
  await files.rename(`${path}.tmp`, path);
  await files.syncFolder(folder);
}

/** Reads the manifest; "damaged" for one that is not what was written, undefined when there is none. */
export async function readManifest(
  files: FileLayer,
  folder: string,
): Promise<Manifest | "damaged" | undefined> {
  const path = join(folder, NAME);
  const bytes = await files.readRange(path, { offset: 0, sizeBytes: MAX_BYTES });
  if (bytes === undefined) return undefined;
  const payload = openFrame(bytes);
  if (payload === undefined) return "damaged";
  return manifestSchema.safeParse(JSON.parse(new TextDecoder().decode(payload))).data ?? "damaged";
}

/** Removes the remains of a manifest draft after a crash; only while none is being written. */
export async function removeManifestDraft(files: FileLayer, folder: string): Promise<void> {
  await files.remove(`${manifestPath(folder)}.tmp`);
}

export function manifestPath(folder: string): string {
  return join(folder, NAME);
}

/** Something that was there and is not. */
export interface Lost {
  readonly path: string;
  readonly problem: string;
}

export interface Present {
  readonly folder: string;
  readonly manifest: Manifest | "damaged" | undefined;
  readonly seqs: readonly number[];
  readonly toPath: (seq: number) => string;
  /** The content of the file `newest`, and whether its writer keeps a manifest. */
  readonly newest: { readonly seq: number; readonly hasManifest: boolean } | undefined;
  readonly coveredSeq: number | undefined;
  /** The first segment that the owner still needs, as it says now. */
  readonly keptFrom: number;
}

/** Whether the manifest is of the last program that ran here, and not from before an older one did. */
export function isCurrent(manifest: Present["manifest"], newest: number): manifest is Manifest {
  return typeof manifest === "object" && manifest.newest >= newest;
}

function toTime(at: number): string {
  return new Date(at).toISOString();
}

function* findLostPointers({ folder, manifest, newest }: Present): Generator<Lost> {
  const path = manifestPath(folder);
  const lost = "so missing segments cannot be detected at this start; the file is recreated";
  if (manifest === "damaged") yield { path, problem: `is damaged, ${lost}` };
  if (manifest === undefined && newest?.hasManifest === true) yield { path, problem: `is missing, ${lost}` };
  if (manifest !== undefined && newest === undefined)
    yield { path: join(folder, "newest"), problem: "is missing or damaged; the file is recreated" };
}

/** Missing files, for the log and the health report: a start goes on with the rest. */
export function* findLost(present: Present): Generator<Lost> {
  const { folder, manifest, seqs, toPath, newest, coveredSeq, keptFrom } = present;
  yield* findLostPointers(present);
  if (!isCurrent(manifest, newest?.seq ?? 0)) return;
  for (const { seq, durableBytes, from, to } of manifest.segments) {
    if (durableBytes === 0 || seqs.includes(seq)) continue;
    const isCounted = seq < manifest.keptFrom && seq < keptFrom;
    const loss = isCounted ? "missing in the raw charts, but present in the history" : "lost";
    yield {
      path: toPath(seq),
      problem: `is missing: reports from ${toTime(from)} to ${toTime(to)} are ${loss}`,
    };
  }
  if (manifest.coveredSeq > (coveredSeq ?? 0)) {
    const state = coveredSeq === undefined ? "is missing" : "is outdated";
    const problem = `${state}: the last states of servers that are offline, and traffic since the last hour, may be lost`;
    yield { path: join(folder, "checkpoint"), problem };
  }
  if (manifest.keptFrom > keptFrom) {
    const problem = `is missing or outdated: charts lack the data before segment ${manifest.keptFrom}`;
    yield { path: join(folder, "..", "history"), problem };
  }
}
