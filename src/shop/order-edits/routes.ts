/** Corrections of orders: by administrators, and of the shipping address by the buyer. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import type { AdminGuard } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { addMoveRoute } from "../fulfilment/move-routes.ts";
import { orderSchema } from "../orders/answer-schema.ts";
import type { Orders } from "../orders/orders.ts";
import {
  type OrderAccessDeps,
  accessErrors,
  orderIdParams,
  orderRoute,
  readAccess,
} from "../orders/routes.ts";
import { toOrderView } from "../orders/views.ts";
import type { OrderEdits } from "./edits.ts";
import { addressChangeSchema, orderEditMoveSchema } from "./schema.ts";

interface EditParts extends OrderAccessDeps {
  readonly orders: Orders;
  readonly orderEdits: OrderEdits;
  readonly admin: AdminGuard;
}

const address = {
  name: "Ann Smith",
  line1: "12 Harbor Street",
  city: "Hamburg",
  postalCode: "20457",
  country: "DE",
};
const editBodySchema = orderEditMoveSchema.clone().openapi("OrderEdit");
const addressBodySchema = addressChangeSchema.clone().openapi("ShippingAddressChange");

function addEdit(app: ServiceApp, parts: EditParts): void {
  addMoveRoute(app, parts, {
    name: "edit",
    operationId: "adminEditOrder",
    summary:
      "Correct the contact, the addresses, the note or the language of an order. A changed invoice is replaced: a credit note and a new invoice. The buyer is notified by email unless mail is false",
    schema: editBodySchema,
    example: { version: 3, shippingAddress: address, note: "You told us the right street" },
    errors: ["illegal_transition"],
    run: ({ move, body }) => {
      const { note: _note, version: _version, mail, renewToken, ...wanted } = editBodySchema.parse(body);
      return parts.orderEdits.edit({ ...move, wanted, mail, renewToken });
    },
  });
}

function addAddress(app: ServiceApp, parts: EditParts): void {
  const route = createRoute({
    ...orderRoute("post"),
    path: "/api/orders/{id}/shipping-address",
    operationId: "changeShippingAddress",
    security: ["bearer", "orderToken"].map((scheme) => ({ [scheme]: [] })),
    summary: "Change the shipping address of an order before it ships, within the same country",
    request: { params: orderIdParams, body: jsonBody(addressBodySchema, { shippingAddress: address }) },
    responses: { 200: jsonResponse("The order", orderSchema) },
    errors: [...accessErrors, ...writeErrors, "conflict", "illegal_transition"],
  });
  app.openapi(route, async (c) => {
    const access = await readAccess(c, parts);
    if (access.isAdmin === true)
      throw new AppError("unauthenticated", "Administrators must use POST /api/admin/orders/{id}/edit");
    const { id } = c.req.valid("param");
    await parts.orderEdits.changeAddress(id, access, c.req.valid("json").shippingAddress);
    c.header("cache-control", "no-store");
    return c.json(toOrderView(await parts.orders.get(id, access)), 200);
  });
}

/** Adds the routes that edit orders. */
export function addOrderEditRoutes(app: ServiceApp, parts: EditParts): void {
  addEdit(app, parts);
  addAddress(app, parts);
}
