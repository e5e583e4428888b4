/** Checkout and its preview; the same body makes an order in POST /api/orders. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { text, languageTag } from "../../kit/text/schemas.ts";
import type { Caller } from "../users/caller.ts";
import type { Checkout, CheckoutInput, CheckoutResult, Repeatable } from "./checkout.ts";
import type { Orders } from "../orders/orders.ts";
import { addressSchema, emailSchema } from "../orders/schema.ts";
import { MAX_QUANTITY } from "../products/schema.ts";
import { orderSchema, paymentSchema, toOrderView, toPaymentView } from "../orders/views.ts";
import { type GuestGuard, optionalBearer, toCaller, userErrors } from "../http/user-guard.ts";

const inputsSchema = z.record(z.string().max(40), z.string().max(2_000));

export const checkoutBodySchema = z.strictObject({
  items: z
    .array(
      z.strictObject({
        productId: z.string().min(1).max(100),
        variantId: z.string().min(1).max(100).optional(),
        quantity: z.number().int().min(1).max(MAX_QUANTITY),
        inputs: inputsSchema.optional(),
      }),
    )
    .min(1)
    .max(100),
  contact: z.strictObject({ email: emailSchema }),
  couponCode: z.string().max(60).optional(),
  inputs: inputsSchema.optional(),
  shippingAddress: addressSchema.optional(),
  note: text(2_000).optional(),
  paymentMethod: z.string().max(40).optional(),
  expectedTotal: z.number().int().min(0).optional(),
  language: languageTag.optional(),
});

export const checkoutExample = {
  items: [{ productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a", quantity: 1 }],
  contact: { email: "ann@example.org" },
};

/** An order with the token that opens it and how to pay it. */
export const checkoutResultSchema = z
  .object({ order: orderSchema, accessToken: z.string(), payment: paymentSchema.optional() })
  .openapi("CheckoutResult");

/** Everything that making an order can be refused with. */
export const checkoutErrors = [
  ...userErrors,
  ...writeErrors,
  "checkout_closed",
  "quantity_limit",
  "coupon_invalid",
  "price_changed",
  "out_of_stock",
  "too_many_pending",
  "rate_limited",
  "idempotency_in_progress",
  "idempotency_key_reused",
] as const;

export const idempotencyHeader = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\u0021-\u007e]+$/u, "must be printable ASCII without spaces")
    .optional()
    .openapi({
      description: "Any text of your own, such as a UUID: the same request with it makes one order",
    }),
});

/** The body as the logic wants it. */
export function toCheckoutInput(body: z.infer<typeof checkoutBodySchema>): CheckoutInput {
  const { contact, inputs = {}, note = "", ...rest } = body;
  return { ...rest, email: contact.email, inputs, note };
}

/** The key of a request with the hash of what it asks for. */
export function toRepeatable(key: string | undefined, body: unknown): Repeatable | undefined {
  return key === undefined ? undefined : { key, requestHash: hashSecret(JSON.stringify(body)) };
}

/** What makes an order of a cart. */
export interface CheckoutParts {
  readonly checkout: Checkout;
  readonly orders: Orders;
}

/** What checkout made, as an answer's body. */
export async function toCheckoutView(
  { orders }: Pick<CheckoutParts, "orders">,
  { order, orderToken, payment }: CheckoutResult,
): Promise<z.infer<typeof checkoutResultSchema>> {
  // An order of nothing is handed over at once.
  const handedOver =
    order.status === "pending_payment" ? [] : (await orders.get(order.id, { orderToken })).handedOver;
  return {
    order: toOrderView({ order, handedOver, payment: undefined }),
    accessToken: orderToken,
    ...(payment === undefined ? {} : { payment: toPaymentView(payment) }),
  };
}

