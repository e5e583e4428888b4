/** The words of invoices, credit notes and packing slips. */
import { type KeysOf, type Texts, createTextBook } from "../../kit/text/text-book.ts";
import { shopInvoices } from "../../texts/shop-invoices.ts";

export type InvoiceWords = Texts<KeysOf<typeof shopInvoices>>["words"];

/** The words for an order's language, and which language they are in. */
export const findInvoiceWords = createTextBook(shopInvoices);
