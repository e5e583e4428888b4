/** Finding an order again by its number and e-mail address: POST /api/orders/find. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, writeErrors } from "../../kit/http/schemas.ts";
import { trimmedLine } from "../../kit/text/schemas.ts";
import { createRoute } from "../edge/create-route.ts";
import type { OrderFinder } from "./find-order.ts";
import { emailSchema } from "../orders/schema.ts";

const bodySchema = z.strictObject({ number: trimmedLine(60), email: emailSchema }).openapi("OrderLookUp");

/** Adds POST /api/orders/find; before the routes of one order. */
export function addFindOrderRoute(
  app: ServiceApp,
  { orderFinder }: { readonly orderFinder: OrderFinder },
): void {
  const route = createRoute({
    method: "post",
    path: "/api/orders/find",
    operationId: "findOrder",
    tags: ["orders"],
    "x-access": "public",
    summary:
      "Send the link of an order to its email address. The response is the same if the order does not exist",
    request: { body: jsonBody(bodySchema, { number: "261121-7KQ4MPXA", email: "ann@example.org" }) },
    responses: { 204: { description: "If the order exists, an email was sent" } },
    errors: [...writeErrors, "rate_limited"],
  });
  app.openapi(route, async (c) => {
    await orderFinder.find(c.req.valid("json"), c.var.clientAddress);
    return c.body(null, 204);
  });
}
