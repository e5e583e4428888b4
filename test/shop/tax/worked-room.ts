/** Orders of worked cases: what their documents say, by rate. */
import { invoices } from "../../../src/shop/invoices/collections.ts";
import type { InvoiceRecord } from "../../../src/shop/invoices/schema.ts";
import type { TestShop } from "../app-fixture.ts";

export async function listDocuments(app: TestShop, orderId: string): Promise<readonly InvoiceRecord[]> {
  return (await app.store.read((tx) => tx.list(invoices, "byOrder", { prefix: [orderId], limit: 100 })))
    .items;
}

export function rowsOf(document: InvoiceRecord): Map<number, object> {
  const rates = (document.tax?.rates ?? []).filter(({ gross }) => gross > 0);
  return new Map(rates.map(({ rate, net, tax, gross }) => [rate / 100, { net, tax, gross }]));
}

/** Rows by rate, without those of nothing, the highest first as on the invoice. */
export function sorted(rows: ReadonlyMap<number, { readonly gross: number }>): Map<number, object> {
  return new Map([...rows].filter(([, { gross }]) => gross > 0).sort(([a], [b]) => b - a));
}

export function addUp(documents: readonly InvoiceRecord[]): Map<number, object> {
  const sums = new Map<number, { net: number; tax: number; gross: number }>();
  for (const { tax } of documents)
    for (const { rate, net, tax: part, gross } of tax?.rates ?? []) {
      const before = sums.get(rate / 100) ?? { net: 0, tax: 0, gross: 0 };
      sums.set(rate / 100, { net: before.net + net, tax: before.tax + part, gross: before.gross + gross });
    }
  return sorted(sums);
}
