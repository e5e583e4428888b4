/** Takes an imported product back. */
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { z } from "zod";
import { products, stock } from "../products/records.ts";
import { removeProduct } from "../products/products.ts";
import { productRecordSchema } from "../products/schema.ts";
import { syncStock } from "../products/variant-stock.ts";
import { keepRedirects } from "../redirects/redirects.ts";
import type { Undone } from "./kind.ts";
import { say, sayMessage } from "./said.ts";
import type { ImportItemRecord } from "./schema.ts";

const beforeSchema = z.object({
  product: productRecordSchema,
  units: z.record(z.string(), z.number()).optional(),
});

/** A product that someone changed stays, and former URLs still lead to it. */
async function keepEdited(tx: Tx, productId: string): Promise<Undone> {
  await keepRedirects(tx, productId);
  return { undo: "kept", reason: say("import.undo.changed") };
}

/** Removes a created product, or takes it off sale where orders use it; one that someone changed stays. */
async function undoCreated(
  tx: Tx,
  { targetId, afterVersion }: ImportItemRecord,
  nowMs: number,
): Promise<Undone> {
  const product = await tx.get(products, targetId);
  if (product === undefined) return { undo: "removed" };
  if (product.version !== afterVersion) return keepEdited(tx, product.id);
  try {
    await removeProduct(tx, targetId);
    return { undo: "removed" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [reason = ""] = error.message.split(". To remove it");
    if (product.status !== "archived")
      await tx.put(products, { ...product, status: "archived", updatedAt: nowMs });
    return { undo: "archived", reason: sayMessage(reason) };
  }
}

async function undoChanged(tx: Tx, item: ImportItemRecord, nowMs: number): Promise<Undone> {
  const product = await tx.get(products, item.targetId);
  if (product === undefined || item.before === undefined)
    return { undo: "kept", reason: say("import.undo.deleted") };
  if (product.version !== item.afterVersion) return keepEdited(tx, product.id);
  const { product: before, units = {} } = beforeSchema.parse(JSON.parse(item.before));
  const holder = await tx.by(products, "bySlug", [before.slug]);
  if (holder !== undefined && holder.id !== product.id)
    return { undo: "kept", reason: say("import.undo.slug", { slug: before.slug }) };
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
    return { undo: "kept", reason: sayMessage(error.message) };
  }
}

export function undoProduct(
  tx: Tx,
  item: ImportItemRecord,
  { nowMs }: { readonly nowMs: number },
): Promise<Undone> {
  return item.outcome === "created" ? undoCreated(tx, item, nowMs) : undoChanged(tx, item, nowMs);
}
