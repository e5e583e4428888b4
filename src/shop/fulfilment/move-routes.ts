/** Common parts of all routes with an administrator's action on one order. */
import type { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import type { Orders } from "../orders/orders.ts";
import { orderIdParams } from "../orders/routes.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { adminOrderSchema } from "../orders/answer-schema.ts";
import { toAdminOrderView } from "../orders/views.ts";
import type { AdminMove } from "./admin-move.ts";

/** The group of the routes of orders. */
export const ORDERS_TAG = "admin orders";

type RouteErrors = NonNullable<Parameters<typeof createRoute>[0]["errors"]>;

export interface MoveRoute {
  /** The end of its path. */
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly schema: z.ZodType<{ note: string; version?: number | undefined }>;
  readonly example: object;
  /** Beside those that all of them can refuse with. */
  readonly errors: RouteErrors;
  /** Does it with its checked body. */
  readonly run: (parts: { readonly move: AdminMove; readonly body: unknown }) => Promise<OrderRecord>;
}

/** Adds POST /api/admin/orders/{id}/<name>, which answers with the order as it is then. */
export function addMoveRoute(
  app: ServiceApp,
  { orders, admin }: { readonly orders: Orders; readonly admin: AdminGuard },
  { name, operationId, summary, schema, example, errors, run }: MoveRoute,
): void {
  const route = createRoute({
    ...adminRoute(ORDERS_TAG, admin),
    method: "post",
    path: `/api/admin/orders/{id}/${name}`,
    operationId,
    summary,
    request: { params: orderIdParams, body: jsonBody(schema, example) },
    responses: { 200: jsonResponse("The order", adminOrderSchema) },
    errors: [...writeErrors, "not_found", "version_conflict", "conflict", ...errors],
  });
  app.openapi(route, async (c) => {
    const body = c.req.valid("json");
    const { id } = c.req.valid("param");
    const move = { id, actor: c.var.actor, note: body.note, version: body.version };
    const order = await run({ move, body });
    const found = await orders.get(order.id, { isAdmin: true });
    if (found.order.id !== id) throw new AppError("internal", "Another order was moved");
    return c.json(toAdminOrderView(found.order, found.handedOver), 200);
  });
}
