/**
 * Many products at once: each is changed in a separate transaction with a separate result, so none is left half done.
 */
import type { z } from "zod";
import type { AuditActor } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import type { BulkResult, bulkChangeSchema } from "./bulk-schema.ts";
import type { ProductFields } from "./change-schema.ts";
import type { Products } from "./products.ts";

export interface BulkChange extends z.infer<typeof bulkChangeSchema> {
  readonly actor: AuditActor;
}

function toFields({ action, categoryId }: BulkChange): ProductFields | undefined {
  switch (action) {
    case "publish":
      return { status: "published" };
    case "hide":
      return { status: "draft" };
    case "archive":
      return { status: "archived" };
    case "category":
      return { categoryId: categoryId ?? null };
    case "delete":
      return undefined;
  }
}

/** Changes products one after the other; what refuses one keeps no other. Throws what the store throws: what came before stays done. */
export async function changeMany(
  products: Pick<Products, "change" | "remove">,
  wanted: BulkChange,
): Promise<BulkResult[]> {
  const { ids, actor } = wanted;
  const fields = toFields(wanted);
  const results: BulkResult[] = [];
  for (const id of ids) {
    try {
      if (fields === undefined) await products.remove(id, { actor });
      else await products.change(id, { fields, actor });
      results.push({ id, result: "done" });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const detail = error.errors[0]?.message ?? error.message;
      results.push({ id, result: "refused", code: error.code, detail });
    }
  }
  return results;
}
