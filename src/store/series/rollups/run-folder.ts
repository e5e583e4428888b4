/** Reads a folder of rollups at the start. */
import { join } from "node:path";
import { StoreError } from "../../store.ts";
import { type Commit, readCommit } from "./commit-file.ts";
import { type Run, openRun } from "./run-file.ts";
import { type RunName, covers, parseRunName } from "./run-name.ts";
import type { RunPlace } from "./run-writer.ts";

export interface FoundRollups {
  readonly commit: Commit;
  readonly runs: readonly Run[];
  /** Runs that the commit names and that are gone, without another one that holds what they held. */
  readonly lost: readonly NamedRun[];
  /** Whether the folder has a commit. */
  readonly isCommitted: boolean;
}

export type NamedRun = RunName & { readonly path: string };

function assertComplete(folder: string, runs: readonly NamedRun[]): void {
  // A folder begins with a commit of nothing, so that runs without one have lost it.
  if (runs.length === 0) return;
  throw new StoreError(
    "store_unavailable",
    `"${join(folder, "commit")}" is missing. Restore the folder from a backup, or move the whole folder away. ` +
      "The charts then restart with the data in the sample log",
  );
}

function splitRuns(
  runs: readonly NamedRun[],
  flush: number,
): { readonly kept: NamedRun[]; readonly left: NamedRun[] } {
  const committed = runs.filter(({ last }) => last <= flush);
  const kept = committed.filter((run) => !committed.some((other) => covers(other, run)));
  const keptPaths = new Set(kept.map(({ path }) => path));
  return { kept, left: runs.filter(({ path }) => !keptPaths.has(path)) };
}

function findLost(folder: string, names: readonly string[], present: readonly NamedRun[]): NamedRun[] {
  const lost: NamedRun[] = [];
  for (const name of names) {
    const run = parseRunName(name);
    if (run === undefined) continue;
    const path = join(folder, name);
    if (!present.some((other) => other.path === path || covers(other, run))) lost.push({ ...run, path });
  }
  return lost;
}

/**
 * Reads what counts and removes the rest.
 * @throws StoreError `store_unavailable` with file and remedy when something is damaged or missing
 */
export async function readRunFolder({ files, folder }: RunPlace): Promise<FoundRollups> {
  const names = await files.list(folder);
  for (const name of names) if (name.endsWith(".tmp")) await files.remove(join(folder, name));
  const all: NamedRun[] = [];
  for (const name of names) {
    const parsed = parseRunName(name);
    if (parsed !== undefined) all.push({ ...parsed, path: join(folder, name) });
  }
  const commit = await readCommit(files, folder);
  if (commit === undefined) assertComplete(folder, all);
  const { kept, left } = splitRuns(all, commit?.flush ?? 0);
  for (const { path } of left) await files.remove(path);
  const runs: Run[] = [];
  for (const run of kept) runs.push(await openRun(files, run));
  return {
    commit: commit ?? { flush: 0, flushedSeq: 0, dropped: new Map() },
    runs,
    lost: findLost(folder, commit?.runs ?? [], kept),
    isCommitted: commit !== undefined,
  };
}
