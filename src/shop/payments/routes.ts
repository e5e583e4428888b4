/** Payment notices for administrators: the inbox of what a person has to decide. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/pages.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { text } from "../../kit/text/schemas.ts";
import { type NoticeRecord, noticeRecordSchema, noticeStateSchema } from "../orders/schema.ts";
import type { PaymentsAdmin, Reviewed } from "./payments-admin.ts";
import { type AdminGuard, adminErrors, adminRoute } from "../http/admin-guard.ts";
import { adminOrderSchema, toAdminOrderView } from "../orders/views.ts";
import { isoTimeSchema, toIsoTime } from "../http/times.ts";

const TAG = "admin payments";

const noticeSchema = noticeRecordSchema
  .pick({
    id: true,
    provider: true,
    eventId: true,
    providerRef: true,
    claimedOrderId: true,
    orderId: true,
    type: true,
    amount: true,
    currency: true,
    verified: true,
    state: true,
    reason: true,
    repeats: true,
    raw: true,
  })
  .extend({ paidAt: isoTimeSchema.optional(), receivedAt: isoTimeSchema })
  .openapi("PaymentNotice");

function toView(notice: NoticeRecord): z.infer<typeof noticeSchema> {
  const { orderId, paidAt } = notice;
  return {
    id: notice.id,
    provider: notice.provider,
    eventId: notice.eventId,
    providerRef: notice.providerRef,
    claimedOrderId: notice.claimedOrderId,
    ...(orderId === undefined ? {} : { orderId }),
    type: notice.type,
    amount: notice.amount,
    currency: notice.currency,
    verified: notice.verified,
    state: notice.state,
    reason: notice.reason,
    ...(paidAt === undefined ? {} : { paidAt: toIsoTime(paidAt) }),
    receivedAt: toIsoTime(notice.receivedAt),
    repeats: notice.repeats,
    raw: notice.raw,
  };
}

const reviewedSchema = z
  .object({ notice: noticeSchema, order: adminOrderSchema.optional() })
  .openapi("ReviewedNotice");

function toReviewedView({ notice, order }: Reviewed): z.infer<typeof reviewedSchema> {
  return { notice: toView(notice), ...(order === undefined ? {} : { order: toAdminOrderView(order) }) };
}

const idParams = z.object({
  id: z
    .string()
    .min(1)
    .max(100)
    .openapi({ param: { name: "id", in: "path" }, example: "pay_01jd5v6m0c8f3k2n7q4x9y1z5a" }),
});
const decideErrors = [...adminErrors, ...writeErrors, "not_found", "conflict"] as const;

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
    summary: "Payment notices, the newest first; open=true are those that a person has to decide about",
    request: {
      query: pageQuerySchema.extend({
        state: noticeStateSchema.optional(),
        open: z.enum(["true"]).optional(),
        orderId: z.string().max(100).optional(),
      }),
    },
    responses: {
      200: jsonResponse(
        "Notices",
        z
          .object({ items: z.array(noticeSchema), total: z.int(), nextCursor: z.string().optional() })
          .openapi("PaymentNoticeList"),
      ),
      ...problemResponses(...adminErrors, "bad_request", "invalid"),
    },
  });
  app.openapi(route, async (c) => {
    const { limit, cursor, state, open, orderId } = c.req.valid("query");
    const options = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const page = await payments.list({ state, isOpen: open === "true", orderId }, options);
    return c.json({ ...toPageView(page, toView), total: page.total }, 200);
  });
  const get = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: "/api/admin/orders/payments/{id}",
    operationId: "adminGetPayment",
    summary: "One payment notice",
    request: { params: idParams },
    responses: {
      200: jsonResponse("The notice", noticeSchema),
      ...problemResponses(...adminErrors, "not_found", "invalid"),
    },
  });
  app.openapi(get, async (c) => c.json(toView(await payments.get(c.req.valid("param").id)), 200));
}

function addDecisions(app: ServiceApp, { payments, admin }: PaymentParts): void {
  const note = text(1_000).default("");
  const assign = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/orders/payments/{id}/assign",
    operationId: "adminAssignPayment",
    summary: "Give an open notice to an order",
    request: {
      params: idParams,
      body: jsonBody(z.strictObject({ orderId: z.string().min(1).max(100), note }), {
        orderId: "ord_01jd5v6m0c8f3k2n7q4x9y1z5a",
      }),
    },
    responses: {
      200: jsonResponse("The notice and its order", reviewedSchema),
      ...problemResponses(...decideErrors, "out_of_stock"),
    },
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
    summary: "Nothing is to be done about an open notice",
    request: {
      params: idParams,
      body: jsonBody(z.strictObject({ note }), { note: "sent back by bank transfer" }),
    },
    responses: { 200: jsonResponse("The notice", noticeSchema), ...problemResponses(...decideErrors) },
  });
  app.openapi(dismiss, async (c) => {
    const by = { actor: c.var.actor, note: c.req.valid("json").note };
    return c.json(toView(await payments.dismiss(c.req.valid("param").id, by)), 200);
  });
  const replay = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/orders/payments/{id}/replay",
    operationId: "adminReplayPayment",
    summary: "Apply the rules again to a kept notice; with dryRun=true nothing stays changed",
    request: { params: idParams, query: z.object({ dryRun: z.enum(["true", "false"]).default("false") }) },
    responses: {
      200: jsonResponse("What it did, or would do", reviewedSchema),
      ...problemResponses(...adminErrors, "not_found", "conflict", "invalid", "store_unavailable"),
    },
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
