/** Checks the files of a monitor beside its store: reports, checkpoint and history. */
import { join } from "node:path";
import { type FileLayer, nodeFileLayer } from "../../kit/files/file-layer.ts";
import { textOf } from "../../kit/thrown.ts";
import { findDamagedOrigin } from "../../store/series/samples/origin.ts";
import { readRunFolder } from "../../store/series/rollups/run-folder.ts";
import { type Run, verifyRun } from "../../store/series/rollups/run-file.ts";
import { readCheckpoint } from "../../store/series/samples/checkpoint.ts";
import { isCurrent, manifestPath, readManifest } from "../../store/series/samples/manifest.ts";
import { newestPath, readNewest } from "../../store/series/samples/newest.ts";
import { inspectSegments, listSegments, segmentPath } from "../../store/series/samples/segment-files.ts";
import type { Findings } from "./finding.ts";

const PIECE_BYTES = 1024 * 1024;

/** The disk, on which nothing is changed: what readers tidy up on their way stays. */
export const readOnlyFiles: FileLayer = {
  ...nodeFileLayer,
  openAppend: () => Promise.reject(new Error("A check writes nothing")),
  rename: () => Promise.reject(new Error("A check writes nothing")),
  remove: async () => undefined,
  makeFolder: async () => undefined,
  syncFolder: async () => undefined,
};

const ANEW = "restart the monitor, which recreates the file";
const MONITOR_REMEDY = "restore the folder from a backup; the message lists the alternatives";

async function checkSamples(folder: string, findings: Findings): Promise<void> {
  const files = readOnlyFiles;
  try {
    await readCheckpoint(files, folder, () => undefined);
  } catch (error) {
    findings.error(join(folder, "checkpoint"), textOf(error), MONITOR_REMEDY);
  }
  const origin = await findDamagedOrigin(files, folder);
  if (origin !== undefined) findings.error(origin, "is damaged", MONITOR_REMEDY);
  const seqs = await listSegments(files, folder);
  const noted = await readNewest(files, folder);
  if (noted === undefined && (await files.sizeBytes(newestPath(folder))) !== undefined)
    findings.error(newestPath(folder), "is damaged", ANEW);
  const newest = noted?.seq ?? 0;
  const manifest = await readManifest(files, folder);
  if (manifest === "damaged") findings.error(manifestPath(folder), "is damaged", ANEW);
  const durable = isCurrent(manifest, newest) ? manifest.segments : [];
  const place = {
    files,
    folder,
    onEvent: (event: { readonly type: string; readonly missing?: string }) => {
      if (event.type === "gap") findings.error(event.missing ?? folder, "is missing", MONITOR_REMEDY);
    },
  };
  try {
    for await (const { path, problem, remedy } of inspectSegments(place, { seqs, newest, durable }))
      findings.error(path, problem, remedy);
  } catch (error) {
    findings.error(folder, textOf(error), MONITOR_REMEDY);
  }
  for (const { seq, durableBytes } of durable)
    if (durableBytes > 0 && !seqs.includes(seq))
      findings.error(segmentPath(folder, seq), "is missing", MONITOR_REMEDY);
  findings.count("segments of reports", seqs.length);
}

/** Runs of a monitor at work are merged while they are listed. */
const TRIES = 3;

async function readRuns(folder: string, tries = 1): Promise<readonly Run[]> {
  try {
    return (await readRunFolder({ files: readOnlyFiles, folder })).runs;
  } catch (error) {
    if (tries === TRIES) throw error;
    return readRuns(folder, tries + 1);
  }
}

async function checkHistory(folder: string, findings: Findings): Promise<void> {
  let runs: readonly Run[] = [];
  try {
    runs = await readRuns(folder);
  } catch (error) {
    findings.error(folder, textOf(error), MONITOR_REMEDY);
  }
  for (const run of runs) {
    try {
      for await (const _bytes of verifyRun(readOnlyFiles, run, PIECE_BYTES));
    } catch (error) {
      if ((await nodeFileLayer.sizeBytes(run.path)) !== undefined)
        findings.error(run.path, textOf(error), MONITOR_REMEDY);
    }
  }
  findings.count("files of history", runs.length);
}

/** Everything in `monitor/samples`, `monitor/history`, and `monitor/parts` of a data folder. */
export async function checkSeries(data: string, findings: Findings): Promise<void> {
  const samples = join(data, "monitor", "samples");
  if ((await nodeFileLayer.list(samples)).length > 0) await checkSamples(samples, findings);
  for (const name of ["history", "parts"]) {
    const history = join(data, "monitor", name);
    if ((await nodeFileLayer.list(history)).length > 0) await checkHistory(history, findings);
  }
}
