/** Orders for administrators: lists, moves, and an export. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { toByteStream } from "../../kit/text/byte-lines.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { AdminMove } from "./admin-move.ts";
import type { OrderCare } from "./care.ts";
import { addOrderCareRoutes } from "./care-routes.ts";
import type { OrderAdmin } from "./order-admin.ts";
import { ORDERS_TAG, addMoveRoute } from "./move-routes.ts";
import { addAdminRefundRoutes } from "./refund-routes.ts";
import type { Refunds } from "./refunds.ts";
import {
  deliverySchema,
  markPaidSchema,
  moveSchema,
  resolutionSchema,
  shipmentChangeSchema,
} from "./schema.ts";
import { type OrderFilter, listOrders } from "../orders/list.ts";
import type { Orders } from "../orders/orders.ts";
import type { Store } from "../../store/store.ts";
import { type OrderRecord, orderStatusSchema, paymentStatusSchema } from "../orders/schema.ts";
import { adminRoute, type AdminGuard } from "../edge/admin-guard.ts";
import { adminOrderSchema } from "../orders/answer-schema.ts";
import { toAdminOrderView } from "../orders/views.ts";
import { orderIdParams } from "../orders/routes.ts";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { createRoute } from "../edge/create-route.ts";

const filterSchema = z.object({
  status: orderStatusSchema.optional(),
  paymentStatus: paymentStatusSchema.optional(),
  attention: z.enum(["true"]).optional(),
  userId: z.string().max(100).optional(),
  q: z
    .string()
    .max(254)
    .optional()
    .openapi({ description: "Order number, ID or email address (exact match)" }),
  from: isoTimeMs.optional(),
  to: isoTimeMs.optional(),
});

function toFilter({ attention, ...query }: z.infer<typeof filterSchema>): OrderFilter {
  return { ...query, attention: attention === "true" };
}

interface OrderAdminParts {
  readonly refunds: Refunds;
  readonly store: Store;
  readonly orders: Orders;
  readonly orderAdmin: OrderAdmin;
  readonly orderCare: OrderCare;
  readonly admin: AdminGuard;
}

function addList(app: ServiceApp, { store, admin }: OrderAdminParts): void {
  const route = createRoute({
    ...adminRoute(ORDERS_TAG, admin),
    method: "get",
    path: "/api/admin/orders",
    operationId: "adminListOrders",
    summary: "List orders, newest first",
    request: { query: pageQuerySchema.extend(filterSchema.shape) },
    responses: { 200: jsonResponse("Orders", pageSchema(adminOrderSchema).openapi("AdminOrderList")) },
  });
  app.openapi(route, async (c) => {
    const { limit, cursor, ...query } = c.req.valid("query");
    const page = await listOrders(store, toFilter(query), { limit, cursor });
    return c.json(
      toPageView(page, (order) => toAdminOrderView(order)),
      200,
    );
  });
}

const MEDIA_TYPE: string = "application/x-ndjson";
const EXPORT_PAGE = 500;

/** Orders as NDJSON, page by page. */
async function* exportOrders(store: Store, filter: OrderFilter): AsyncGenerator<string, void> {
  let cursor: string | undefined;
  do {
    const page = await listOrders(store, filter, { limit: EXPORT_PAGE, cursor });
    yield page.items.map((order) => `${JSON.stringify(toAdminOrderView(order))}\n`).join("");
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

function addExport(app: ServiceApp, { store, admin }: OrderAdminParts): void {
  const route = createRoute({
    ...adminRoute(ORDERS_TAG, admin),
    method: "get",
    path: "/api/admin/orders/export",
    operationId: "adminExportOrders",
    summary: "Export orders as NDJSON, one per line, without license keys",
    request: { query: filterSchema },
    responses: { 200: { description: "Orders", content: { [MEDIA_TYPE]: { schema: z.string() } } } },
  });
  app.openapi(route, async (c) => {
    const orders = exportOrders(store, toFilter(c.req.valid("query")));
    return c.body(await toByteStream(orders), 200, {
      "content-type": MEDIA_TYPE,
      "content-disposition": 'attachment; filename="orders.ndjson"',
    });
  });
}

function addGet(app: ServiceApp, { orders, admin }: OrderAdminParts): void {
  const route = createRoute({
    ...adminRoute(ORDERS_TAG, admin),
    method: "get",
    path: "/api/admin/orders/{id}",
    operationId: "adminGetOrder",
    summary: "Get an order with its history and delivered items",
    request: { params: orderIdParams },
    responses: { 200: jsonResponse("The order", adminOrderSchema) },
  });
  app.openapi(route, async (c) => {
    const { order, handedOver } = await orders.get(c.req.valid("param").id, { isAdmin: true });
    c.header("etag", `"${order.version}"`);
    return c.json(toAdminOrderView(order, handedOver), 200);
  });
}

const moves = {
  "mark-paid": {
    operationId: "adminMarkOrderPaid",
    summary: "Record a manual payment. Default: the full amount due",
    schema: markPaidSchema,
    example: { reference: "bank 2026-11-21 / 17", note: "seen on the account" },
    errors: ["out_of_stock", "already_exists"],
  },
  deliver: {
    operationId: "adminDeliverOrder",
    summary: "Deliver lines that require manual fulfillment (default: all), with the delivered content",
    schema: deliverySchema,
    example: { shipment: { carrier: "DHL", trackingNumber: "JD01460003", trackingUrl: "" } },
    errors: [],
  },
  shipment: {
    operationId: "adminChangeShipment",
    summary: "Change the shipment details of an order. The buyer is notified by email unless mail is false",
    schema: shipmentChangeSchema,
    example: { shipment: { carrier: "DHL", trackingNumber: "JD01460004" } },
    errors: [],
  },
  cancel: {
    operationId: "adminCancelOrder",
    summary: "Cancel an order. A paid order must be fully refunded first",
    schema: moveSchema,
    example: { note: "out of print" },
    errors: [],
  },
  "renew-token": {
    operationId: "adminRenewOrderToken",
    summary:
      "Replace the order token. The previous token stops working, and the new one is sent to the buyer by email",
    schema: moveSchema,
    example: { note: "the buyer had posted a link" },
    errors: [],
  },
  resolve: {
    operationId: "adminResolveOrder",
    summary: "Resolve flags of an order after a review",
    schema: resolutionSchema,
    example: { flags: ["overpaid"], note: "the buyer wants to keep it as credit" },
    errors: [],
  },
} as const;

type MoveName = keyof typeof moves;

/** Does one move with its checked body. */
function doMove(
  orderAdmin: OrderAdmin,
  name: MoveName,
  { move, body }: { readonly move: AdminMove; readonly body: unknown },
): Promise<OrderRecord> {
  switch (name) {
    case "mark-paid":
      return orderAdmin.markPaid({ ...moves[name].schema.parse(body), ...move });
    case "deliver":
      return orderAdmin.deliver({ ...moves[name].schema.parse(body), ...move });
    case "shipment":
      return orderAdmin.ship({ ...moves[name].schema.parse(body), ...move });
    case "cancel":
      return orderAdmin.cancel(move);
    case "renew-token":
      return orderAdmin.renewToken(move);
    case "resolve":
      return orderAdmin.resolve({ ...moves[name].schema.parse(body), ...move });
  }
}

/** Adds the routes of orders below /api/admin/orders; those of payments come before, their path is literal. */
export function addAdminOrderRoutes(app: ServiceApp, parts: OrderAdminParts): void {
  addList(app, parts);
  addExport(app, parts);
  for (const name of ["mark-paid", "deliver", "shipment", "cancel", "renew-token", "resolve"] as const)
    addMoveRoute(app, parts, {
      ...moves[name],
      name,
      errors: ["illegal_transition", ...moves[name].errors],
      run: (done) => doMove(parts.orderAdmin, name, done),
    });
  addAdminRefundRoutes(app, parts);
  addOrderCareRoutes(app, parts);
  addGet(app, parts);
}
