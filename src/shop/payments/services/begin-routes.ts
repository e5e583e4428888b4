/** Another try of an order's payment, for its buyer. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../../kit/http/app.ts";
import { jsonResponse, writeErrors } from "../../../kit/http/schemas.ts";
import { createRoute } from "../../edge/create-route.ts";
import type { Orders } from "../../orders/orders.ts";
import {
  type OrderAccessDeps,
  accessErrors,
  orderIdParams,
  orderRoute,
  readAccess,
} from "../../orders/routes.ts";
import { orderSchema } from "../../orders/answer-schema.ts";
import { toOrderView } from "../../orders/views.ts";
import type { PaymentStarts } from "./begin.ts";

const bodySchema = z.strictObject({
  method: z.string().min(1).max(40).optional().openapi({
    description: "Payment method from /api/site/payment-methods. Default: the method of the order",
  }),
});

interface BeginParts extends OrderAccessDeps {
  readonly orders: Orders;
  readonly starts: PaymentStarts;
}

/** Adds POST /api/orders/{id}/payment. */
export function addPaymentRoutes(app: ServiceApp, parts: BeginParts): void {
  const route = createRoute({
    ...orderRoute("post"),
    path: "/api/orders/{id}/payment",
    operationId: "beginPayment",
    summary:
      "Start the payment of an order, again after a failure or with another method. A payment that is still valid is returned again",
    request: {
      params: orderIdParams,
      body: {
        required: false,
        content: { "application/json": { schema: bodySchema, example: { method: "stripe" } } },
      },
    },
    responses: { 200: jsonResponse("The order with its payment", orderSchema) },
    errors: [...accessErrors, ...writeErrors, "illegal_transition", "rate_limited", "checkout_closed"],
  });
  app.openapi(route, async (c) => {
    const { id } = c.req.valid("param");
    const access = await readAccess(c, parts);
    const { method } = bodySchema.parse(c.req.valid("json") ?? {});
    const { handedOver } = await parts.orders.get(id, access);
    const begun = await parts.starts.again(id, { method, clientAddress: c.var.clientAddress });
    c.header("cache-control", "no-store");
    return c.json(toOrderView({ ...begun, handedOver }), 200);
  });
}
