/** Invoices and credit notes for buyers: a list for readers of the order, and URLs that open one of them. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { ShopDeps } from "../base/deps.ts";
import { createRoute } from "../edge/create-route.ts";
import {
  getInvoice,
  hasXRechnung,
  invoiceFormats,
  isDocumentToken,
  listOfOrder,
  printInvoice,
  toDocumentUrl,
} from "../invoices/invoices.ts";
import { invoiceContent, orderDocumentSchema, toDocumentView } from "../invoices/answer-schema.ts";
import { toPrintLogo } from "../invoices/print-logo.ts";
import { readSite } from "../site/settings.ts";
import { orders as orderRecords } from "./records.ts";
import type { Orders } from "./orders.ts";
import { type OrderAccessDeps, accessErrors, orderIdParams, orderRoute, readAccess } from "./routes.ts";

interface DocumentParts extends OrderAccessDeps, Pick<ShopDeps, "store" | "box" | "publicUrl"> {
  readonly orders: Orders;
}

function addList(app: ServiceApp, parts: DocumentParts): void {
  const route = createRoute({
    ...orderRoute("get"),
    path: "/api/orders/{id}/documents",
    operationId: "listOrderDocuments",
    summary: "List the invoice and credit notes of an order, with their URLs",
    request: { params: orderIdParams },
    responses: { 200: jsonResponse("Documents", z.object({ items: z.array(orderDocumentSchema) })) },
    errors: accessErrors,
  });
  app.openapi(route, async (c) => {
    const { order } = await parts.orders.get(c.req.valid("param").id, await readAccess(c, parts));
    const found = await parts.store.read((tx) => listOfOrder(tx, order.id));
    const items = found.map((invoice) => {
      const key = { invoiceId: invoice.id, tokenRenewals: order.tokenRenewals };
      const [htmlUrl, pdfUrl] = [toDocumentUrl(parts, key, "html"), toDocumentUrl(parts, key, "pdf")];
      const xrechnungUrl = hasXRechnung(invoice) ? toDocumentUrl(parts, key, "xrechnung") : undefined;
      return { ...toDocumentView(invoice), htmlUrl, pdfUrl, xrechnungUrl };
    });
    c.header("cache-control", "no-store");
    return c.json({ items }, 200);
  });
}

function addPrint(app: ServiceApp, { store, box }: DocumentParts): void {
  const route = createRoute({
    method: "get",
    path: "/api/documents/{id}/{token}/{format}",
    operationId: "printOrderDocument",
    tags: ["orders"],
    "x-access": "token",
    summary: "Get an invoice or a credit note as HTML, PDF or XML e-invoice, by the URL from an email",
    request: {
      params: z.object({
        id: z.string().min(1).max(120),
        token: z.string().min(1).max(120),
        format: z.enum(invoiceFormats),
      }),
    },
    responses: { 200: { description: "The document", content: invoiceContent } },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const { id, token, format } = c.req.valid("param");
    const { invoice, logo } = await store.read(async (tx) => {
      const found = await getInvoice(tx, id);
      const order = await tx.get(orderRecords, found.orderId);
      const key = { invoiceId: id, tokenRenewals: order?.tokenRenewals };
      if (isDocumentToken(box, key, token)) return { invoice: found, logo: toPrintLogo(await readSite(tx)) };
      throw new AppError("not_found", "This invoice does not exist");
    });
    const { body, headers } = await printInvoice(invoice, format, logo);
    return c.body(body, 200, { ...headers });
  });
}

/** Adds /api/orders/{id}/documents and /api/documents. */
export function addDocumentRoutes(app: ServiceApp, parts: DocumentParts): void {
  addList(app, parts);
  addPrint(app, parts);
}
