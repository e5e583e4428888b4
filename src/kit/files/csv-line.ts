/** Lines of CSV (RFC 4180) that no table program takes for formulas. */

/** The start of a formula in Excel, LibreOffice and others, also after blanks, and after our apostrophes. */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/** A text, or a number: one that is written out keeps its last noughts, and its sign where it is given back. */
export type Cell = string | number | { readonly decimal: string };

function toCell(value: Cell): string {
  // A number cannot contain a formula.
  if (typeof value === "number") return String(value);
  if (typeof value === "object") return value.decimal;
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n;\t]|^\s|\s$/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** By this a spreadsheet knows that a file is UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

/** How a spreadsheet expects a CSV. */
export interface CsvStyle {
  readonly separator: "," | ";" | "\t";
  readonly decimalMark: "." | ",";
}

/** Choices of a request; Excel splits columns at semicolons where people write decimal commas. */
export const csvStyles = {
  comma: { separator: ",", decimalMark: "." },
  semicolon: { separator: ";", decimalMark: "," },
  tab: { separator: "\t", decimalMark: "." },
} as const satisfies Record<string, CsvStyle>;
export type CsvStyleName = keyof typeof csvStyles;

/** One record with its line end. */
export function toCsvLine(values: readonly Cell[], { separator }: CsvStyle = csvStyles.comma): string {
  return `${values.map(toCell).join(separator)}\r\n`;
}
