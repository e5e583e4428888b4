/** Rows that belong to one product. */
import type { CsvRow } from "../../kit/files/csv.ts";
import { AppError } from "../../kit/errors.ts";
import type { Fault } from "./faults.ts";
import { Row, type Table, toTable } from "./rows.ts";

/** Variations of all products that are kept until their product comes. */
const MAX_VARIATIONS = 200_000;

/** The rows of a product, the first one with its fields; or rows that are wrong. */
export type Group =
  | { readonly table: Table; readonly rows: readonly Row[]; readonly fault?: undefined }
  | { readonly table: Table; readonly rows: readonly Row[]; readonly fault: Fault };

type Rows = AsyncIterable<CsvRow>;

async function* toRows(
  source: Rows,
  mapping: Readonly<Record<string, string>>,
): AsyncGenerator<Row | Table, void> {
  let table: Table | undefined;
  for await (const row of source) {
    if (table === undefined) yield (table = toTable(row, mapping));
    else yield new Row(table, row);
  }
}

/** Reads the header alone. @throws AppError `bad_request` for an empty file */
export async function readTable(source: Rows, mapping: Readonly<Record<string, string>>): Promise<Table> {
  for await (const row of source) return toTable(row, mapping);
  throw new AppError("bad_request", "The file is empty");
}

function toKind(row: Row): string {
  return row.get("kind")?.toLowerCase() ?? "";
}

/** What a variation names its product by: its SKU, or "id:" with its number. */
function isVariation(row: Row): boolean {
  return row.get("parent") !== undefined && !/simple|variable|grouped|external/u.test(toKind(row));
}

async function collectVariations(
  source: Rows,
  mapping: Readonly<Record<string, string>>,
): Promise<Map<string, Row[]>> {
  const all = new Map<string, Row[]>();
  let count = 0;
  for await (const row of toRows(source, mapping)) {
    if (!(row instanceof Row) || !isVariation(row)) continue;
    count += 1;
    if (count > MAX_VARIATIONS)
      throw new AppError("too_large", `The file has more than ${MAX_VARIATIONS} variations. Split it`);
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
  table: Table,
  mapping: Readonly<Record<string, string>>,
): AsyncGenerator<Group, void> {
  const variations = await collectVariations(open(), mapping);
  for await (const row of toRows(open(), mapping)) {
    if (!(row instanceof Row) || isVariation(row)) continue;
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
      const message = `is "${parent.slice(0, 80)}", which is not in the file. Export the products together with their variations`;
      yield {
        table,
        rows: [row],
        fault: { line: row.line, column: row.headerOf("parent"), code: "invalid", message },
      };
    }
}

/** Products whose rows follow each other with one handle; without a handle, every row is a product. */
async function* groupByHandle(
  source: Rows,
  table: Table,
  mapping: Readonly<Record<string, string>>,
): AsyncGenerator<Group, void> {
  let rows: Row[] = [];
  for await (const row of toRows(source, mapping)) {
    if (!(row instanceof Row)) continue;
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
  const table = await readTable(open(), mapping);
  if (table.places.has("parent")) yield* groupByParent(open, table, mapping);
  else yield* groupByHandle(open(), table, mapping);
}
