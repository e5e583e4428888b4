/** Actions of administrators on an order other than moves: notes, resending emails, replacing keys, restocking. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import type { Orders } from "../orders/orders.ts";
import { orderIdParams } from "../orders/routes.ts";
import type { OrderRecord } from "../orders/schema.ts";
import type { AdminMove } from "./admin-move.ts";
import type { OrderCare } from "./care.ts";
import { ORDERS_TAG, addMoveRoute } from "./move-routes.ts";
import { keyReplacementSchema, mailAgainSchema, moveSchema, orderNoteSchema } from "./schema.ts";
import { orderLinkSchema } from "./answer-schema.ts";

const lineId = z.string().min(1).max(100);
const exampleLine = "lin_01jd5v6m0c8f3k2n7q4x9y1z5a";

const noteSchema = orderNoteSchema.clone().openapi("OrderNote");
const restockSchema = z
  .strictObject({
    ...moveSchema.shape,
    lines: z
      .array(z.strictObject({ lineId, quantity: z.number().int().min(1).max(10_000) }))
      .min(1)
      .max(100)
      .refine((all) => new Set(all.map((one) => one.lineId)).size === all.length, "must not repeat a line"),
  })
  .openapi("OrderRestock");
const mailSchema = mailAgainSchema.clone().openapi("OrderMailAgain");
const keySchema = keyReplacementSchema.clone().openapi("OrderKeyReplacement");

interface CareParts {
  readonly orders: Orders;
  readonly orderCare: OrderCare;
  readonly admin: AdminGuard;
}

const cares = {
  note: {
    operationId: "adminNoteOrder",
    summary: "Add an internal note to an order",
    schema: noteSchema,
    example: { note: "rang up: the parcel may go to the neighbour" },
    errors: [],
  },
  restock: {
    operationId: "adminRestockOrder",
    summary: "Restock units of an order that were returned or not shipped",
    schema: restockSchema,
    example: { lines: [{ lineId: exampleLine, quantity: 1 }], note: "unopened" },
    errors: [],
  },
  "repeat-mail": {
    operationId: "adminRepeatOrderMail",
    summary: "Resend an email about an order with its current content",
    schema: mailSchema,
    example: { mail: "order_delivered" },
    errors: [],
  },
  "replace-key": {
    operationId: "adminReplaceOrderKey",
    summary: "Replace a license key that does not work. The buyer is notified by email unless mail is false",
    schema: keySchema,
    example: { lineId: exampleLine, index: 0, note: "it had been used" },
    errors: ["out_of_stock"],
  },
} as const;
type CareName = keyof typeof cares;

/** Does it with its checked body. */
function doCare(
  care: OrderCare,
  name: CareName,
  { move, body }: { readonly move: AdminMove; readonly body: unknown },
): Promise<OrderRecord> {
  switch (name) {
    case "note":
      return care.note(move);
    case "restock":
      return care.restock({ ...cares[name].schema.parse(body), ...move });
    case "repeat-mail":
      return care.repeatMail({ ...cares[name].schema.parse(body), ...move });
    case "replace-key":
      return care.replaceKey({ ...cares[name].schema.parse(body), ...move });
  }
}

function addLink(app: ServiceApp, { orderCare, admin }: CareParts): void {
  const route = createRoute({
    ...adminRoute(ORDERS_TAG, admin),
    method: "post",
    path: "/api/admin/orders/{id}/link",
    operationId: "adminOpenOrder",
    summary: "Get the URL of the buyer's order page, which opens without sign-in. Recorded in the audit log",
    request: { params: orderIdParams },
    responses: {
      200: jsonResponse("The URL", orderLinkSchema, {
        url: "https://shop.example.org/orders/261121-7KQ4MPXA?token=ot_3q2-7w",
      }),
    },
  });
  app.openapi(route, async (c) => {
    const url = await orderCare.link({ id: c.req.valid("param").id, actor: c.var.actor });
    c.header("cache-control", "no-store");
    return c.json({ url }, 200);
  });
}

export function addOrderCareRoutes(app: ServiceApp, parts: CareParts): void {
  for (const name of ["note", "restock", "repeat-mail", "replace-key"] as const)
    addMoveRoute(app, parts, {
      ...cares[name],
      name,
      run: (done) => doCare(parts.orderCare, name, done),
    });
  addLink(app, parts);
}
