/** Refunds by administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { line, text } from "../../kit/text/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { amountSchema } from "../base/money-schema.ts";
import type { Orders } from "../orders/orders.ts";
import { orderIdParams } from "../orders/routes.ts";
import { adminOrderSchema } from "../orders/answer-schema.ts";
import { toAdminOrderView } from "../orders/views.ts";
import { MAX_QUANTITY } from "../products/schema.ts";
import { refundPartSchema } from "../base/refund-part.ts";
import { refundListSchema, refundView } from "./answer-schema.ts";
import type { Refunds } from "./refunds.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

const TAG = "admin orders";

const linesSchema = z
  .array(
    z.strictObject({
      lineId: z.string().min(1).max(100),
      quantity: z.number().int().min(1).max(MAX_QUANTITY).optional(),
      amount: amountSchema.min(1).optional().openapi({
        description: "What the buyer gets back for the line, VAT included; unless set, what the units cost",
      }),
    }),
  )
  .min(1)
  .max(100);

const bodyFields = z.strictObject({
  note: text(1_000).default(""),
  version: z.number().int().min(1).optional(),
  amount: amountSchema.min(1).optional().openapi({
    description: "Without lines and shipping, it is spread over all that is left of the order, by value",
  }),
  lines: linesSchema
    .optional()
    .openapi({ description: "What is refunded of each line: units, an amount, or both" }),
  shipping: amountSchema
    .min(1)
    .optional()
    .openapi({ description: "What is refunded of the shipping, VAT included" }),
  reference: line(120)
    .min(1)
    .optional()
    .openapi({ description: "Of what was given back elsewhere; then it is only recorded" }),
  through: z.enum(["service", "record"]).optional().openapi({
    description: "Unless set: through the service where it can, without a reference",
  }),
});
const bodySchema = bodyFields.refine(
  ({ amount, lines, shipping }) => (amount ?? lines ?? shipping) !== undefined,
  { path: ["amount"], message: "give an amount, lines or shipping" },
);

const resultSchema = z
  .object({
    ...adminOrderSchema.shape,
    refund: z.object({
      status: z.enum(["moved", "pending", "unclear", "failed", "recorded"]).openapi({
        description:
          "moved: the service gave it back; pending: it says later; recorded: the shop moved no money",
      }),
      id: z.string().optional(),
      provider: z.string(),
      amount: z.int(),
      currency: z.string(),
      reference: z.string(),
      said: z.string(),
      isSpread: z.boolean().openapi({
        description: "An amount that named no items: the credit note spreads it over all of them, by value",
      }),
      parts: z
        .array(refundPartSchema)
        .openapi({ description: 'What each line (or "shipping") gets of it; empty where it is spread' }),
    }),
  })
  .openapi("RefundedOrder");

interface RefundParts {
  readonly refunds: Refunds;
  readonly orders: Orders;
  readonly admin: AdminGuard;
}

/** Adds POST /api/admin/orders/{id}/refund and GET /api/admin/orders/{id}/refunds. */
export function addAdminRefundRoutes(app: ServiceApp, { refunds, orders, admin }: RefundParts): void {
  const refund = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/orders/{id}/refund",
    operationId: "adminRefundOrder",
    [FRESH_PROOF]: true,
    summary:
      "Give money back through the service that collected it, or record that it was given back elsewhere",
    request: {
      params: orderIdParams,
      body: jsonBody(bodySchema, {
        lines: [{ lineId: "lin_01jd5v6m0c8f3k2n7q4x9y1z5a", quantity: 1 }],
        note: "one of two came broken",
      }),
    },
    responses: { 200: jsonResponse("The order, and what became of the refund", resultSchema) },
    errors: [
      ...([...writeErrors, "not_found", "illegal_transition", "version_conflict", "conflict"] as const),
      ...(["already_exists", "payment_service_failed"] as const),
    ],
  });
  app.openapi(refund, async (c) => {
    const { id } = c.req.valid("param");
    const done = await refunds.refund({ ...c.req.valid("json"), id, actor: c.var.actor });
    const found = await orders.get(id, { isAdmin: true });
    const { status, provider, amount, currency, reference, said, parts } = done.refund;
    const facts = { status, id: done.refund.id, provider, amount, currency, reference, said };
    const shown = { ...facts, isSpread: parts === undefined, parts: parts ?? [] };
    return c.json({ ...toAdminOrderView(found.order, found.handedOver), refund: shown }, 200);
  });
  const list = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: "/api/admin/orders/{id}/refunds",
    operationId: "adminListRefunds",
    summary: "What was given back through payment services, the newest first",
    request: { params: orderIdParams },
    responses: { 200: jsonResponse("The refunds", refundListSchema) },
  });
  app.openapi(list, async (c) =>
    c.json({ items: (await refunds.list(c.req.valid("param").id)).map(refundView.show) }, 200),
  );
}
