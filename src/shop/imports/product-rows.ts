/** Columns of products beyond the fields: options, and what the headers of weights and prices say. */
import { findUnit, toHeaderKey } from "./columns.ts";
import type { ProductField } from "./product-columns.ts";
import type { Row, Table } from "./rows.ts";

export type ProductTable = Table<ProductField>;
export type ProductRow = Row<ProductField>;

/** An option of a product, by the places of its columns. */
interface OptionColumns {
  readonly name: number | undefined;
  readonly value: number;
}

/** What a table says beside its fields. */
export interface ProductNotes {
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

export function readNotes({ places, headers }: ProductTable): ProductNotes {
  const options = (["1", "2", "3"] as const).flatMap((number): OptionColumns[] => {
    const value = places.get(`option${number}Value`);
    return value === undefined ? [] : [{ name: places.get(`option${number}Name`), value }];
  });
  const headerOf = (field: ProductField): string => headers[places.get(field) ?? -1] ?? "";
  return {
    options: [...options, ...findMoreOptions(headers)],
    unit: findUnit(headerOf("weight")) ?? "g",
    priceMark: /\((\p{Sc}|[A-Z]{3})\)/u.exec(headerOf("price"))?.[1] ?? "",
  };
}

/** Names and values of options, as they are written; the name is only in the first row of a product. */
export function listOptions(
  row: ProductRow,
  { options }: ProductNotes,
  headers: readonly string[],
): { name: string; value: string }[] {
  return options.map(({ name, value }) => ({
    name: name === undefined ? (headers[value] ?? "") : row.cellAt(name),
    value: row.cellAt(value),
  }));
}
