/** The trial: reads the whole file and stores nothing but what would happen. */
import { AppError } from "../../kit/errors.ts";
import type { CsvSource } from "../../kit/files/csv.ts";
import { openCategoryPaths } from "../categories/category-paths.ts";
import type { Fault } from "./faults.ts";
import { type Applied, type GoodItem, type ImportKind, type Outcome, type ReadItem, isGood } from "./kind.ts";
import { importKindNames, importKinds } from "./kinds.ts";
import { importFaults, imports } from "./records.ts";
import { createProductFinder } from "./product-finder.ts";
import { toRefusal } from "./refusals.ts";
import { type Table, readTable } from "./rows.ts";
import { say, sayFailure } from "./said.ts";
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
  readonly outcomes: readonly (Applied | AppError)[];
  constructor(outcomes: readonly (Applied | AppError)[]) {
    super("The trial was rolled back");
    this.outcomes = outcomes;
  }
}

/** What would become of records, each as if the earlier ones of the batch were stored. */
async function tryBatch(
  { deps }: Step,
  record: ImportRecord,
  batch: readonly GoodItem[],
): Promise<readonly (Applied | AppError)[]> {
  try {
    return await deps.store.transact(async (tx) => {
      const nowMs = deps.clock.now();
      const paths = await openCategoryPaths(tx, nowMs);
      const { box } = deps;
      const goods = createProductFinder(tx);
      const outcomes: (Applied | AppError)[] = [];
      for (const [index, read] of batch.entries())
        try {
          outcomes.push(await read.apply(tx, { record, number: index, nowMs, box, paths, goods }));
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
  readonly level: "error" | "note";
}

interface Found {
  readonly counts: ImportCounts;
  readonly preview: readonly ImportPreview[];
  readonly faulty: readonly FaultyItem[];
}

const outcomeNames = { created: "create", changed: "change", skipped: "skip" } as const;

function toPreview({ line, title, pictures, preview }: GoodItem, outcome: Outcome): ImportPreview {
  const { price, variants, detail } = preview;
  const shown = { line, title: title.slice(0, 200), price, variants, pictures };
  return { ...shown, detail: detail?.slice(0, 200), outcome: outcomeNames[outcome] };
}

/** Reads all records; undefined when the process stops or someone removed the import. */
async function tryAll(
  step: Step,
  record: ImportRecord,
  items: AsyncIterable<ReadItem>,
): Promise<Found | undefined> {
  const counts = { ...noCounts };
  const preview: ImportPreview[] = [];
  const faulty: FaultyItem[] = [];
  let batch: GoodItem[] = [];
  const tell = (level: FaultyItem["level"], title: string, list: readonly Fault[]): void => {
    counts[level === "error" ? "failed" : "noted"] += 1;
    if (faulty.length < MAX_FAULTS) faulty.push({ title, list, level });
  };
  async function flush(): Promise<boolean> {
    const outcomes = await tryBatch(step, record, batch);
    for (const [index, outcome] of outcomes.entries()) {
      const read = batch[index];
      if (read === undefined) continue;
      if (outcome instanceof AppError) {
        tell("error", read.title, read.toFaults(outcome));
        continue;
      }
      counts[outcome.outcome] += 1;
      if (outcome.outcome !== "skipped") {
        counts.pictures += read.pictures;
        const notes = [...read.notes, ...(outcome.notes ?? [])];
        if (notes.length > 0) tell("note", read.title, notes);
      }
      if (preview.length < PREVIEWS) preview.push(toPreview(read, outcome.outcome));
    }
    batch = [];
    return step.deps.store.transact(async (tx) => {
      const own = await findOwn(tx, step, { id: record.id, state: "checking" });
      if (own !== undefined) await tx.put(imports, { ...own, trial: { ...counts } });
      return own !== undefined && !step.isOver();
    });
  }
  for await (const read of items) {
    counts.rows += read.rows;
    counts.items += 1;
    if (counts.items > MAX_ITEMS) {
      const { message, text } = say("import.file.items", { most: MAX_ITEMS });
      throw new AppError("too_large", message, { details: { text } });
    }
    if (isGood(read)) batch.push(read);
    else tell("error", read.title, read.faults);
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

/** The beginning of a value that may be a license key. */
function toHidden(example: string): string {
  return example.length > 8 ? `${example.slice(0, 4)}…` : example;
}

/** Columns with their first values, by which people see what is mapped to what. */
async function readColumns(
  table: Table,
  rows: AsyncIterable<{ line: number; cells: readonly string[] }>,
  { isSecret = false }: Pick<ImportKind, "isSecret">,
) {
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
    example: isSecret ? toHidden(examples[index] ?? "") : (examples[index] ?? ""),
  }));
}

/** A file that lacks a column without which nothing can be read; one that looks like another kind of records. */
function toMissing({ places, headers }: Table, kind: ImportRecord["kind"]): Found | undefined {
  const lacks = importKinds[kind].needed.find(({ oneOf }) => !oneOf.some((field) => places.has(field)));
  if (lacks === undefined) return undefined;
  const list = [{ line: 1, code: lacks.missing.replace("import.needs.", "no_"), ...say(lacks.missing) }];
  const other = importKindNames.find(
    (name) =>
      name !== kind &&
      importKinds[name].columns.findSource(headers) !== "columns" &&
      importKinds[kind].columns.findSource(headers) === "columns",
  );
  if (other !== undefined) list.push({ line: 1, code: "other_kind", ...say(`import.looks.${other}`) });
  return {
    counts: { ...noCounts, failed: 1 },
    preview: [],
    faulty: [{ title: "", list, level: "error" }],
  };
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
  const isAlike = ({ id, kind, columns }: ImportRecord): boolean =>
    id !== record.id &&
    kind === record.kind &&
    columns.length === headers.length &&
    columns.every(({ header }, at) => header === headers[at]);
  const last = items.find(isAlike);
  return last === undefined ? record : { ...record, options: last.options };
}

async function check(step: Step, found: ImportRecord): Promise<void> {
  const { deps } = step;
  await forgetFaults(step, found.id);
  const csv = await openFile(deps, found);
  const { headers } = await readTable(csv.rows(), importKinds[found.kind].columns, {});
  await checkAs(step, await recallOptions(step, found, headers), csv);
}

async function checkAs(step: Step, record: ImportRecord, csv: CsvSource): Promise<void> {
  const { deps } = step;
  const table = await readTable(csv.rows(), importKinds[record.kind].columns, record.options.mapping);
  const columns = await readColumns(table, csv.rows(), importKinds[record.kind]);
  const found =
    toMissing(table, record.kind) ?? (await tryAll(step, record, readFile(deps, record, csv.rows)));
  if (found === undefined) return;
  await deps.store.transact(async (tx) => {
    const own = await findOwn(tx, step, { id: record.id, state: "checking" });
    if (own === undefined) return;
    const byLine = found.faulty.toSorted((one, two) => (one.list[0]?.line ?? 0) - (two.list[0]?.line ?? 0));
    for (const [number, { title, list, level }] of byLine.entries())
      await keepFaults(tx, own, { phase: "trial", number, before: number, title, list, level });
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
      if (own === undefined) return;
      const { message: failure, text: failureText } = sayFailure(error);
      await tx.put(imports, { ...own, state: "failed", failure, failureText, leaseUntil: undefined });
    });
  }
}
