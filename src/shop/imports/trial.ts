/** The trial: reads the whole file and stores nothing but what would happen. */
import { AppError } from "../../kit/errors.ts";
import type { CsvSource } from "../../kit/files/csv.ts";
import { openCategoryPaths } from "../categories/category-paths.ts";
import { type Outcome, applyProduct, toRefusal } from "./apply-product.ts";
import type { Fault } from "./faults.ts";
import { readTable } from "./group-rows.ts";
import type { ReadProduct } from "./read-products.ts";
import { importFaults, imports } from "./records.ts";
import { toFaults } from "./refusals.ts";
import type { Table } from "./rows.ts";
import {
  type ImportCounts,
  type ImportPreview,
  type ImportRecord,
  MAX_FAULTS,
  MAX_ITEMS,
  noCounts,
} from "./schema.ts";
import { type Step, findOwn, keepFaults, openFile, readFile } from "./steps.ts";

const BATCH = 100;
const PREVIEWS = 20;
/** Earlier imports that are looked at for choices to repeat. */
const RECALLED = 20;
const DELETED_AT_ONCE = 1_000;

/** Carries outcomes out of a transaction that is to leave nothing. */
class TakenBack extends Error {
  readonly outcomes: readonly (Outcome | AppError)[];
  constructor(outcomes: readonly (Outcome | AppError)[]) {
    super("The trial was rolled back");
    this.outcomes = outcomes;
  }
}

type Good = Extract<ReadProduct, { draft: object }>;

