/** Responses about invoices. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { invoiceKindSchema, invoiceRecordSchema } from "./schema.ts";

const invoice = viewOf(
  invoiceRecordSchema,
  [
    ...([
      "id",
      "kind",
      "number",
      "orderId",
      "orderNumber",
      "userId",
      "issuedOn",
      "orderedOn",
      "paidOn",
      "dueOn",
    ] as const),
    ...(["deliveredOn", "language", "currency", "seller", "email", "billingAddress", "country"] as const),
    ...([
      "shippingAddress",
      "vatId",
      "lines",
      "shippingTitle",
      "couponCode",
      "subtotal",
      "discount",
    ] as const),
    ...(["shipping", "total", "tax", "pricesIncludeTax", "payment", "notes", "footer", "corrects"] as const),
    ...([
      "reason",
      "isSpread",
      "isReplaced",
      "isVoid",
      "paymentMeans",
      "buyerReference",
      "orderReference",
      "eInvoice",
    ] as const),
  ],
  ["issuedAt"],
);

/** An invoice or a credit note with all that it says. */
export const invoiceSchema = z.object(invoice.shape).openapi("Invoice");
export type InvoiceView = z.infer<typeof invoiceSchema>;
export const invoiceListSchema = pageSchema(invoiceSchema).openapi("InvoiceList");
export type InvoiceList = z.infer<typeof invoiceListSchema>;
export const toInvoiceView = invoice.show;

const document = viewOf(
  invoiceRecordSchema,
  ["id", "kind", "number", "issuedOn", "currency", "total", "eInvoice"],
  ["issuedAt"],
);

export const orderDocumentSchema = z
  .object({
    ...document.shape,
    htmlUrl: z.string().openapi({ description: "Opens without signing in, for everyone who has the URL" }),
    pdfUrl: z.string(),
    xrechnungUrl: z.string().optional().openapi({ description: "Only of e-invoices" }),
  })
  .openapi("OrderDocument");
export const toDocumentView = document.show;

/** Content types of printed documents, for `createRoute`. */
export const printedContent: Record<string, { schema: { type: "string"; format?: "binary" } }> = {
  "text/html": { schema: { type: "string" } },
  "application/pdf": { schema: { type: "string", format: "binary" } },
};

/** The same with the XML files of e-invoices. */
export const invoiceContent: typeof printedContent = {
  ...printedContent,
  "application/xml": { schema: { type: "string" } },
};

export const invoiceQuerySchema = z.object({
  q: z.string().max(254).optional().openapi({
    description: "A number, the number of an order, or an email address, whole",
  }),
  kind: invoiceKindSchema.optional(),
  orderId: z.string().max(100).optional(),
  from: isoTimeMs.optional(),
  to: isoTimeMs.optional(),
});
