/** The packing slip of an order, for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import type { Store } from "../../store/store.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { printDocument, printFormats } from "../invoices/invoices.ts";
import { printedContent } from "../invoices/answer-schema.ts";
import type { Orders } from "../orders/orders.ts";
import { orderIdParams } from "../orders/routes.ts";
import { readSite } from "../site/settings.ts";
import { toPackingSlip } from "./packing-slip.ts";

/** Adds /api/admin/orders/{id}/packing-slip/{format}. */
export function addPackingSlipRoute(
  app: ServiceApp,
  { store, orders, admin }: { readonly store: Store; readonly orders: Orders; readonly admin: AdminGuard },
): void {
  const route = createRoute({
    ...adminRoute("admin orders", admin),
    method: "get",
    path: "/api/admin/orders/{id}/packing-slip/{format}",
    operationId: "adminPrintPackingSlip",
    summary: "Get the packing slip (without prices) as printable HTML or PDF",
    request: { params: orderIdParams.extend({ format: z.enum(printFormats) }) },
    responses: { 200: { description: "The packing slip", content: printedContent } },
  });
  app.openapi(route, async (c) => {
    const { id, format } = c.req.valid("param");
    const { order } = await orders.get(id, { isAdmin: true });
    const slip = toPackingSlip(order, await store.read(readSite));
    const { body, headers } = await printDocument(slip, { format, name: `packing-slip-${order.number}` });
    return c.body(body, 200, { ...headers });
  });
}
