/** Refunds by administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { line, text } from "../../kit/text/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { amountSchema, positiveAmountSchema } from "../base/money-schema.ts";
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
      amount: positiveAmountSchema.optional().openapi({
        description: "Refund for the line in minor units, including VAT. Default: the price of the units",
      }),
    }),
  )
  .min(1)
  .max(100);

const bodyFields = z.strictObject({
  note: text(1_000).default(""),
  version: z.number().int().min(1).optional(),
  amount: positiveAmountSchema.optional().openapi({
    description:
      "Amount in minor units. Without lines and shipping, it is distributed over the remaining order by value",
  }),
  lines: linesSchema.optional().openapi({ description: "Refund per line: units, an amount or both" }),
  shipping: amountSchema
    .min(1)
    .optional()
    .openapi({ description: "Refund of the shipping in minor units, including VAT" }),
  reference: line(120)
    .min(1)
    .optional()
    .openapi({ description: "Reference of a refund made elsewhere, which is then only recorded" }),
  through: z.enum(["service", "record"]).optional().openapi({
    description:
      "Whether to refund through the payment provider. Default: yes, if the provider supports refunds and no reference is given",
  }),
});
const bodySchema = bodyFields.refine(
  ({ amount, lines, shipping }) => (amount ?? lines ?? shipping) !== undefined,
  { path: ["amount"], message: "amount, lines or shipping is required" },
);

const resultSchema = z
  .object({
    ...adminOrderSchema.shape,
    refund: z.object({
      status: z.enum(["moved", "pending", "unclear", "failed", "recorded"]).openapi({
        description:
          "moved: the provider refunded the money; pending: the provider confirms later; recorded: no money was moved",
      }),
      id: z.string().optional(),
      provider: z.string(),
      amount: z.int(),
      currency: z.string(),
      reference: z.string(),
      said: z.string(),
      isSpread: z.boolean().openapi({
        description:
          "Whether the amount was not assigned to items, so that the credit note distributes it over all items by value",
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
    summary: "Refund an order through its payment provider, or record a refund made elsewhere",
    request: {
      params: orderIdParams,
      body: jsonBody(bodySchema, {
        lines: [{ lineId: "lin_01jd5v6m0c8f3k2n7q4x9y1z5a", quantity: 1 }],
        note: "one of two arrived damaged",
      }),
    },
    responses: { 200: jsonResponse("The order and the result of the refund", resultSchema) },
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
    summary: "List the refunds through payment providers, newest first",
    request: { params: orderIdParams },
    responses: { 200: jsonResponse("The refunds", refundListSchema) },
  });
  app.openapi(list, async (c) =>
    c.json({ items: (await refunds.list(c.req.valid("param").id)).map(refundView.show) }, 200),
  );
}