/** What would become of products, each as if the earlier ones of the batch were stored. */
async function tryBatch(
  { deps }: Step,
  record: ImportRecord,
  batch: readonly Good[],
): Promise<readonly (Outcome | AppError)[]> {
  try {
    return await deps.store.transact(async (tx) => {
      const nowMs = deps.clock.now();
      const paths = await openCategoryPaths(tx, nowMs);
      const outcomes: (Outcome | AppError)[] = [];
      for (const [index, read] of batch.entries())
        try {
          outcomes.push(await applyProduct(tx, read, { record, number: index, nowMs, paths }));
        } catch (error) {
          const refusal = toRefusal(error);
          if (refusal === undefined) throw error;
          outcomes.push(refusal);
        }
      throw new TakenBack(outcomes);
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.outcomes;
    throw error;
  }
}

interface FaultyItem {
  readonly title: string;
  readonly list: readonly Fault[];
}

interface Found {
  readonly counts: ImportCounts;
  readonly preview: readonly ImportPreview[];
  readonly faulty: readonly FaultyItem[];
}

const outcomeNames = { created: "create", changed: "change", skipped: "skip" } as const;

function toPreview({ draft, fields }: Good, outcome: Outcome): ImportPreview {
  const { line, title, price, pictures } = draft;
  return {
    line,
    title: title.slice(0, 200),
    price,
    variants: fields.variants?.length ?? 0,
    pictures: pictures.length,
    outcome: outcomeNames[outcome],
  };
}

/** Reads all products; undefined when the process stops or someone removed the import. */
async function tryAll(
  step: Step,
  record: ImportRecord,
  products: AsyncIterable<ReadProduct>,
): Promise<Found | undefined> {
  const counts = { ...noCounts };
  const preview: ImportPreview[] = [];
  const faulty: FaultyItem[] = [];
  let batch: Good[] = [];
  const fail = (title: string, list: readonly Fault[]): void => {
    counts.failed += 1;
    if (faulty.length < MAX_FAULTS) faulty.push({ title, list });
  };
  async function flush(): Promise<boolean> {
    const outcomes = await tryBatch(step, record, batch);
    for (const [index, outcome] of outcomes.entries()) {
      const read = batch[index];
      if (read === undefined) continue;
      if (outcome instanceof AppError) {
        fail(read.draft.title, toFaults(read.draft, outcome));
        continue;
      }
      counts[outcome] += 1;
      if (outcome !== "skipped") counts.pictures += read.draft.pictures.length;
      if (preview.length < PREVIEWS) preview.push(toPreview(read, outcome));
    }
    batch = [];
    return step.deps.store.transact(async (tx) => {
      const own = await findOwn(tx, step, { id: record.id, state: "checking" });
      if (own !== undefined) await tx.put(imports, { ...own, trial: { ...counts } });
      return own !== undefined && !step.isOver();
    });
  }
  for await (const read of products) {
    counts.rows += read.rows;
    counts.items += 1;
    if (counts.items > MAX_ITEMS)
      throw new AppError("too_large", `The file has more than ${MAX_ITEMS} products. Split it`);
    if (read.draft === undefined) fail(read.title, read.faults);
    else batch.push(read);
    if (batch.length >= BATCH && !(await flush())) return undefined;
  }
  return (await flush()) ? { counts, preview, faulty } : undefined;
}

async function forgetFaults({ deps }: Step, importId: string): Promise<void> {
  for (;;) {
    const range = { prefix: [importId, "trial"], limit: DELETED_AT_ONCE };
    const removed = await deps.store.transact(async (tx) => {
      const { items } = await tx.list(importFaults, "byPhase", range);
      for (const { id } of items) await tx.remove(importFaults, id);
      return items.length;
    });
    if (removed < DELETED_AT_ONCE) return;
  }
}

/** Columns with their first values, by which people see what is mapped to what. */
async function readColumns(table: Table, rows: AsyncIterable<{ line: number; cells: readonly string[] }>) {
  const examples = table.headers.map(() => "");
  let count = 0;
  for await (const { cells } of rows) {
    count += 1;
    if (count === 1) continue;
    for (const [index, cell] of cells.entries())
      if (examples[index] === "") examples[index] = cell.trim().replaceAll(/\s+/gu, " ").slice(0, 80);
    if (count > 50) break;
  }
  return table.headers.map((header, index) => ({
    header: header.slice(0, 200),
    field: table.fields[index],
    example: examples[index] ?? "",
  }));
}

function toMissing(table: Table): Found | undefined {
  const needed = table.places.has("title") ? [] : (["title"] as const);
  if (needed.length === 0) return undefined;
  const message =
    "No column has the titles of the products. Choose it under Columns, and check the file again";
  const list = [{ line: 1, code: "no_title", message }];
  return { counts: { ...noCounts, failed: 1 }, preview: [], faulty: [{ title: "", list }] };
}

/** Choices of the last import whose file had the same columns, for one that has none yet. */
async function recallOptions(
  { deps }: Step,
  record: ImportRecord,
  headers: readonly string[],
): Promise<ImportRecord> {
  const { mapping, decimalMark } = record.options;
  if (Object.keys(mapping).length > 0 || decimalMark !== undefined || record.columns.length > 0)
    return record;
  const range = { limit: RECALLED, reverse: true };
  const { items } = await deps.store.read((tx) => tx.list(imports, "byCreated", range));
  const isAlike = ({ id, columns }: ImportRecord): boolean =>
    id !== record.id &&
    columns.length === headers.length &&
    columns.every(({ header }, at) => header === headers[at]);
  const last = items.find(isAlike);
  return last === undefined ? record : { ...record, options: last.options };
}

async function check(step: Step, found: ImportRecord): Promise<void> {
  const { deps } = step;
  await forgetFaults(step, found.id);
  const csv = await openFile(deps, found);
  const { headers } = await readTable(csv.rows(), {});
  await checkAs(step, await recallOptions(step, found, headers), csv);
}

async function checkAs(step: Step, record: ImportRecord, csv: CsvSource): Promise<void> {
  const { deps } = step;
  const table = await readTable(csv.rows(), record.options.mapping);
  const columns = await readColumns(table, csv.rows());
  const found = toMissing(table) ?? (await tryAll(step, record, readFile(deps, record, csv.rows)));
  if (found === undefined) return;
  await deps.store.transact(async (tx) => {
    const own = await findOwn(tx, step, { id: record.id, state: "checking" });
    if (own === undefined) return;
    const byLine = found.faulty.toSorted((one, two) => (one.list[0]?.line ?? 0) - (two.list[0]?.line ?? 0));
    for (const [number, { title, list }] of byLine.entries())
      await keepFaults(tx, own, { phase: "trial", number, before: number, title, list });
    await tx.put(imports, {
      ...own,
      state: "checked",
      options: record.options,
      source: table.source,
      encoding: csv.encoding,
      separator: csv.separator,
      sample: csv.sample,
      columns,
      preview: [...found.preview],
      trial: found.counts,
      leaseUntil: undefined,
    });
  });
}

/** Runs the trial of an import in the state "checking". A file that cannot be read becomes "failed" with the reason. */
export async function runTrial(step: Step, record: ImportRecord): Promise<void> {
  try {
    await check(step, record);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind.http >= 500) throw error;
    await step.deps.store.transact(async (tx) => {
      const own = await findOwn(tx, step, { id: record.id, state: "checking" });
      if (own !== undefined)
        await tx.put(imports, { ...own, state: "failed", failure: error.message, leaseUntil: undefined });
    });
  }
}
