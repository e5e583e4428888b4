/** What administrators do for an order beside its moves: notes, mails again, another key, units back to the shelf. */
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
      .refine((all) => new Set(all.map((one) => one.lineId)).size === all.length, "must have each line once"),
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
    summary: "Keep a note on the order, which its buyer does not see",
    schema: noteSchema,
    example: { note: "rang up: the parcel may go to the neighbour" },
    errors: [],
  },
  restock: {
    operationId: "adminRestockOrder",
    summary: "Put units of the order back into the stock: they came back, or never left",
    schema: restockSchema,
    example: { lines: [{ lineId: exampleLine, quantity: 1 }], note: "unopened" },
    errors: [],
  },
  "repeat-mail": {
    operationId: "adminRepeatOrderMail",
    summary: "Send the buyer a mail about the order once more, as it would read now",
    schema: mailSchema,
    example: { mail: "order_delivered" },
    errors: [],
  },
  "replace-key": {
    operationId: "adminReplaceOrderKey",
    summary: "Give another licence key in place of one that does not work, and mail it unless mail is false",
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
    summary: "The address of the buyer's page, which opens the order without a sign-in; noted in the audit",
    request: { params: orderIdParams },
    responses: {
      200: jsonResponse("The email address", z.object({ url: z.string() }).openapi("OrderLink"), {
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
