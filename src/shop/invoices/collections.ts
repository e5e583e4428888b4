/** The collections of invoices and of their numbers. */
import { defineCollection } from "../../store/store.ts";
import { invoiceCounterSchema, invoiceRecordSchema } from "./schema.ts";

/** Invoices and credit notes. */
export const invoices = defineCollection({
  name: "invoices",
  revision: 1,
  schema: invoiceRecordSchema,
  // No store commits a number twice.
  unique: { byNumber: ["number"], bySequence: ["series", "sequence"] },
  ordered: {
    byIssued: ["issuedAt"],
    byKind: ["kind", "issuedAt"],
    byOrder: ["orderId", "issuedAt"],
    byOrderNumber: ["orderNumber", "issuedAt"],
    byEmail: ["emailLower", "issuedAt"],
  },
});

/** The last number of each series. */
export const invoiceCounters = defineCollection({
  name: "invoiceCounters",
  revision: 1,
  schema: invoiceCounterSchema,
});
