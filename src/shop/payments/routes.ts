/** Payment notices for administrators: the inbox of what a person has to decide. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { toPageView } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { idParams } from "../edge/params.ts";
import {
  type ReviewedNotice,
  noticeListSchema,
  noticeQuerySchema,
  noticeSchema,
  noticeView,
  reviewedNoticeSchema,
} from "./answer-schema.ts";
import { noticeAssignmentSchema, noticeDismissalSchema } from "./schema.ts";
import type { PaymentsAdmin, Reviewed } from "./payments-admin.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { toAdminOrderView } from "../orders/views.ts";
import { createRoute } from "../edge/create-route.ts";

const TAG = "admin payments";

function toReviewedView(reviewed: Reviewed): ReviewedNotice {
  const { order } = reviewed;
  return { notice: noticeView.show(reviewed.notice), order: order && toAdminOrderView(order) };
}

const params = idParams("pay_01jd5v6m0c8f3k2n7q4x9y1z5a");
const decideErrors = [...writeErrors, "not_found", "conflict"] as const;

interface PaymentParts {
  readonly payments: PaymentsAdmin;
  readonly admin: AdminGuard;
}

function addList(app: ServiceApp, { payments, admin }: PaymentParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: "/api/admin/orders/payments",
    operationId: "adminListPayments",
    summary: "List payment notifications, newest first. open=true returns those that need review",
    request: {
      query: noticeQuerySchema,
    },
    responses: { 200: jsonResponse("Notices", noticeListSchema) },
  });
  app.openapi(route, async (c) => {
    const { open, ...query } = c.req.valid("query");
    const page = await payments.list({ ...query, isOpen: open === "true" });
    return c.json(toPageView(page, noticeView.show), 200);
  });
  const get = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: "/api/admin/orders/payments/{id}",
    operationId: "adminGetPayment",
    summary: "Get a payment notification",
    request: { params },
    responses: { 200: jsonResponse("The payment notification", noticeSchema) },
  });
  app.openapi(get, async (c) => c.json(noticeView.show(await payments.get(c.req.valid("param").id)), 200));
}

function addDecisions(app: ServiceApp, { payments, admin }: PaymentParts): void {
  const assign = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/orders/payments/{id}/assign",
    operationId: "adminAssignPayment",
    summary: "Assign an open payment notification to an order",
    request: {
      params,
      body: jsonBody(noticeAssignmentSchema, {
        orderId: "ord_01jd5v6m0c8f3k2n7q4x9y1z5a",
      }),
    },
    responses: { 200: jsonResponse("The payment notification and its order", reviewedNoticeSchema) },
    errors: [...decideErrors, "out_of_stock"],
  });
  app.openapi(assign, async (c) => {
    const { orderId, note: said } = c.req.valid("json");
    const by = { actor: c.var.actor, note: said };
    return c.json(toReviewedView(await payments.assign(c.req.valid("param").id, orderId, by)), 200);
  });
  const dismiss = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/orders/payments/{id}/dismiss",
    operationId: "adminDismissPayment",
    summary: "Dismiss an open payment notification",
    request: {
      params,
      body: jsonBody(noticeDismissalSchema, { note: "sent back by bank transfer" }),
    },
    responses: { 200: jsonResponse("The payment notification", noticeSchema) },
    errors: decideErrors,
  });
  app.openapi(dismiss, async (c) => {
    const by = { actor: c.var.actor, note: c.req.valid("json").note };
    return c.json(noticeView.show(await payments.dismiss(c.req.valid("param").id, by)), 200);
  });
  const replay = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/orders/payments/{id}/replay",
    operationId: "adminReplayPayment",
    summary: "Process a stored payment notification again; with dryRun=true, without changing anything",
    request: { params, query: z.object({ dryRun: z.enum(["true", "false"]).default("false") }) },
    responses: { 200: jsonResponse("The result, or the expected result of a dry run", reviewedNoticeSchema) },
    errors: ["not_found", "conflict", "invalid", "store_unavailable"],
  });
  app.openapi(replay, async (c) => {
    const isTrial = c.req.valid("query").dryRun === "true";
    const by = { actor: c.var.actor, isTrial };
    return c.json(toReviewedView(await payments.replay(c.req.valid("param").id, by)), 200);
  });
}

/** Adds the routes below /api/admin/orders/payments; before those of /api/admin/orders/{id}. */
export function addAdminPaymentRoutes(app: ServiceApp, parts: PaymentParts): void {
  addList(app, parts);
  addDecisions(app, parts);
}
