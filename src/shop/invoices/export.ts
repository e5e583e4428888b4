/** Invoices as a table for bookkeeping: a row for each rate of a document, credit notes with their sign turned. */
import type { Store } from "../../store/store.ts";
import { type CsvStyle, csvStyles, toCsvLine } from "../../kit/files/csv-line.ts";
import { toDecimal } from "../base/money.ts";
import { type InvoiceFilter, listInvoices } from "./invoices.ts";
import type { InvoiceRecord } from "./schema.ts";

const PAGE = 500;

/** The columns; amounts are in the currency's own unit as in the export of orders, rates in percent. */
export const invoiceColumns = [
  "kind",
  "number",
  "issuedOn",
  "paidOn",
  "deliveredOn",
  "orderNumber",
  "corrects",
  "name",
  "company",
  "email",
  "country",
  "vatId",
  "payment",
  "currency",
  "total",
  "taxKind",
  "taxCountry",
  "taxRate",
  "net",
  "tax",
  "gross",
] as const;

function toLines(invoice: InvoiceRecord, style: CsvStyle): string {
  const toMark = (decimal: string): string => decimal.replace(".", style.decimalMark);
  const { kind, number, issuedOn, paidOn = "", deliveredOn = "", orderNumber, corrects, tax } = invoice;
  const { billingAddress, email, country = "", vatId = "", payment, currency, total } = invoice;
  const sign = kind === "credit_note" ? -1 : 1;
  const money = (amount: number) => ({ decimal: toMark(toDecimal(sign * amount, currency)) });
  const facts = [
    kind,
    number,
    issuedOn,
    paidOn,
    deliveredOn,
    orderNumber,
    corrects?.number ?? "",
    billingAddress?.name ?? "",
    billingAddress?.company ?? "",
    email,
    billingAddress?.country ?? country,
    vatId,
    payment,
    currency,
    money(total),
  ];
  const untold = { kind: "", country: "", rate: "" as const, net: total, tax: 0, gross: total };
  return (tax?.rates ?? [untold])
    .map((row) =>
      toCsvLine(
        [
          ...facts,
          row.kind,
          row.country,
          row.rate === "" ? "" : toMark(String(row.rate / 100)),
          money(row.net),
          money(row.tax),
          money(row.gross),
        ],
        style,
      ),
    )
    .join("");
}

/** The documents that a filter finds as CSV, the newest first. */
export async function* exportInvoices(
  store: Store,
  filter: InvoiceFilter,
  style: CsvStyle = csvStyles.comma,
): AsyncGenerator<string, void> {
  let head = toCsvLine(invoiceColumns, style);
  let cursor: string | undefined;
  do {
    const page = await listInvoices(store, filter, { limit: PAGE, cursor });
    // Read before anything is answered: a refusal can still be one.
    yield `${head}${page.items.map((invoice) => toLines(invoice, style)).join("")}`;
    head = "";
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
