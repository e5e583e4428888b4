/** Rows that belong to one product. */
import type { CsvRow } from "../../kit/files/csv.ts";
import { AppError } from "../../kit/errors.ts";
import type { Fault } from "./faults.ts";
import { productColumns } from "./product-columns.ts";
import type { ProductRow, ProductTable } from "./product-rows.ts";
import { readRows, readTable } from "./rows.ts";
import { say, toQuote } from "./said.ts";

/** Variations of all products that are kept until their product comes. */
const MAX_VARIATIONS = 200_000;

/** The rows of a product, the first one with its fields; or rows that are wrong. */
export type Group =
  | { readonly table: ProductTable; readonly rows: readonly ProductRow[]; readonly fault?: undefined }
  | { readonly table: ProductTable; readonly rows: readonly ProductRow[]; readonly fault: Fault };

type Rows = AsyncIterable<CsvRow>;

function toKind(row: ProductRow): string {
  return row.get("kind")?.toLowerCase() ?? "";
}

/** What a variation names its product by: its SKU, or "id:" with its number. */
function isVariation(row: ProductRow): boolean {
  return row.get("parent") !== undefined && !/simple|variable|grouped|external/u.test(toKind(row));
}

async function collectVariations(
  source: Rows,
  mapping: Readonly<Record<string, string>>,
): Promise<Map<string, ProductRow[]>> {
  const all = new Map<string, ProductRow[]>();
  let count = 0;
  for await (const { row } of readRows(source, productColumns, mapping)) {
    if (!isVariation(row)) continue;
    count += 1;
    if (count > MAX_VARIATIONS) {
      const { message, text } = say("import.file.variations", { most: MAX_VARIATIONS });
      throw new AppError("too_large", message, { details: { text } });
    }
    const parent = row.get("parent") ?? "";
    const known = all.get(parent);
    if (known === undefined) all.set(parent, [row]);
    else known.push(row);
  }
  return all;
}

/** Products whose variants name them, wherever in the file both are. */
async function* groupByParent(
  open: () => Rows,
  table: ProductTable,
  mapping: Readonly<Record<string, string>>,
): AsyncGenerator<Group, void> {
  const variations = await collectVariations(open(), mapping);
  for await (const { row } of readRows(open(), productColumns, mapping)) {
    if (isVariation(row)) continue;
    const names = [row.get("sku"), row.has("foreignId") ? `id:${row.get("foreignId") ?? ""}` : undefined];
    const own = names.flatMap((name) => {
      const found = name === undefined ? undefined : variations.get(name);
      if (name !== undefined) variations.delete(name);
      return found ?? [];
    });
    yield { table, rows: [row, ...own.toSorted((a, b) => a.line - b.line)] };
  }
  for (const [parent, rows] of variations)
    for (const row of rows) {
      const said = say("import.parent", { parent: toQuote(parent) });
      yield {
        table,
        rows: [row],
        fault: { line: row.line, column: row.headerOf("parent"), code: "invalid", ...said },
      };
    }
}

/** Products whose rows follow each other with one handle; without a handle, every row is a product. */
async function* groupByHandle(
  source: Rows,
  table: ProductTable,
  mapping: Readonly<Record<string, string>>,
): AsyncGenerator<Group, void> {
  let rows: ProductRow[] = [];
  for await (const { row } of readRows(source, productColumns, mapping)) {
    const handle = row.get("handle");
    if (rows.length > 0 && handle !== undefined && handle === rows[0]?.get("handle")) {
      rows.push(row);
      continue;
    }
    if (rows.length > 0) yield { table, rows };
    rows = [row];
  }
  if (rows.length > 0) yield { table, rows };
}

/** Groups the rows of a file; `open` reads it from its start. */
export async function* groupRows(
  open: () => Rows,
  mapping: Readonly<Record<string, string>>,
): AsyncGenerator<Group, void> {
  const table = await readTable(open(), productColumns, mapping);
  if (table.places.has("parent")) yield* groupByParent(open, table, mapping);
  else yield* groupByHandle(open(), table, mapping);
}
