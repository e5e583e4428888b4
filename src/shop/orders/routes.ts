/** Orders for their buyers: signed in, or with the token of a checkout. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import type { AdminTokenCheck } from "../../records/admin-token-check.ts";
import type { SecurityScheme } from "../../kit/http/docs.ts";
import { AppError } from "../../kit/errors.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { idParams } from "../edge/params.ts";
import { text } from "../../kit/text/schemas.ts";
import { viewOf } from "../../kit/http/view.ts";
import { amountDueOf, awaitsPayment } from "./order.ts";
import { type OrderRecord, orderRecordSchema } from "./schema.ts";
import type { OrderAccess, Orders } from "./orders.ts";
import type { OrderWatch } from "./watch.ts";
import type { UserCheck } from "../users/user-check.ts";
import { orderSchema } from "./answer-schema.ts";
import { toOrderView } from "./views.ts";
import { APPLICATION_SCOPE } from "../../records/rights/application-scopes.ts";
import { type ShopScope, type UserGuard, findUser, userErrors, userRoute } from "../edge/user-guard.ts";
import { createRoute } from "../edge/create-route.ts";

export const orderTokenScheme = {
  orderToken: {
    type: "apiKey",
    in: "header",
    name: "X-Order-Token",
    description: "The accessToken from the checkout response, for access to that order",
  },
} as const satisfies Record<string, SecurityScheme>;

/** A sign-in, the order's own token, or the administrator's. */
const orderSecurity: Record<string, string[]>[] = [{ bearer: [] }, { orderToken: [] }, { adminToken: [] }];

export const orderIdParams = idParams("ord_01jd5v6m0c8f3k2n7q4x9y1z5a");

/** Errors of every route of one order. */
export const accessErrors = [...userErrors, "rate_limited", "not_found", "invalid"] as const;

/** Dependencies for identifying the caller of an order. */
export interface OrderAccessDeps {
  readonly userCheck: UserCheck;
  readonly checkToken: AdminTokenCheck;
}

interface OrderParts extends OrderAccessDeps {
  readonly orders: Orders;
  readonly watch: OrderWatch;
  readonly user: UserGuard;
}

interface RequestContext {
  readonly req: { readonly raw: Request; header(name: string): string | undefined };
  readonly var: { readonly clientAddress: string };
}

/** The scope that an application needs for a route of one order. */
function toOrderScope(method: string): ShopScope {
  return method === "GET" || method === "HEAD" ? "purchases:read" : "purchases:write";
}

/** Common parts of the routes of one order: for its buyer, the holder of its token, and administrators. */
export function orderRoute(method: "get" | "post") {
  return {
    method,
    tags: ["orders"],
    "x-access": "token",
    security: orderSecurity,
    [APPLICATION_SCOPE]: toOrderScope(method.toUpperCase()),
  };
}

/**
 * The caller's access to an order. The order's own token needs no request to the auth center. Throws `unauthenticated`
 * without any credential.
 */
export async function readAccess(c: RequestContext, deps: OrderAccessDeps): Promise<OrderAccess> {
  const orderToken = c.req.header("x-order-token");
  if (orderToken !== undefined) return { orderToken };
  const adminToken = c.req.header("x-admin-token");
  if (adminToken !== undefined) {
    deps.checkToken(adminToken, c.var.clientAddress);
    return { isAdmin: true };
  }
  const user = await findUser(deps.userCheck, c.req.raw, toOrderScope(c.req.raw.method));
  if (user === undefined) {
    throw new AppError(
      "unauthenticated",
      deps.userCheck.hasAccounts === false
        ? "Send the accessToken of the checkout as X-Order-Token. Buyers get it again with POST /api/orders/find"
        : "Access to this order requires a sign-in. Sign in at the auth center, or send the accessToken of the checkout as X-Order-Token",
    );
  }
  return { userId: user.id, isOwner: user.impersonatedBy === undefined };
}

function addList(app: ServiceApp, { user, orders }: OrderParts): void {
  const list = createRoute({
    ...userRoute("orders", user, "purchases:read"),
    method: "get",
    path: "/api/orders",
    operationId: "listOrders",
    summary: "List the orders of the signed-in user, newest first. Get an order for its delivered items",
    request: { query: pageQuerySchema },
    responses: { 200: jsonResponse("Orders", pageSchema(orderSchema).openapi("OrderList")) },
  });
  app.openapi(list, async (c) => {
    const page = await orders.listOwn(c.var.user.id, c.req.valid("query"));
    return c.json(
      toPageView(page, (order) => toOrderView({ order, handedOver: [], payment: undefined })),
      200,
    );
  });
}

