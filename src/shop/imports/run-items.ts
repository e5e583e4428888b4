/** Stores the products of an import. What is stored and how far the file was read is one commit, so nothing comes twice. */
import type { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { openCategoryPaths } from "../categories/category-paths.ts";
import { type Outcome, applyProduct, toRefusal } from "./apply-product.ts";
import type { Fault } from "./faults.ts";
import type { ReadProduct } from "./read-products.ts";
import { imports } from "./records.ts";
import { toFaults } from "./refusals.ts";
import type { ImportRecord } from "./schema.ts";
import { type Step, findOwn, keepFaults, openFile, readFile } from "./steps.ts";

const BATCH = 50;

/** Says which product of a batch is refused; the transaction leaves nothing. */
class Refused extends Error {}

interface Batch {
  /** Records of the file before the batch. */
  readonly from: number;
  readonly reads: readonly ReadProduct[];
}

/** Stores one record of the file, or what is wrong with it. */
async function storeOne(
  tx: Tx,
  read: ReadProduct,
  { record, number, nowMs, paths }: Parameters<typeof applyProduct>[2] & { readonly record: ImportRecord },
): Promise<Outcome | readonly Fault[]> {
  if (read.draft === undefined) return read.faults;
  try {
    return await applyProduct(tx, read, { record, number, nowMs, paths });
  } catch (error) {
    if (toRefusal(error) === undefined) throw error;
    throw new Refused("A product was rejected", { cause: error });
  }
}

function count(record: ImportRecord, read: ReadProduct, outcome: Outcome | "failed"): ImportRecord {
  const { counts, cursor } = record;
  const pictures =
    read.draft === undefined || outcome === "failed" || outcome === "skipped"
      ? 0
      : read.draft.pictures.length;
  return {
    ...record,
    cursor: cursor + 1,
    counts: {
      ...counts,
      rows: counts.rows + read.rows,
      items: counts.items + 1,
      [outcome]: counts[outcome] + 1,
      pictures: counts.pictures + pictures,
    },
  };
}

/** One commit for a batch. False: the import was stopped, or another process went on. */
function storeBatch(step: Step, id: string, { from, reads }: Batch): Promise<boolean> {
  const { deps } = step;
  return deps.store.transact(async (tx) => {
    let record = await findOwn(tx, step, { id, state: "running" });
    if (record?.cursor !== from) return false;
    const nowMs = deps.clock.now();
    const paths = await openCategoryPaths(tx, nowMs);
    for (const read of reads) {
      const number = record.cursor + 1;
      const outcome: Outcome | readonly Fault[] = await storeOne(tx, read, { record, number, nowMs, paths });
      if (typeof outcome !== "string") {
        const { title } = read.draft ?? read;
        await keepFaults(tx, record, {
          phase: "run",
          number,
          before: record.counts.failed,
          title,
          list: outcome,
        });
      }
      record = count(record, read, typeof outcome === "string" ? outcome : "failed");
    }
    await tx.put(imports, { ...record, categoryIds: [...record.categoryIds, ...paths.created] });
    return true;
  });
}

/** Keeps the refusal of a product instead of the product. */
function storeRefusal(
  step: Step,
  id: string,
  { from, read, error }: { from: number; read: ReadProduct; error: AppError },
): Promise<boolean> {
  return step.deps.store.transact(async (tx) => {
    const record = await findOwn(tx, step, { id, state: "running" });
    if (record?.cursor !== from || read.draft === undefined) return false;
    const list = toFaults(read.draft, error);
    const { title } = read.draft;
    await keepFaults(tx, record, {
      phase: "run",
      number: from + 1,
      before: record.counts.failed,
      title,
      list,
    });
    await tx.put(imports, count(record, read, "failed"));
    return true;
  });
}

/** A batch with a product that is refused is stored one by one. */
async function storeAll(step: Step, id: string, batch: Batch): Promise<boolean> {
  try {
    return await storeBatch(step, id, batch);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const refusal = toRefusal(error.cause);
    const [read] = batch.reads;
    if (batch.reads.length === 1 && read !== undefined && refusal !== undefined)
      return storeRefusal(step, id, { from: batch.from, read, error: refusal });
  }
  for (const [index, read] of batch.reads.entries())
    if (!(await storeAll(step, id, { from: batch.from + index, reads: [read] }))) return false;
  return true;
}

/** Stores what the file has beyond the cursor; true when all of it was read. */
export async function runItems(step: Step, record: ImportRecord): Promise<boolean> {
  const csv = await openFile(step.deps, record);
  let at = 0;
  let batch: ReadProduct[] = [];
  const flush = (): Promise<boolean> => {
    const reads = batch;
    batch = [];
    return reads.length === 0
      ? Promise.resolve(true)
      : storeAll(step, record.id, { from: at - reads.length, reads });
  };
  for await (const read of readFile(step.deps, record, csv.rows)) {
    at += 1;
    if (at <= record.cursor) continue;
    batch.push(read);
    if (batch.length >= BATCH && (!(await flush()) || step.isOver())) return false;
  }
  return flush();
}
