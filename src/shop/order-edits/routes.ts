/** Corrections of orders: by administrators, and of the shipping address by the buyer. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { ORDERS_TAG, addMoveRoute } from "../fulfilment/move-routes.ts";
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
import { type EditPreviewView, editPreviewSchema } from "./answer-schema.ts";
import type { EditPreview, OrderEdits } from "./edits.ts";
import { addressChangeSchema, orderEditMoveSchema, orderEditSchema } from "./schema.ts";

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
const previewBodySchema = orderEditSchema.clone().openapi("OrderEditWanted");
const addressBodySchema = addressChangeSchema.clone().openapi("ShippingAddressChange");

function addEdit(app: ServiceApp, parts: EditParts): void {
  addMoveRoute(app, parts, {
    name: "edit",
    operationId: "adminEditOrder",
    summary:
      "Edit the contact, the addresses, the note, the items or the shipping of an order. A paid order that becomes more expensive has a balance due. A changed invoice is replaced: a credit note and a new invoice. The buyer is notified by email unless mail is false",
    schema: editBodySchema,
    example: { version: 3, shippingAddress: address, note: "You told us the right street" },
    errors: ["illegal_transition", "price_changed", "quantity_limit", "out_of_stock", "rate_limited"],
    run: ({ move, body }) => {
      const parsed = editBodySchema.parse(body);
      const { note: _note, version: _version, mail, renewToken, expectedTotal, ...wanted } = parsed;
      return parts.orderEdits.edit({ ...move, wanted, mail, renewToken, expectedTotal });
    },
  });
}

function toPreviewView({ before, after, quotes, changes, isCouponLost }: EditPreview): EditPreviewView {
  const { subtotal, discount, shipping, total, tax, pricesIncludeTax, currency, amountPaid } = after;
  const rest = total - amountPaid;
  return {
    version: before.version,
    currency,
    lines: after.lines.map((line) => {
      const { id, productId, variantId, title, options, quantity, unitPrice, subtotal: sum } = line;
      const { discount: off, total: left } = line;
      const isNew = !before.lines.some((one) => one.id === id);
      const named = { id, productId, variantId, title, options, quantity, unitPrice };
      return Object.assign(named, { subtotal: sum, discount: off, total: left, isNew });
    }),
    subtotal,
    discount,
    shipping,
    total,
    tax,
    pricesIncludeTax,
    difference: total - before.total,
    amountDue: Math.max(0, rest),
    overpaid: Math.max(0, -rest),
    isCouponLost,
    shippingMethods: quotes.map(({ id, title, price }) => ({ id, title, price })),
    changes: [...changes],
  };
}

function addPreview(app: ServiceApp, { orderEdits, admin }: EditParts): void {
  const route = createRoute({
    ...adminRoute(ORDERS_TAG, admin),
    method: "post",
    path: "/api/admin/orders/{id}/edit-preview",
    operationId: "adminPreviewOrderEdit",
    summary: "Get the amounts of an edit and what it makes due, without storing anything",
    request: {
      params: orderIdParams,
      body: jsonBody(previewBodySchema, {
        lines: [{ lineId: "lin_01jd5v6m0c8f3k2n7q4x9y1z5a", quantity: 1 }],
      }),
    },
    responses: { 200: jsonResponse("The amounts after the edit", editPreviewSchema) },
    errors: [...writeErrors, "not_found", "conflict", "illegal_transition", "quantity_limit", "out_of_stock"],
  });
  app.openapi(route, async (c) =>
    c.json(toPreviewView(await orderEdits.preview(c.req.valid("param").id, c.req.valid("json"))), 200),
  );
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
  addPreview(app, parts);
  addAddress(app, parts);
}
