/** Rows of a file under the fields of their columns. */
import type { CsvRow } from "../../kit/files/csv.ts";
import { AppError } from "../../kit/errors.ts";
import { type ImportField, findSource, findUnit, mapColumns, toHeaderKey } from "./columns.ts";
import { type ImportSource, MAX_COLUMNS } from "./schema.ts";

/** An option of a product, by the places of its columns. */
interface OptionColumns {
  readonly name: number | undefined;
  readonly value: number;
}

/** The columns of a file. */
export interface Table {
  readonly source: ImportSource;
  readonly headers: readonly string[];
  readonly fields: readonly (ImportField | undefined)[];
  readonly places: ReadonlyMap<ImportField, number>;
  readonly options: readonly OptionColumns[];
  /** Units of the weight column's header. */
  readonly unit: string;
  /** The currency of the price column's header, such as "$". */
  readonly priceMark: string;
}

/** Attributes beyond the third; WooCommerce has as many as a product has. */
function findMoreOptions(headers: readonly string[]): OptionColumns[] {
  const names = new Map<string, number>();
  const values = new Map<string, number>();
  for (const [index, header] of headers.entries()) {
    const [, name] = /^attribut\w* (\d{1,2}) (?:name|nom|nombre)$/u.exec(toHeaderKey(header)) ?? [];
    const [, value] =
      /^attribut\w* (\d{1,2}) (?:value s|wert e|valeur s|valor es)$/u.exec(toHeaderKey(header)) ?? [];
    if (name !== undefined) names.set(name, index);
    if (value !== undefined) values.set(value, index);
  }
  return [...values]
    .filter(([number]) => Number(number) > 3)
    .map(([number, value]) => ({ name: names.get(number), value }));
}

/** @throws AppError `bad_request` for a header that no file of products has */
export function toTable(row: CsvRow, mapping: Readonly<Record<string, string>>): Table {
  const end = row.cells.findLastIndex((cell) => cell.trim() !== "") + 1;
  const headers = row.cells.slice(0, end).map((cell) => cell.trim());
  if (headers.length > MAX_COLUMNS)
    throw new AppError(
      "bad_request",
      `The file has ${headers.length} columns. The maximum is ${MAX_COLUMNS}`,
    );
  const fields = mapColumns(headers, mapping);
  const places = new Map(
    fields.flatMap((field, index) => (field === undefined ? [] : [[field, index] as const])),
  );
  const options = (["1", "2", "3"] as const).flatMap((number): OptionColumns[] => {
    const value = places.get(`option${number}Value`);
    return value === undefined ? [] : [{ name: places.get(`option${number}Name`), value }];
  });
  const weight = places.get("weight");
  const price = places.get("price");
  const header = weight === undefined ? "" : (headers[weight] ?? "");
  return {
    source: findSource(headers),
    headers,
    fields,
    places,
    options: [...options, ...findMoreOptions(headers)],
    unit: findUnit(header) ?? "g",
    priceMark: /\((\p{Sc}|[A-Z]{3})\)/u.exec(price === undefined ? "" : (headers[price] ?? ""))?.[1] ?? "",
  };
}

/** One row. */
export class Row {
  readonly line: number;
  readonly #table: Table;
  readonly #cells: readonly string[];

  constructor(table: Table, { line, cells }: CsvRow) {
    this.#table = table;
    this.line = line;
    this.#cells = cells;
  }

  /** Cells beyond the last column that are not empty. */
  get hasMore(): boolean {
    return this.#cells.slice(this.#table.headers.length).some((cell) => cell.trim() !== "");
  }

  /** The cell of a field, with the line ends of the shop; undefined for an empty one or no column. */
  get(field: ImportField): string | undefined {
    const place = this.#table.places.get(field);
    const cell = place === undefined ? undefined : this.#cells[place]?.trim();
    return cell === undefined || cell === "" ? undefined : cell.replaceAll(/\r\n?/gu, "\n");
  }

  has(field: ImportField): boolean {
    return this.#table.places.has(field);
  }

  /** The header of a field's column, for errors. */
  headerOf(field: ImportField): string | undefined {
    const place = this.#table.places.get(field);
    return place === undefined ? undefined : this.#table.headers[place];
  }

  /** Names and values of options, as they are written; the name is only in the first row of a product. */
  options(): { name: string; value: string }[] {
    return this.#table.options.map(({ name, value }) => ({
      name: name === undefined ? (this.#table.headers[value] ?? "") : (this.#cells[name] ?? "").trim(),
      value: (this.#cells[value] ?? "").trim(),
    }));
  }
}
