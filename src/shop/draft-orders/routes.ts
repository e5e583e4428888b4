/** Draft orders for the buyer who has the payment link. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { createRoute } from "../edge/create-route.ts";
import { orderSchema, paymentSchema } from "../orders/answer-schema.ts";
import { toOrderView, toPaymentView } from "../orders/views.ts";
import { listOnPages } from "../payments/services/offered.ts";
import { readSite } from "../site/settings.ts";
import type { Store } from "../../store/store.ts";
import { buyersDraftSchema } from "./answer-schema.ts";
import type { DraftPlacing } from "./placing.ts";
import { draftAcceptSchema } from "./schema.ts";
import { toBuyersView } from "./views.ts";

interface DraftParts {
  readonly store: Store;
  readonly draftPlacing: DraftPlacing;
}

const params = z.object({
  number: z
    .string()
    .min(1)
    .max(40)
    .openapi({ param: { name: "number", in: "path" }, example: "D-7KQ4MP2X" }),
});
const security = [{ orderToken: [] }];
const errors = [
  "unauthenticated",
  "not_found",
  "invalid",
  "link_expired",
  "rate_limited",
  "store_unavailable",
] as const;
const resultSchema = z
  .object({
    order: orderSchema,
    accessToken: z.string().openapi({ description: "Opens the order, as X-Order-Token" }),
    payment: paymentSchema.optional(),
  })
  .openapi("DraftOrderResult");

function readToken(c: { readonly req: { header(name: string): string | undefined } }): string {
  const token = c.req.header("x-order-token");
  if (token !== undefined) return token;
  throw new AppError("unauthenticated", "Send the token of the payment link as X-Order-Token");
}

/** Adds GET /api/draft-orders/{number}, and POST to place its order. */
export function addDraftRoutes(app: ServiceApp, { store, draftPlacing }: DraftParts): void {
  const get = createRoute({
    method: "get",
    tags: ["orders"],
    "x-access": "token",
    security,
    path: "/api/draft-orders/{number}",
    operationId: "getDraftOrder",
    summary: "Get an order that the shop prepared, with the token of its payment link",
    request: { params },
    responses: { 200: jsonResponse("The draft order, or the order that it became", buyersDraftSchema) },
    errors: [...errors, "quantity_limit", "coupon_invalid"],
  });
  app.openapi(get, async (c) => {
    const found = await draftPlacing.open(c.req.valid("param").number, readToken(c), c.var.clientAddress);
    const site = await store.read(readSite);
    c.header("cache-control", "no-store");
    return c.json(toBuyersView(found, listOnPages(site, site.currency)), 200);
  });
  const accept = createRoute({
    method: "post",
    tags: ["orders"],
    "x-access": "token",
    security,
    path: "/api/draft-orders/{number}/order",
    operationId: "orderDraftOrder",
    summary: "Place an order that the shop prepared. A repeated request gives the same order",
    request: {
      params,
      body: jsonBody(draftAcceptSchema.clone().openapi("DraftOrderAcceptance"), {
        version: 2,
        expectedTotal: 2_300,
        paymentMethod: "stripe",
      }),
    },
    responses: {
      201: jsonResponse("The order", resultSchema),
      200: jsonResponse("The order that was placed before", resultSchema),
    },
    errors: [
      ...writeErrors,
      ...errors,
      ...(["quantity_limit", "coupon_invalid", "price_changed", "version_conflict", "out_of_stock"] as const),
      ...(["order_refused", "checkout_closed"] as const),
    ],
  });
  app.openapi(accept, async (c) => {
    const about = { token: readToken(c), number: c.req.valid("param").number };
    const { clientAddress } = c.var;
    const placed = await draftPlacing.accept({ ...c.req.valid("json"), ...about, clientAddress });
    const { order, orderToken: accessToken, payment, isRepeat } = placed;
    c.header("cache-control", "no-store");
    const view = toOrderView({ order, handedOver: [], payment: undefined });
    const body = { order: view, accessToken, payment: payment && toPaymentView(payment) };
    return c.json(body, isRepeat ? 200 : 201);
  });
}
