/** Invoices and credit notes for administrators. */
import { z } from "@hono/zod-openapi";
import { csvStyles } from "../../kit/files/csv-line.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/paging.ts";
import { csvSeparatorSchema, jsonResponse } from "../../kit/http/schemas.ts";
import { toByteStream } from "../../kit/text/byte-lines.ts";
import type { Store } from "../../store/store.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { layoutColumns, layoutNames } from "./export-layouts.ts";
import { exportInvoices } from "./export.ts";
import { getInvoice, invoiceFormats, listInvoices, printInvoice } from "./invoices.ts";
import { readSite } from "../site/settings.ts";
import { toPrintLogo } from "./print-logo.ts";
import {
  invoiceContent,
  invoiceListSchema,
  invoiceQuerySchema,
  invoiceSchema,
  toInvoiceView,
} from "./answer-schema.ts";

const TAG = "admin invoices";
const PATH = "/api/admin/invoices";

const params = idParams("inv_ord_01jd5v6m0c8f3k2n7q4x9y1z5a");

const layoutsText = [
  `- \`documents\`: one row per document and tax rate. Amounts of credit notes are negative. Columns: ${layoutColumns.documents.join(", ")}.`,
  `- \`datev\`: the same with the column names of DATEV booking batches, semicolons, and decimal commas, whatever \`separator\` says. The accounts are empty. Columns: ${layoutColumns.datev.join(", ")}.`,
  `- \`oss\`: sales taxed in other EU countries, added up per quarter, country, and rate, for the one-stop shop. Credit notes for earlier quarters have rows with \`corrects\`. Columns: ${layoutColumns.oss.join(", ")}.`,
  "Amounts are decimal numbers in the currency unit (19.99), rates in percent (5.5).",
].join("\n");

const E_INVOICE_FORMATS =
  "xrechnung is an XRechnung 3.0 (UBL 2.1); facturx is the XML of Factur-X and ZUGFeRD (profile EN 16931), which the PDF of an e-invoice contains. conflict says what the invoice lacks for that.";

interface InvoiceParts {
  readonly store: Store;
  readonly admin: AdminGuard;
}

function addListRoutes(app: ServiceApp, { store, admin }: InvoiceParts): void {
  const list = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListInvoices",
    summary: "List invoices and credit notes, newest first",
    request: { query: pageQuerySchema.extend(invoiceQuerySchema.shape) },
    responses: { 200: jsonResponse("Invoices", invoiceListSchema) },
  });
  app.openapi(list, async (c) => {
    const { limit, cursor, ...filter } = c.req.valid("query");
    return c.json(toPageView(await listInvoices(store, filter, { limit, cursor }), toInvoiceView), 200);
  });
  const csv: Record<string, { schema: { type: "string" } }> = { "text/csv": { schema: { type: "string" } } };
  const exporting = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/export`,
    operationId: "adminExportInvoices",
    summary: "Export invoices and credit notes as CSV for bookkeeping",
    description: layoutsText,
    request: {
      query: invoiceQuerySchema.extend({
        separator: csvSeparatorSchema,
        layout: z.enum(layoutNames).default("documents"),
      }),
    },
    responses: { 200: { description: "Invoices", content: csv } },
  });
  app.openapi(exporting, async (c) => {
    const { separator, layout, ...filter } = c.req.valid("query");
    const lines = exportInvoices(store, filter, { style: csvStyles[separator], layout });
    return c.body(await toByteStream(lines), 200, {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${layout === "documents" ? "invoices" : layout}.csv"`,
    });
  });
}

/** Adds the routes below /api/admin/invoices. */
export function addAdminInvoiceRoutes(app: ServiceApp, parts: InvoiceParts): void {
  const { store, admin } = parts;
  addListRoutes(app, parts);
  const get = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/{id}`,
    operationId: "adminGetInvoice",
    summary: "Get an invoice or a credit note with all its details",
    request: { params },
    responses: { 200: jsonResponse("The invoice", invoiceSchema) },
  });
  app.openapi(get, async (c) => {
    const { id } = c.req.valid("param");
    return c.json(toInvoiceView(await store.read((tx) => getInvoice(tx, id))), 200);
  });
  const print = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/{id}/{format}`,
    operationId: "adminPrintInvoice",
    summary: "Get an invoice or a credit note as printable HTML, as PDF, or as an XML e-invoice",
    description: E_INVOICE_FORMATS,
    request: { params: params.extend({ format: z.enum(invoiceFormats) }) },
    errors: ["invalid", "not_found", "conflict"],
    responses: { 200: { description: "The document", content: invoiceContent } },
  });
  app.openapi(print, async (c) => {
    const { id, format } = c.req.valid("param");
    const { invoice, logo } = await store.read(async (tx) => ({
      invoice: await getInvoice(tx, id),
      logo: toPrintLogo(await readSite(tx)),
    }));
    const { body, headers } = await printInvoice(invoice, format, logo);
    return c.body(body, 200, { ...headers });
  });
}
