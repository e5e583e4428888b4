/** Products in and out, as CSV or NDJSON. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type CsvStyleName, BYTE_ORDER_MARK, csvStyles, toCsvLine } from "../../kit/files/csv-line.ts";
import { type CsvFile, readCsv } from "../../kit/files/csv.ts";
import type { Encoding } from "../../kit/files/decode-text.ts";
import { AppError } from "../../kit/errors.ts";
import { type Page, type Tx, StoreError } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { wholeProductSchema } from "../products/change-schema.ts";
import {
  type ImportItem,
  type LineError,
  type RawItem,
  parseItem,
  readNdjson,
  toLineErrors,
  toNdjsonLine,
} from "./product-lines.ts";
import { type ExportForm, isProductColumn, readRows, toColumns, toRows } from "./product-rows.ts";
import type { ProductRecord } from "../products/schema.ts";
import { changeProduct, insertProduct } from "../products/writes.ts";
import { type ProductDetails, readDetails } from "../products/products.ts";
import { readSite } from "../site/settings.ts";
import { ensureCategory } from "../categories/categories.ts";
import { products } from "../products/records.ts";

const MAX_IMPORT_ITEMS = 20_000;
const MAX_ERRORS = 1_000;
const BATCH = 100;
const EXPORT_PAGE = 200;

/** The forms that products travel in. */
export type TransferFormat = "csv" | "ndjson";

export interface ImportOptions {
  readonly format: TransferFormat;
  /** Only reports what would happen. */
  readonly dryRun: boolean;
  /** Stores the good ones although others are wrong. */
  readonly partial: boolean;
  /** Creates missing categories of products. */
  readonly createCategories?: boolean;
  /** Of a CSV; recognized when it is not named. */
  readonly encoding?: Encoding | undefined;
  readonly actor: AuditActor;
}

export interface ExportOptions {
  readonly format: TransferFormat;
  readonly prices: ExportForm["prices"];
  readonly separator: CsvStyleName;
}

/** The result for the products; the first 1,000 errors. */
export interface ProductImportReport {
  readonly created: number;
  readonly updated: number;
  readonly errors: LineError[];
  /** How a CSV was read. */
  readonly read?: Pick<CsvFile, "encoding" | "separator" | "sample"> | undefined;
}

/** Carries a report out of a transaction that is to leave nothing. */
class TakenBack extends Error {
  readonly report: ProductImportReport;
  constructor(report: ProductImportReport) {
    super("The import was rolled back");
    this.report = report;
  }
}

/** The same product twice: the second one would undo what the first one says. */
function findTwin(item: ImportItem, seen: Map<string, number>): LineError | undefined {
  const line = item.lines[0] ?? 0;
  for (const key of [item.id, item.fields.slug]) {
    if (key === undefined) continue;
    const before = seen.get(key);
    if (before !== undefined)
      return { line, code: "invalid", message: `The product "${key}" is already on line ${before}` };
  }
  for (const key of [item.id, item.fields.slug]) if (key !== undefined) seen.set(key, line);
  return undefined;
}

async function readAll(source: AsyncIterable<RawItem | LineError>) {
  const items: ImportItem[] = [];
  const errors: LineError[] = [];
  const seen = new Map<string, number>();
  for await (const raw of source) {
    if (items.length >= MAX_IMPORT_ITEMS)
      throw new AppError(
        "too_large",
        `An import can have up to ${MAX_IMPORT_ITEMS} products. Split the file`,
      );
    const item = "line" in raw ? [raw] : parseItem(raw);
    const twin = Array.isArray(item) ? undefined : findTwin(item, seen);
    if (Array.isArray(item)) errors.push(...item.slice(0, MAX_ERRORS - errors.length));
    else if (twin !== undefined) errors.push(twin);
    else items.push(item);
    if (errors.length >= MAX_ERRORS) break;
  }
  return { items, errors };
}

/** Rules for all products of an import. */
interface Rules {
  readonly actor: AuditActor;
  readonly createCategories: boolean;
}

async function applyItem(tx: Tx, { id, fields }: ImportItem, nowMs: number): Promise<"created" | "updated"> {
  const byId = id === undefined ? undefined : await tx.get(products, id);
  const { slug } = fields;
  const before: ProductRecord | undefined =
    byId ?? (slug === undefined ? undefined : await tx.by(products, "bySlug", [slug]));
  if (before !== undefined) {
    const isKeyed = (fields.deliveryType ?? before.deliveryType) === "auto_secret";
    const { onHand, ...rest } = fields;
    await changeProduct(tx, before, {
      fields: isKeyed && onHand === undefined ? rest : fields,
      nowMs,
      isImport: true,
    });
    return "updated";
  }
  const whole = wholeProductSchema.safeParse(fields);
  if (!whole.success) {
    const errors = [{ pointer: "/title", code: "invalid", message: "is required for a new product" }];
    throw new AppError("invalid", "The product has invalid values", { errors });
  }
  await insertProduct(tx, whole.data, { nowMs, isImport: true, id });
  return "created";
}

/** An error of the store or the rules about one product; any other error ends the import. */
function toRefusal(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (error instanceof StoreError && error.code === "unique_violation")
    return new AppError("already_exists", "A slug or SKU of this line is used by another product", {
      cause: error,
    });
  return undefined;
}

