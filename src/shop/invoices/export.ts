/** Invoices and credit notes as a table for bookkeeping. */
import { type CsvStyle, csvStyles, toCsvLine } from "../../kit/files/csv-line.ts";
import type { Store } from "../../store/store.ts";
import { type LayoutName, toLayout } from "./export-layouts.ts";
import { type InvoiceFilter, listInvoices } from "./invoices.ts";

const PAGE = 500;

/** The documents that a filter finds as CSV, the newest first; amounts are in the currency's own unit. */
export async function* exportInvoices(
  store: Store,
  filter: InvoiceFilter,
  options: { readonly style?: CsvStyle; readonly layout?: LayoutName } = {},
): AsyncGenerator<string, void> {
  const { layout, style } = toLayout(options.layout ?? "documents", options.style ?? csvStyles.comma);
  let head = toCsvLine(layout.columns, style);
  let cursor: string | undefined;
  do {
    const page = await listInvoices(store, filter, { limit: PAGE, cursor });
    const rows = page.items.flatMap((invoice) => layout.add(invoice));
    // Read before anything is answered: a refusal can still be one.
    yield `${head}${rows.map((row) => toCsvLine(row, style)).join("")}`;
    head = "";
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  yield layout
    .finish()
    .map((row) => toCsvLine(row, style))
    .join("");
}
