/** Draft orders for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { line } from "../../kit/text/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { adminOrderSchema } from "../orders/answer-schema.ts";
import { toAdminOrderView } from "../orders/views.ts";
import {
  draftLinkSchema,
  draftListSchema,
  draftPricesSchema,
  draftSchema,
  draftView,
} from "./answer-schema.ts";
import type { DraftOrders } from "./drafts.ts";
import type { DraftPlacing } from "./placing.ts";
import {
  type DraftRecord,
  draftChangeSchema,
  draftInvoiceSchema,
  draftPaidSchema,
  draftSendSchema,
  draftStates,
  newDraftSchema,
} from "./schema.ts";
import { toPricesView } from "./views.ts";

const TAG = "admin draft orders";
const PATH = "/api/admin/draft-orders";

interface DraftParts {
  readonly draftOrders: DraftOrders;
  readonly draftPlacing: DraftPlacing;
  readonly admin: AdminGuard;
}

const contentSchema = newDraftSchema.clone().openapi("NewDraftOrder");
const changeSchema = draftChangeSchema
  .extend({ version: z.int().min(1).optional() })
  .openapi("DraftOrderChange");
const querySchema = pageQuerySchema.extend({
  q: line(200).optional().openapi({ description: "In the numbers, the email address or the name" }),
  state: z.enum(draftStates).optional(),
});

const params = idParams("dft_01jd5v6m0c8f3k2n7q4x9y1z5a");
const address = {
  name: "Ann Smith",
  line1: "12 Harbor Street",
  city: "Hamburg",
  postalCode: "20457",
  country: "DE",
};
const content = {
  email: "ann@example.org",
  shippingAddress: address,
  items: [
    {
      productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
      quantity: 2,
      unitPrice: 900,
      reason: "agreed on the phone",
    },
    { title: "Engraving", quantity: 1, unitPrice: 500, taxClass: "standard", isSent: false },
  ],
  discount: { kind: "percent", value: 1_000, reason: "regular customer" },
} as const;
const exampleDraft = {
  id: "dft_01jd5v6m0c8f3k2n7q4x9y1z5a",
  version: 1,
  number: "D-7KQ4MP2X",
  state: "open",
  email: content.email,
  note: "",
  staffNote: "",
  items: [{ id: "lin_01jd5v6m0c8f3k2n7q4x9y1z5b", productId: content.items[0].productId, quantity: 2 }],
  createdBy: "token",
  createdAt: "2026-11-21T09:00:00.000+00:00",
  updatedAt: "2026-11-21T09:00:00.000+00:00",
} as const;
const priceErrors = ["quantity_limit", "coupon_invalid", "rate_limited"] as const;
const placeErrors = [
  ...writeErrors,
  ...priceErrors,
  ...(["not_found", "version_conflict", "conflict", "price_changed", "out_of_stock"] as const),
  ...(["order_refused", "checkout_closed", "illegal_transition"] as const),
] as const;

function addResource(app: ServiceApp, { draftOrders, admin }: DraftParts): void {
  resourceRoutes(app, {
    route: adminRoute(TAG, admin),
    path: PATH,
    name: "DraftOrder",
    noun: "draft order",
    params,
    view: draftSchema,
    example: exampleDraft,
    show: (draft: DraftRecord) => draftView(draft),
    list: {
      summary: "List draft orders, the last changed first",
      query: querySchema,
      page: draftListSchema,
      run: (query) => draftOrders.list(query),
    },
    get: { run: (id) => draftOrders.get(id) },
    create: {
      summary: "Create a draft order. It takes no stock, and no number of an order",
      body: contentSchema,
      example: content,
      errors: ["rate_limited", "conflict"],
      run: (fields, by) => draftOrders.create(fields, by, by.context.var.clientAddress),
    },
    change: {
      summary:
        "Change some fields of a draft order. A payment link that was sent shows them. null removes a field",
      body: changeSchema,
      example: { shipping: { fee: 0 } },
      errors: ["rate_limited", "conflict"],
      run: (id, fields, { context, ...by }) => {
        const { clientAddress } = context.var;
        return draftOrders.change(id, fields, { ...by, clientAddress });
      },
    },
    remove: {
      summary: "Delete a draft order that is not an order yet. Its payment link stops working",
      errors: ["conflict"],
      run: (id, by) => draftOrders.remove(id, by),
    },
  });
}

function addPrices(app: ServiceApp, { draftOrders, admin, ...parts }: DraftParts & Stores): void {
  const preview = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/preview`,
    operationId: "adminPreviewDraftOrder",
    summary: "Get the prices of a draft order without storing anything",
    request: { body: jsonBody(contentSchema, content) },
    responses: { 200: jsonResponse("Prices", draftPricesSchema) },
    errors: [...writeErrors, ...priceErrors],
  });
  app.openapi(preview, async (c) => {
    const prices = await draftOrders.preview(c.req.valid("json"), c.var.clientAddress);
    return c.json(await toPricesView(parts.store, prices), 200);
  });
  const now = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/{id}/prices`,
    operationId: "adminGetDraftOrderPrices",
    summary: "Get the prices of a draft order now, and what changed since it was saved",
    request: { params },
    responses: { 200: jsonResponse("Prices", draftPricesSchema) },
    errors: ["invalid", "not_found", ...priceErrors],
  });
  app.openapi(now, async (c) => {
    const prices = await draftOrders.priceNow(c.req.valid("param").id, c.var.clientAddress);
    return c.json(await toPricesView(parts.store, prices), 200);
  });
}

function addLink(app: ServiceApp, { draftOrders, admin }: DraftParts): void {
  const send = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/{id}/send`,
    operationId: "adminSendDraftOrder",
    summary: "Email the payment link of a draft order to the buyer",
    request: {
      params,
      body: jsonBody(draftSendSchema.clone().openapi("DraftOrderSending"), {
        version: 1,
        message: "As agreed",
        expiresInDays: 14,
      }),
    },
    responses: { 200: jsonResponse("The draft order", draftSchema) },
    errors: [...writeErrors, ...priceErrors, "not_found", "version_conflict", "conflict"],
  });
  app.openapi(send, async (c) => {
    const body = c.req.valid("json");
    const by = { actor: c.var.actor, clientAddress: c.var.clientAddress };
    return c.json(draftView(await draftOrders.send(c.req.valid("param").id, { ...body, ...by })), 200);
  });
  const link = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/{id}/link`,
    operationId: "adminGetDraftOrderLink",
    summary: "Get the payment link that was sent, to pass it on in another way",
    request: { params },
    responses: { 200: jsonResponse("The link", draftLinkSchema) },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(link, async (c) => {
    c.header("cache-control", "no-store");
    return c.json({ url: await draftOrders.link(c.req.valid("param").id) }, 200);
  });
  const duplicate = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/{id}/duplicate`,
    operationId: "adminDuplicateDraftOrder",
    summary: "Create a draft order with the content of another, which may be an order already",
    request: { params },
    responses: { 201: jsonResponse("The new draft order", draftSchema) },
    errors: ["invalid", "not_found", "conflict", "rate_limited", "store_unavailable"],
  });
  app.openapi(duplicate, async (c) => {
    const by = { actor: c.var.actor };
    return c.json(
      draftView(await draftOrders.duplicate(c.req.valid("param").id, by, c.var.clientAddress)),
      201,
    );
  });
}

function addPlacing(app: ServiceApp, { draftPlacing, admin }: DraftParts): void {
  const responses = { 201: jsonResponse("The order", adminOrderSchema) };
  const paid = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/{id}/mark-paid`,
    operationId: "adminMarkDraftOrderPaid",
    summary: "Place the order of a draft that was paid without a payment provider, such as in cash",
    request: {
      params,
      body: jsonBody(draftPaidSchema.clone().openapi("DraftOrderPayment"), {
        version: 1,
        expectedTotal: 2_300,
        method: "cash",
        paidOn: "2026-11-21",
        note: "at the counter",
      }),
    },
    responses,
    errors: [...placeErrors, "already_exists"],
  });
  app.openapi(paid, async (c) => {
    const by = { id: c.req.valid("param").id, actor: c.var.actor, clientAddress: c.var.clientAddress };
    return c.json(toAdminOrderView(await draftPlacing.markPaid({ ...c.req.valid("json"), ...by })), 201);
  });
  const invoice = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/{id}/invoice`,
    operationId: "adminInvoiceDraftOrder",
    summary: "Place the order of a draft unpaid, with an invoice and its due date",
    request: {
      params,
      body: jsonBody(draftInvoiceSchema.clone().openapi("DraftOrderInvoice"), {
        version: 1,
        expectedTotal: 2_300,
        dueOn: "2026-12-05",
      }),
    },
    responses,
    errors: placeErrors,
  });
  app.openapi(invoice, async (c) => {
    const by = { id: c.req.valid("param").id, actor: c.var.actor, clientAddress: c.var.clientAddress };
    return c.json(toAdminOrderView(await draftPlacing.invoice({ ...c.req.valid("json"), ...by })), 201);
  });
}

type Stores = { readonly store: Parameters<typeof toPricesView>[0] };

/** Adds the routes below /api/admin/draft-orders. */
export function addAdminDraftRoutes(app: ServiceApp, parts: DraftParts & Stores): void {
  addPrices(app, parts);
  addResource(app, parts);
  addLink(app, parts);
  addPlacing(app, parts);
}
