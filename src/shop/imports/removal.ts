/** Imports leave the history; what they stored stays. */
import { releaseStored } from "../files/uploads.ts";
import type { Tx } from "../../store/store.ts";
import { importFaults, importFiles, importItems, importPictures, imports } from "./records.ts";
import type { ImportRecord } from "./schema.ts";
import { assertState, getImport } from "./states.ts";
import type { ImportDeps } from "./steps.ts";

const UNSTARTED_MS = 7 * 86_400_000;
const HISTORY_MS = 180 * 86_400_000;
const REMOVED_AT_ONCE = 500;

/** Lets the file and the archive go. */
export async function releaseFiles(
  tx: Tx,
  { storedId, archiveId }: ImportRecord,
  nowMs: number,
): Promise<void> {
  for (const id of [storedId, archiveId]) if (id !== undefined) await releaseStored(tx, id, nowMs);
}

/** Removes the records of an import in parts; true when all are gone. */
async function removeParts(tx: Tx, importId: string): Promise<boolean> {
  const range = { prefix: [importId], limit: REMOVED_AT_ONCE };
  const pictures = (await tx.list(importPictures, "byState", range)).items;
  for (const { id } of pictures) await tx.remove(importPictures, id);
  const faults = (await tx.list(importFaults, "byPhase", range)).items;
  for (const { id } of faults) await tx.remove(importFaults, id);
  const items = (await tx.list(importItems, "byImport", range)).items;
  for (const { id } of items) await tx.remove(importItems, id);
  const files = (await tx.list(importFiles, "byImport", range)).items;
  for (const { id } of files) await tx.remove(importFiles, id);
  return [pictures, faults, items, files].every(({ length }) => length < REMOVED_AT_ONCE);
}

/** Removes an import from the history; what it stored stays. */
export async function removeImport({ store, clock }: ImportDeps, id: string): Promise<void> {
  for (;;) {
    const isGone = await store.transact(async (tx) => {
      const record = await getImport(tx, id);
      assertState(record, ["receiving", "checked", "failed", "stopped", "done", "undone"], "deleted");
      if (!(await removeParts(tx, id))) return false;
      await releaseFiles(tx, record, clock.now());
      await tx.remove(imports, id);
      return true;
    });
    if (isGone) return;
  }
}

/** Removes imports that were never started, and old ones of the history; resolves with their number. */
export async function sweepImports(deps: ImportDeps): Promise<number> {
  const nowMs = deps.clock.now();
  const range = { to: [nowMs - UNSTARTED_MS], limit: 100 };
  const { items } = await deps.store.read((tx) => tx.list(imports, "byCreated", range));
  let count = 0;
  for (const { id, state, createdAt } of items) {
    const isOld = createdAt < nowMs - HISTORY_MS && ["done", "undone", "stopped"].includes(state);
    if (!isOld && !["receiving", "checked", "failed"].includes(state)) continue;
    await removeImport(deps, id);
    count += 1;
  }
  return count;
}
