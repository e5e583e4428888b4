/** Takes an import back: removes what it created, and restores what it changed, unless someone changed it since. */
import type { Tx } from "../../store/store.ts";
import { categories } from "../categories/records.ts";
import { products } from "../products/records.ts";
import { importKinds } from "./kinds.ts";
import { redirects } from "../redirects/records.ts";
import { importItems, imports } from "./records.ts";
import type { ImportRecord } from "./schema.ts";
import { type Step, findOwn } from "./steps.ts";

const BATCH = 25;
const REMOVED_AT_ONCE = 1_000;

async function undoBatch(
  tx: Tx,
  { deps }: Step,
  record: ImportRecord,
): Promise<{ record: ImportRecord; found: number }> {
  const options = { nowMs: deps.clock.now(), box: deps.box };
  const range = { prefix: [record.id], limit: BATCH, reverse: true };
  const { items } = await tx.list(importItems, "byOpen", range);
  let { undone, kept } = record;
  for (const item of items) {
    const { undo, reason } = await importKinds[record.kind].undo(tx, item, options);
    if (undo === "removed" || undo === "restored") undone += 1;
    else kept += 1;
    await tx.put(importItems, {
      ...item,
      undo,
      reason: reason?.message,
      reasonText: reason?.text,
      open: undefined,
    });
  }
  return { record: { ...record, undone, kept }, found: items.length };
}

/** Redirects, and categories that are empty again. */
async function undoRest(tx: Tx, record: ImportRecord): Promise<number> {
  const { items } = await tx.list(redirects, "byImport", { prefix: [record.id], limit: REMOVED_AT_ONCE });
  for (const { id } of items) await tx.remove(redirects, id);
  for (const id of record.categoryIds.toReversed()) {
    const inside = await tx.count(categories, "byParent", { prefix: [id] });
    const used = await tx.count(products, "byCategory", { prefix: [id] });
    if (inside + used === 0) await tx.remove(categories, id);
  }
  return items.length;
}

/** Undoes an import in the state "undoing", batch by batch. */
export async function runUndo(step: Step, { id }: Pick<ImportRecord, "id">): Promise<void> {
  const { store, clock } = step.deps;
  for (let isDone = false; !isDone && !step.isOver();)
    isDone = await store.transact(async (tx) => {
      const own = await findOwn(tx, step, { id, state: "undoing" });
      if (own === undefined) return true;
      const { record, found } = await undoBatch(tx, step, own);
      const isOver = found === 0 && (await undoRest(tx, record)) < REMOVED_AT_ONCE;
      await tx.put(
        imports,
        isOver ? { ...record, state: "undone", endedAt: clock.now(), leaseUntil: undefined } : record,
      );
      return isOver;
    });
}
