/** What a start finds in a folder of rollups. */
import { join } from "node:path";
import { StoreError } from "../../store.ts";
import { type Commit, readCommit } from "./commit-file.ts";
import { type Run, openRun } from "./run-file.ts";
import { type RunName, covers, parseRunName } from "./run-name.ts";
import type { RunPlace } from "./run-writer.ts";

export interface FoundRollups {
  readonly commit: Commit;
  readonly runs: readonly Run[];
}

type NamedRun = RunName & { readonly path: string };

function assertComplete(folder: string, runs: readonly NamedRun[]): void {
  // Before the first commit there can only be what the first flush began.
  if (runs.every(({ last }) => last === 1)) return;
  throw new StoreError(
    "store_unavailable",
    `"${join(folder, "commit")}" is missing. Restore the folder from a backup, or move the whole folder away: ` +
      "then the charts begin anew with what the sample log still holds",
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
  return { commit: commit ?? { flush: 0, flushedSeq: 0, dropped: new Map() }, runs };
}
