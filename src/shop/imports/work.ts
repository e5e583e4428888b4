/** The job: works on imports that are to be checked, run or undone. */
import { writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import { readArchive } from "./archive.ts";
import { runPictures } from "./pictures.ts";
import { auditNouns } from "./kinds.ts";
import { imports } from "./records.ts";
import { releaseFiles } from "./removal.ts";
import { runItems } from "./run-items.ts";
import { sayFailure } from "./said.ts";
import type { ImportRecord } from "./schema.ts";
import { type Step, findOwn } from "./steps.ts";
import { runTrial } from "./trial.ts";
import { runUndo } from "./undo.ts";

/** Ends the run: everything of the file is stored, and every picture is there or failed. */
function finish(step: Step, { id }: ImportRecord): Promise<void> {
  const { store, clock } = step.deps;
  return store.transact(async (tx) => {
    const own = await findOwn(tx, step, { id, state: "running" });
    if (own === undefined) return;
    await releaseFiles(tx, own, clock.now());
    await tx.put(imports, { ...own, state: "done", endedAt: clock.now(), leaseUntil: undefined });
    const { created, changed } = own.counts;
    const actor = { name: own.startedBy, clientId: "shop", requestId: own.id };
    const changes = [`created: ${created}`, `updated: ${changed}`];
    await writeAudit(tx, { actor, action: `${auditNouns[own.kind]}.import`, target: own.id, changes }, clock);
  });
}

/** A file that can no longer be read ends the run with the reason. */
async function fail(step: Step, { id }: ImportRecord, error: AppError): Promise<void> {
  await step.deps.store.transact(async (tx) => {
    const own = await findOwn(tx, step, { id, state: "running" });
    if (own === undefined) return;
    const { message: failure, text: failureText } = sayFailure(error);
    await tx.put(imports, { ...own, state: "stopped", failure, failureText, leaseUntil: undefined });
  });
}

async function runImport(step: Step, record: ImportRecord): Promise<void> {
  try {
    if (!(await readArchive(step, record))) return;
    const isRead = record.itemsDone === true || (await runItems(step, record));
    if (!isRead || step.isOver()) return;
    await step.deps.store.transact(async (tx) => {
      const own = await findOwn(tx, step, { id: record.id, state: "running" });
      if (own !== undefined && own.itemsDone !== true) await tx.put(imports, { ...own, itemsDone: true });
    });
    if (await runPictures(step, record)) await finish(step, record);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind.http >= 500) throw error;
    await fail(step, record, error);
  }
}

const working = { checking: runTrial, running: runImport, undoing: runUndo } as const;

/** Works on every import that waits for it, one after the other; resolves with their number. */
export async function runImports(step: Step): Promise<number> {
  const { store } = step.deps;
  let count = 0;
  for (const state of ["undoing", "checking", "running"] as const) {
    const { items } = await store.read((tx) => tx.list(imports, "byState", { prefix: [state], limit: 20 }));
    for (const { id } of items) {
      if (step.isOver()) return count;
      const own = await store.transact(async (tx) => {
        const found = await findOwn(tx, step, { id, state });
        return found && tx.put(imports, found);
      });
      if (own === undefined) continue;
      await working[state](step, own);
      count += 1;
    }
  }
  return count;
}
