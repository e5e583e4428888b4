/** Takes an import back: removes what it created, and restores what it changed, unless someone changed it since. */
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { z } from "zod";
import { categories } from "../categories/records.ts";
import { products, stock } from "../products/records.ts";
import { removeProduct } from "../products/products.ts";
import { productRecordSchema } from "../products/schema.ts";
import { syncStock } from "../products/variant-stock.ts";
import { redirects } from "../redirects/records.ts";
import { importItems, imports } from "./records.ts";
import type { ImportItemRecord, ImportRecord } from "./schema.ts";
import { type Step, findOwn } from "./steps.ts";

const BATCH = 25;
const REMOVED_AT_ONCE = 1_000;

const beforeSchema = z.object({
  product: productRecordSchema,
  units: z.record(z.string(), z.number()).optional(),
});

interface Undone {
  readonly undo: NonNullable<ImportItemRecord["undo"]>;
  readonly reason?: string;
}

/** Removes a created product, or takes it off sale where orders use it. */
async function undoCreated(tx: Tx, { targetId }: ImportItemRecord, nowMs: number): Promise<Undone> {
  const product = await tx.get(products, targetId);
  if (product === undefined) return { undo: "removed" };
  try {
    await removeProduct(tx, targetId);
    return { undo: "removed" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [reason = ""] = error.message.split(". To remove it");
    if (product.status !== "archived")
      await tx.put(products, { ...product, status: "archived", updatedAt: nowMs });
    return { undo: "archived", reason };
  }
}

async function undoChanged(tx: Tx, item: ImportItemRecord, nowMs: number): Promise<Undone> {
  const product = await tx.get(products, item.targetId);
  if (product === undefined || item.before === undefined)
    return { undo: "kept", reason: "The product was deleted" };
  if (product.version !== item.afterVersion)
    return { undo: "kept", reason: "The product was changed after the import" };
  const { product: before, units = {} } = beforeSchema.parse(JSON.parse(item.before));
  const holder = await tx.by(products, "bySlug", [before.slug]);
  if (holder !== undefined && holder.id !== product.id)
    return { undo: "kept", reason: `Another product uses the slug "${before.slug}"` };
  const onHand = new Map<string, number>();
  for (const [id, count] of Object.entries(units)) {
    const record = await tx.get(stock, id);
    // Units that were sold or reserved since the import were counted from its number.
    if (record === undefined || (record.sold === 0 && record.reserved === 0)) onHand.set(id, count);
  }
  try {
    const after = await tx.put(products, { ...before, version: product.version, updatedAt: nowMs });
    await syncStock(tx, { before: product, after, onHand });
    return { undo: "restored" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await tx.put(products, { ...product, version: product.version + 1 });
    return { undo: "kept", reason: error.message };
  }
}

async function undoBatch(
  tx: Tx,
  record: ImportRecord,
  nowMs: number,
): Promise<{ record: ImportRecord; found: number }> {
  const range = { prefix: [record.id], limit: BATCH, reverse: true };
  const { items } = await tx.list(importItems, "byOpen", range);
  let { undone, kept } = record;
  for (const item of items) {
    const { undo, reason } =
      item.outcome === "created" ? await undoCreated(tx, item, nowMs) : await undoChanged(tx, item, nowMs);
    if (undo === "removed" || undo === "restored") undone += 1;
    else kept += 1;
    await tx.put(importItems, { ...item, undo, reason, open: undefined });
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
      const { record, found } = await undoBatch(tx, own, clock.now());
      const isOver = found === 0 && (await undoRest(tx, record)) < REMOVED_AT_ONCE;
      await tx.put(
        imports,
        isOver ? { ...record, state: "undone", endedAt: clock.now(), leaseUntil: undefined } : record,
      );
      return isOver;
    });
}