function addOneRoutes(app: ServiceApp, parts: OrderParts): void {
  const get = createRoute({
    ...orderRoute("get"),
    path: "/api/orders/{id}",
    operationId: "getOrder",
    summary: "Get an order with its delivered items",
    request: { params: orderIdParams },
    responses: { 200: jsonResponse("The order", orderSchema) },
    errors: accessErrors,
  });
  app.openapi(get, async (c) => {
    const found = await parts.orders.get(c.req.valid("param").id, await readAccess(c, parts));
    c.header("cache-control", "no-store");
    return c.json(toOrderView(found), 200);
  });
  const cancel = createRoute({
    ...orderRoute("post"),
    path: "/api/orders/{id}/cancel",
    operationId: "cancelOrder",
    summary: "Cancel an order that is waiting for payment (idempotent)",
    request: { params: orderIdParams },
    responses: { 200: jsonResponse("The order", orderSchema) },
    errors: [...accessErrors, "illegal_transition", "store_unavailable"],
  });
  app.openapi(cancel, async (c) =>
    c.json(toOrderView(await parts.orders.cancel(c.req.valid("param").id, await readAccess(c, parts))), 200),
  );
}

function addRenewToken(app: ServiceApp, parts: OrderParts): void {
  const route = createRoute({
    ...orderRoute("post"),
    path: "/api/orders/{id}/renew-token",
    operationId: "renewOrderToken",
    security: ["bearer", "orderToken"].map((scheme) => ({ [scheme]: [] })),
    summary:
      "Replace the order token. The previous token stops working, and the new one is sent to the email address of the order",
    request: { params: orderIdParams },
    responses: { 204: { description: "The token was replaced. The new token is only in the email" } },
    errors: [...accessErrors, "conflict", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const access = await readAccess(c, parts);
    if (access.isAdmin === true) {
      const message = "Administrators must use POST /api/admin/orders/{id}/renew-token";
      throw new AppError("unauthenticated", message);
    }
    await parts.orders.renewToken(c.req.valid("param").id, access);
    return c.body(null, 204);
  });
}

const paid = viewOf(
  orderRecordSchema,
  ["status", "paymentStatus", "amountPaid", "currency"],
  ["expiresAt", "paidAt"],
);
const paymentStatusSchema = z
  .object({ orderId: z.string(), ...paid.shape, amountDue: z.int() })
  .openapi("PaymentStatus");

function toPaymentStatusView(order: OrderRecord): z.infer<typeof paymentStatusSchema> {
  return { orderId: order.id, ...paid.show(order), amountDue: amountDueOf(order) };
}

function addPaymentStatus(app: ServiceApp, parts: OrderParts): void {
  const route = createRoute({
    ...orderRoute("get"),
    path: "/api/orders/{id}/payment-status",
    operationId: "getPaymentStatus",
    summary:
      "Get the payment status of an order. With wait, the response is sent when the status changes or after that many seconds",
    request: {
      params: orderIdParams,
      query: z.object({ wait: z.coerce.number().int().min(0).max(25).default(0) }),
    },
    responses: { 200: jsonResponse("The payment status", paymentStatusSchema) },
    errors: accessErrors,
  });
  app.openapi(route, async (c) => {
    const { id } = c.req.valid("param");
    const { wait } = c.req.valid("query");
    const access = { ...(await readAccess(c, parts)), isForPayment: true };
    const { order: first } = await parts.orders.get(id, access);
    const readChanged = async (): Promise<OrderRecord | undefined> => {
      const { order } = await parts.orders.get(id, access);
      const isSame = order.status === first.status && order.amountPaid === first.amountPaid;
      return isSame ? undefined : order;
    };
    const options = { waitMs: wait * 1_000, signal: c.req.raw.signal, address: c.var.clientAddress };
    // Once it is decided there is nothing to wait for.
    const isDecided = !awaitsPayment(first);
    const changed = wait === 0 || isDecided ? undefined : await parts.watch.until(id, readChanged, options);
    c.header("cache-control", "no-store");
    return c.json(toPaymentStatusView(changed ?? first), 200);
  });
}

const confirmBodySchema = z.strictObject({
  kind: z.enum(["receipt", "payment_claim"]).default("receipt"),
  note: text(500).default(""),
});

function addConfirm(app: ServiceApp, parts: OrderParts): void {
  const route = createRoute({
    ...orderRoute("post"),
    path: "/api/orders/{id}/confirm",
    operationId: "confirmOrder",
    summary:
      "Confirm the delivery (delivered becomes completed), or report a payment (payment_claim, which does not mark the order as paid)",
    request: {
      params: orderIdParams,
      body: {
        required: false,
        content: { "application/json": { schema: confirmBodySchema, example: { kind: "receipt" } } },
      },
    },
    responses: { 200: jsonResponse("The status of the order", paymentStatusSchema) },
    errors: [...accessErrors, ...writeErrors, "illegal_transition"],
  });
  app.openapi(route, async (c) => {
    const { id } = c.req.valid("param");
    const { kind, note } = confirmBodySchema.parse(c.req.valid("json"));
    const access = await readAccess(c, parts);
    const order =
      kind === "receipt"
        ? await parts.orders.confirm(id, access)
        : await parts.orders.claimPayment(id, access, note);
    return c.json(toPaymentStatusView(order), 200);
  });
}

/** Adds the routes below /api/orders. */
export function addOrderRoutes(app: ServiceApp, parts: OrderParts): void {
  addList(app, parts);
  addPaymentStatus(app, parts);
  addConfirm(app, parts);
  addRenewToken(app, parts);
  addOneRoutes(app, parts);
}