async function applyAll(
  tx: Tx,
  items: readonly ImportItem[],
  { nowMs, createCategories }: { nowMs: number; createCategories: boolean },
): Promise<ProductImportReport> {
  const counts = { created: 0, updated: 0 };
  const errors: LineError[] = [];
  for (const [index, item] of items.entries()) {
    // Readers and health checks go on while a large import runs.
    if (index % BATCH === BATCH - 1) await new Promise((resolve) => setTimeout(resolve, 0));
    try {
      const { categoryId } = item.fields;
      if (createCategories && typeof categoryId === "string") await ensureCategory(tx, categoryId, nowMs);
      counts[await applyItem(tx, item, nowMs)] += 1;
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal === undefined) throw error;
      errors.push(...toLineErrors(item, refusal));
    }
    if (errors.length >= MAX_ERRORS) break;
  }
  return { ...counts, errors };
}

type Deps = Pick<ShopDeps, "store" | "clock">;

/** One transaction for all; a wrong line or a trial takes it back. */
async function storeTogether(
  { store, clock }: Deps,
  items: readonly ImportItem[],
  { isTrial, actor, createCategories }: Rules & { isTrial: boolean },
): Promise<ProductImportReport> {
  try {
    return await store.transact(async (tx) => {
      const report = await applyAll(tx, items, { nowMs: clock.now(), createCategories });
      if (isTrial || report.errors.length > 0) throw new TakenBack(report);
      const changes = [`created: ${report.created}`, `updated: ${report.updated}`];
      await writeAudit(tx, { actor, action: "product.import", target: "products", changes }, clock);
      return report;
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.report;
    throw error;
  }
}

/** Batches; one with a wrong product is stored product by product. */
async function storePartly(
  deps: Deps,
  items: readonly ImportItem[],
  rules: Rules,
): Promise<ProductImportReport> {
  const total = { created: 0, updated: 0 };
  const errors: LineError[] = [];
  const store = async (some: readonly ImportItem[]): Promise<boolean> => {
    const report = await storeTogether(deps, some, { isTrial: false, ...rules });
    if (report.errors.length > 0) {
      if (some.length === 1) errors.push(...report.errors);
      return false;
    }
    total.created += report.created;
    total.updated += report.updated;
    return true;
  };
  for (let start = 0; start < items.length; start += BATCH) {
    const batch = items.slice(start, start + BATCH);
    if (batch.length > 1 && (await store(batch))) continue;
    for (const item of batch) await store([item]);
  }
  return { ...total, errors };
}

async function importAll(
  deps: Deps,
  bytes: Uint8Array,
  { format, dryRun, partial, actor, createCategories = false, encoding }: ImportOptions,
): Promise<ProductImportReport> {
  const csv = format === "csv" ? readCsv(bytes, { encoding, isHeader: isProductColumn }) : undefined;
  const source = csv ? readRows(csv.rows, await deps.store.read(readSite)) : readNdjson(bytes);
  const { items, errors: unread } = await readAll(source);
  const isTrial = dryRun || (!partial && unread.length > 0);
  const rules = { actor, createCategories };
  const report =
    partial && !dryRun
      ? await storePartly(deps, items, rules)
      : await storeTogether(deps, items, { isTrial, ...rules });
  const errors = [...unread, ...report.errors].toSorted((a, b) => a.line - b.line).slice(0, MAX_ERRORS);
  if (errors.length > 0 && !partial && !dryRun) {
    throw new AppError("invalid", `${errors.length} lines have errors. Nothing was imported`, {
      details: { lines: errors },
    });
  }
  const read = csv && { encoding: csv.encoding, separator: csv.separator, sample: csv.sample };
  return { ...report, errors, read };
}

async function* exportAll(
  { store }: Deps,
  { format, prices, separator }: ExportOptions,
): AsyncGenerator<string, void> {
  const form: ExportForm = { prices, style: csvStyles[separator] };
  const toText = (details: ProductDetails): string =>
    toRows(details, form)
      .map((row) => toCsvLine(row, form.style))
      .join("");
  // Goes out with the first page, so that a store that cannot be read is known before anything was sent.
  let head = format === "csv" ? BYTE_ORDER_MARK + toCsvLine(toColumns(form), form.style) : "";
  let cursor: string | undefined;
  do {
    const options = { limit: EXPORT_PAGE, cursor };
    const { text, nextCursor } = await store.read(async (tx) => {
      const page: Page<ProductRecord> = await tx.list(products, "id", options);
      let part = "";
      for (const product of page.items) {
        const details = await readDetails(tx, product);
        part += format === "csv" ? toText(details) : toNdjsonLine(details);
      }
      return { text: part, nextCursor: page.nextCursor };
    });
    if (head + text !== "") yield head + text;
    head = "";
    cursor = nextCursor;
  } while (cursor !== undefined);
}

export type ProductTransfer = ReturnType<typeof createProductTransfer>;

/** Creates the import and the export of products. */
export function createProductTransfer(deps: Deps) {
  return {
    /**
     * Creates and changes products, matched by ID, otherwise by slug.
     * @throws AppError `invalid` with `lines` when a line is wrong and it is neither partial nor a trial; nothing
     *   was stored then. `too_large` for more than 20,000 products, `bad_request` for what cannot be read
     */
    import: (bytes: Uint8Array, options: ImportOptions): Promise<ProductImportReport> =>
      importAll(deps, bytes, options),
    /** All products, the oldest first, in parts. */
    export: (options: ExportOptions): AsyncGenerator<string, void> => exportAll(deps, options),
  };
}
