/** Rows of a file under the fields of their columns. */
import type { CsvRow } from "../../kit/files/csv.ts";
import { AppError } from "../../kit/errors.ts";
import type { Columns } from "./columns.ts";
import { say } from "./said.ts";
import { type ImportSource, MAX_COLUMNS } from "./schema.ts";

/** The columns of a file. */
export interface Table<F extends string = string> {
  readonly source: ImportSource;
  readonly headers: readonly string[];
  readonly fields: readonly (F | undefined)[];
  readonly places: ReadonlyMap<F, number>;
}

/** @throws AppError `bad_request` for a header that no such file has */
export function toTable<F extends string>(
  row: CsvRow,
  columns: Columns<F>,
  mapping: Readonly<Record<string, string>>,
): Table<F> {
  const end = row.cells.findLastIndex((cell) => cell.trim() !== "") + 1;
  const headers = row.cells.slice(0, end).map((cell) => cell.trim());
  if (headers.length > MAX_COLUMNS) {
    const { message, text } = say("import.file.columns", { count: headers.length, most: MAX_COLUMNS });
    throw new AppError("bad_request", message, { details: { text } });
  }
  const fields = columns.map(headers, mapping);
  const places = new Map(
    fields.flatMap((field, index) => (field === undefined ? [] : [[field, index] as const])),
  );
  return { source: columns.findSource(headers), headers, fields, places };
}

/** Reads the header alone. @throws AppError `bad_request` for an empty file */
export async function readTable<F extends string>(
  source: AsyncIterable<CsvRow>,
  columns: Columns<F>,
  mapping: Readonly<Record<string, string>>,
): Promise<Table<F>> {
  for await (const row of source) return toTable(row, columns, mapping);
  const { message, text } = say("import.file.empty");
  throw new AppError("bad_request", message, { details: { text } });
}

/** One row. */
export class Row<F extends string = string> {
  readonly line: number;
  readonly #table: Table<F>;
  readonly #cells: readonly string[];

  constructor(table: Table<F>, { line, cells }: CsvRow) {
    this.#table = table;
    this.line = line;
    this.#cells = cells;
  }

  /** Cells beyond the last column that are not empty. */
  get hasMore(): boolean {
    return this.#cells.slice(this.#table.headers.length).some((cell) => cell.trim() !== "");
  }

  /** The cell at a place, "" where there is none. */
  cellAt(place: number): string {
    return (this.#cells[place] ?? "").trim();
  }

  /** The cell of a field, with the line ends of the shop; undefined for an empty one or no column. */
  get(field: F): string | undefined {
    const place = this.#table.places.get(field);
    const cell = place === undefined ? "" : this.cellAt(place);
    return cell === "" ? undefined : cell.replaceAll(/\r\n?/gu, "\n");
  }

  has(field: F): boolean {
    return this.#table.places.has(field);
  }

  /** The header of a field's column, for errors. */
  headerOf(field: F): string | undefined {
    const place = this.#table.places.get(field);
    return place === undefined ? undefined : this.#table.headers[place];
  }
}

/** The table of a file, and then its rows. */
export async function* readRows<F extends string>(
  source: AsyncIterable<CsvRow>,
  columns: Columns<F>,
  mapping: Readonly<Record<string, string>>,
): AsyncGenerator<{ readonly table: Table<F>; readonly row: Row<F> }, void> {
  let table: Table<F> | undefined;
  for await (const row of source) {
    if (table === undefined) table = toTable(row, columns, mapping);
    else yield { table, row: new Row(table, row) };
  }
}
