/** The words of invoices, credit notes and packing slips. */
import { type KeysOf, type Texts, createTextBook } from "../../kit/text/text-book.ts";
import { shopInvoices } from "../../texts/shop-invoices.ts";
import type { InvoiceRecord } from "./schema.ts";

export type InvoiceWords = Texts<KeysOf<typeof shopInvoices>>["words"];

/** The words for an order's language, and which language they are in. */
export const findInvoiceWords = createTextBook(shopInvoices);

/** Whether an invoice was issued before its payment. */
export function isUnpaid({ kind, dueOn, paidOn }: Pick<InvoiceRecord, "kind" | "dueOn" | "paidOn">): boolean {
  return kind === "invoice" && dueOn !== undefined && paidOn === undefined;
}

/** What a document says about its money. */
export function toClosing(
  invoice: Pick<InvoiceRecord, "kind" | "isReplaced" | "isVoid" | "dueOn" | "paidOn">,
): "replaced" | "voided" | "refunded" | "unpaid" | "paid" {
  if (invoice.kind === "invoice") return isUnpaid(invoice) ? "unpaid" : "paid";
  if (invoice.isVoid === true) return "voided";
  return invoice.isReplaced === true ? "replaced" : "refunded";
}