/** Makes an order for a caller, with the status of the answer: 200 when it had been made before. */
export async function checkOut(
  parts: CheckoutParts,
  request: { body: z.infer<typeof checkoutBodySchema>; key: string | undefined; caller: Caller },
): Promise<{ view: z.infer<typeof checkoutResultSchema>; status: 200 | 201 }> {
  const { body, key, caller } = request;
  const result = await parts.checkout.order(toCheckoutInput(body), caller, toRepeatable(key, body));
  return { view: await toCheckoutView(parts, result), status: result.isRepeat ? 200 : 201 };
}

const previewSchema = z
  .object({
    currency: z.string(),
    subtotal: z.int(),
    discount: z.int(),
    shipping: z.int(),
    total: z.int(),
    lines: z.array(
      z.object({
        productId: z.string(),
        variantId: z.string().optional(),
        title: z.string(),
        quantity: z.int(),
        unitPrice: z.int(),
        subtotal: z.int(),
        discount: z.int(),
        total: z.int(),
        isAvailable: z.boolean().openapi({ description: "Whether there is enough of it now" }),
        left: z.int().optional().openapi({
          description: "Units that are left, when there are too few or the shop shows exact numbers",
        }),
      }),
    ),
  })
  .openapi("CheckoutPreview");

/** Items are enough; what else an order holds is looked at when it is there. */
const previewBodySchema = z.strictObject({
  ...checkoutBodySchema.shape,
  contact: checkoutBodySchema.shape.contact.optional(),
});

interface CheckoutRouteParts extends CheckoutParts {
  readonly guest: GuestGuard;
}

function addPreview(app: ServiceApp, { checkout, guest }: CheckoutRouteParts): void {
  const route = createRoute({
    method: "post",
    path: "/api/checkout/preview",
    operationId: "previewCheckout",
    tags: ["checkout"],
    "x-access": "public",
    security: optionalBearer,
    middleware: guest,
    summary: "What an order would cost, and of what there is enough; items alone will do, nothing is stored",
    request: { body: jsonBody(previewBodySchema, { items: checkoutExample.items }) },
    responses: { 200: jsonResponse("Prices", previewSchema), ...problemResponses(...checkoutErrors) },
  });
  app.openapi(route, async (c) => {
    const { contact = { email: "" }, ...body } = c.req.valid("json");
    const input = toCheckoutInput({ ...body, contact });
    const { lines, ...sums } = await checkout.preview(input, toCaller(c, c.var.guestOrUser));
    const shown = lines.map(
      ({
        productId,
        variantId,
        title,
        quantity,
        unitPrice,
        subtotal,
        discount,
        total,
        isAvailable,
        left,
      }) => ({
        productId,
        ...(variantId === undefined ? {} : { variantId }),
        title,
        quantity,
        unitPrice,
        subtotal,
        discount,
        total,
        isAvailable,
        ...(left === undefined ? {} : { left }),
      }),
    );
    return c.json({ ...sums, lines: shown }, 200);
  });
}

/** Adds POST /api/checkout and its preview. */
export function addCheckoutRoutes(app: ServiceApp, parts: CheckoutRouteParts): void {
  const route = createRoute({
    method: "post",
    path: "/api/checkout",
    operationId: "checkout",
    tags: ["checkout"],
    "x-access": "public",
    security: optionalBearer,
    middleware: parts.guest,
    summary: "Order, as a guest or signed in",
    request: { headers: idempotencyHeader, body: jsonBody(checkoutBodySchema, checkoutExample) },
    responses: {
      201: jsonResponse("The order", checkoutResultSchema),
      200: jsonResponse("The order that the same request made before", checkoutResultSchema),
      ...problemResponses(...checkoutErrors),
    },
  });
  app.openapi(route, async (c) => {
    const key = c.req.valid("header")["idempotency-key"];
    const caller = toCaller(c, c.var.guestOrUser);
    const { view, status } = await checkOut(parts, { body: c.req.valid("json"), key, caller });
    c.header("cache-control", "no-store");
    return c.json(view, status);
  });
  addPreview(app, parts);
}
