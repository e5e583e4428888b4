/** Records that an import created or changed. */
import type { StoreRecord, Tx } from "../../store/store.ts";
import { importItems } from "./records.ts";
import type { ImportItemRecord } from "./schema.ts";

/** Keeps what undoes one record of the file; resolves with the ID of the item. */
export async function keepItem(
  tx: Tx,
  item: Pick<ImportItemRecord, "importId" | "line" | "outcome" | "title" | "foreign"> & {
    /** The place of the record in the file, from 1. */
    readonly number: number;
    /** What was stored. */
    readonly target: StoreRecord;
    /** What was there before, for "changed". */
    readonly before?: object | undefined;
  },
): Promise<string> {
  const { importId, number, line, outcome, title, foreign, target, before } = item;
  const id = `${importId}:${String(number).padStart(7, "0")}`;
  await tx.insert(importItems, {
    id,
    importId,
    line,
    outcome,
    targetId: target.id,
    title: title.slice(0, 200),
    before: before && JSON.stringify(before),
    afterVersion: target.version,
    foreign,
    open: "yes",
  });
  return id;
}
