/** Stores the records of an import. What is stored and how far the file was read is one commit, so nothing comes twice. */
import type { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { openCategoryPaths } from "../categories/category-paths.ts";
import type { Fault } from "./faults.ts";
import { type ApplyOptions, type Outcome, type ReadItem, isGood } from "./kind.ts";
import { imports } from "./records.ts";
import { createProductFinder } from "./product-finder.ts";
import { toRefusal } from "./refusals.ts";
import type { ImportRecord } from "./schema.ts";
import { type Step, findOwn, keepFaults, openFile, readFile } from "./steps.ts";

const BATCH = 50;

/** Says that a record of a batch is refused; the transaction leaves nothing. */
class Refused extends Error {}

interface Batch {
  /** Records of the file before the batch. */
  readonly from: number;
  readonly reads: readonly ReadItem[];
}

/** What became of one record of the file. */
interface Stored {
  readonly outcome: Outcome | "failed";
  readonly list: readonly Fault[];
}

/** Stores one record of the file, or what is wrong with it. */
async function storeOne(tx: Tx, read: ReadItem, options: ApplyOptions): Promise<Stored> {
  if (!isGood(read)) return { outcome: "failed", list: read.faults };
  try {
    const { outcome, notes = [] } = await read.apply(tx, options);
    return { outcome, list: outcome === "skipped" ? [] : [...read.notes, ...notes] };
  } catch (error) {
    if (toRefusal(error) === undefined) throw error;
    throw new Refused("A record was rejected", { cause: error });
  }
}

function count(record: ImportRecord, read: ReadItem, { outcome, list }: Stored): ImportRecord {
  const { counts, cursor } = record;
  const isStored = outcome === "created" || outcome === "changed";
  return {
    ...record,
    cursor: cursor + 1,
    counts: {
      ...counts,
      rows: counts.rows + read.rows,
      items: counts.items + 1,
      [outcome]: counts[outcome] + 1,
      noted: counts.noted + (isStored && list.length > 0 ? 1 : 0),
      pictures: counts.pictures + (isStored && isGood(read) ? read.pictures : 0),
    },
  };
}

/** Keeps the faults and notes of a record, and counts it. */
async function settle(
  tx: Tx,
  record: ImportRecord,
  { read, stored }: { readonly read: ReadItem; readonly stored: Stored },
): Promise<ImportRecord> {
  const { counts, cursor } = record;
  const { outcome, list } = stored;
  await keepFaults(tx, record, {
    phase: "run",
    number: cursor + 1,
    before: counts.failed + counts.noted,
    title: read.title,
    list,
    level: outcome === "failed" ? "error" : "note",
  });
  return count(record, read, stored);
}

/** One commit for a batch. False: the import was stopped, or another process went on. */
function storeBatch(step: Step, id: string, { from, reads }: Batch): Promise<boolean> {
  const { deps } = step;
  return deps.store.transact(async (tx) => {
    let record = await findOwn(tx, step, { id, state: "running" });
    if (record?.cursor !== from) return false;
    const nowMs = deps.clock.now();
    const paths = await openCategoryPaths(tx, nowMs);
    const goods = createProductFinder(tx);
    for (const read of reads) {
      const number = record.cursor + 1;
      const stored = await storeOne(tx, read, { record, number, nowMs, box: deps.box, paths, goods });
      record = await settle(tx, record, { read, stored });
    }
    await tx.put(imports, { ...record, categoryIds: [...record.categoryIds, ...paths.created] });
    return true;
  });
}

/** Keeps the refusal of a record instead of the record. */
function storeRefusal(
  step: Step,
  id: string,
  { from, read, error }: { from: number; read: ReadItem; error: AppError },
): Promise<boolean> {
  return step.deps.store.transact(async (tx) => {
    const record = await findOwn(tx, step, { id, state: "running" });
    if (record?.cursor !== from || !isGood(read)) return false;
    const stored = { outcome: "failed", list: read.toFaults(error) } as const;
    await tx.put(imports, await settle(tx, record, { read, stored }));
    return true;
  });
}

/** A batch with a record that is refused is stored one by one. */
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
  let batch: ReadItem[] = [];
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
