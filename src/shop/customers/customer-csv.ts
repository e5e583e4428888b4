/** Customers as CSV for spreadsheets, a line each, with what they paid in each currency. */
import { type CsvStyle, BYTE_ORDER_MARK, toCsvLine } from "../../kit/files/csv-line.ts";
import { toDecimal } from "../base/money.ts";
import type { Customer } from "./customers.ts";
import { listCells, listColumns } from "./fields.ts";

/** Lines of one piece, so that a long list is not in memory twice. */
const PIECE = 500;

/** The file, piece by piece; amounts are decimal numbers in the unit of their currency. */
export async function* toCustomerCsv(
  customers: readonly Customer[],
  style: CsvStyle,
): AsyncGenerator<string, void> {
  const currencies = [...new Set(customers.flatMap(({ paid }) => [...paid.keys()]))].sort();
  const toAmount = (minor: number, currency: string) => ({
    decimal: toDecimal(minor, currency).replace(".", style.decimalMark),
  });
  yield `${BYTE_ORDER_MARK}${toCsvLine(listColumns(currencies), style)}`;
  for (let at = 0; at < customers.length; at += PIECE)
    yield customers
      .slice(at, at + PIECE)
      .map((customer) => toCsvLine(listCells(customer, currencies, toAmount), style))
      .join("");
}
