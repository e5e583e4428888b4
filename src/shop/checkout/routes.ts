/** Checkout and its preview; the same body makes an order in POST /api/orders. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { viewOf } from "../../kit/http/view.ts";
import type { Caller } from "../users/caller.ts";
import { APPLICATION_SCOPE } from "../../records/rights/application-scopes.ts";
import {
  type GuestGuard,
  type UserGuard,
  optionalBearer,
  toCaller,
  userErrors,
  userRoute,
} from "../edge/user-guard.ts";
import type { Orders } from "../orders/orders.ts";
import { orderDiscountSchema } from "../coupons/order-discounts.ts";
import { orderLineSchema } from "../orders/schema.ts";
import { orderSchema, paymentSchema } from "../orders/answer-schema.ts";
import { toOrderView, toPaymentView } from "../orders/views.ts";
import type { Checkout } from "./checkout.ts";
import { isUnguessable } from "./idempotency.ts";
import { type CheckoutInput, checkoutBodySchema, previewBodySchema } from "./schema.ts";
import { orderTaxSchema, vatCheckSchema } from "../tax/schema.ts";
import { createRoute } from "../edge/create-route.ts";

const checkoutExample = {
  items: [{ productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a", quantity: 1 }],
  contact: { email: "ann@example.org" },
};

/** An order with the token that opens it and how to pay it. */
const checkoutResultSchema = z
  .object({
    order: orderSchema,
    accessToken: z.string().optional().openapi({
      description:
        "Access token of the order; absent when a guest repeats a request with a short Idempotency-Key",
    }),
    payment: paymentSchema.optional(),
  })
  .openapi("CheckoutResult");

/** Everything that making an order can be refused with. */
const checkoutErrors = [
  ...userErrors,
  ...writeErrors,
  "checkout_closed",
  "order_refused",
  "quantity_limit",
  "coupon_invalid",
  "gift_card_invalid",
  "price_changed",
  "out_of_stock",
  "too_many_pending",
  "rate_limited",
  "idempotency_in_progress",
  "idempotency_key_reused",
] as const;

const idempotencyHeader = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\u0021-\u007e]+$/u, "must be printable ASCII without spaces")
    .optional()
    .openapi({
      description:
        "Unique text per order. Repeating a request with the same key creates only one order. Use a UUID or other 128 random bits: when a guest repeats a request with a key of fewer than 22 characters, the response has neither accessToken nor delivered items",
    }),
});

interface CheckoutParts {
  readonly checkout: Checkout;
  readonly orders: Orders;
  readonly guest: GuestGuard;
  readonly user: UserGuard;
}

/** Places an order for a caller, with the response status: 200 if the same request has already placed it. */
async function checkOut(
  { checkout, orders }: CheckoutParts,
  caller: Caller,
  { body, key }: { body: CheckoutInput; key: string | undefined },
): Promise<{ view: z.infer<typeof checkoutResultSchema>; status: 200 | 201 }> {
  const repeatable = key === undefined ? undefined : { key, requestHash: hashSecret(JSON.stringify(body)) };
  const { order, orderToken, payment, isRepeat } = await checkout.order(body, caller, repeatable);
  // Guests share the space of keys: who can guess one must not get another buyer's order with it.
  const isProved = !isRepeat || caller.user !== undefined || (key !== undefined && isUnguessable(key));
  // An order of nothing is handed over at once.
  const { handedOver, files } =
    !isProved || order.status === "pending_payment"
      ? { handedOver: [], files: undefined }
      : await orders.get(order.id, { orderToken });
  const view = {
    order: toOrderView({ order, handedOver, files, payment: undefined }),
    ...(isProved && { accessToken: orderToken }),
    payment: payment && toPaymentView(payment),
  };
  return { view, status: isRepeat ? 200 : 201 };
}

const previewLine = viewOf(orderLineSchema, [
  ...(["productId", "variantId", "title", "quantity", "unitPrice", "subtotal", "discount", "total"] as const),
  ...(["taxRate", "tax"] as const),
]);
const shippingQuoteSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  deliveryTime: z.string(),
  price: z.int().openapi({ description: "Shipping price for this cart in minor units" }),
});
const previewSchema = z
  .object({
    currency: z.string(),
    subtotal: z.int(),
    discount: z.int(),
    discounts: z.array(orderDiscountSchema).openapi({
      description: "Automatic discounts and the coupon, as far as they apply; discount is the sum of amount",
    }),
    shipping: z.int(),
    total: z.int(),
    tax: orderTaxSchema.optional(),
    pricesIncludeTax: z.boolean().optional(),
    isEstimate: z.boolean().openapi({
      description: "Whether shipping or tax can change when the country or address is known",
    }),
    shippingMethods: z
      .array(shippingQuoteSchema)
      .openapi({ description: "Available shipping methods; empty: flat rate" }),
    shippingMethodId: z.string().optional().openapi({ description: "Shipping method used for these prices" }),
    lines: z.array(
      z.object({
        ...previewLine.shape,
        isAvailable: z.boolean().openapi({ description: "Whether the requested quantity is in stock" }),
        left: z.int().optional().openapi({
          description: "Remaining units, if there are too few or the shop shows exact numbers",
        }),
      }),
    ),
    giftCards: z
      .array(
        z.object({
          lastFour: z.string(),
          amount: z.int().openapi({ description: "What the card pays of this order" }),
          balance: z.int().openapi({ description: "What the card has now" }),
        }),
      )
      .openapi({ description: "Gift cards that pay, in the order of giftCardCodes" }),
    amountDue: z.int().openapi({ description: "The total without what gift cards pay" }),
    needsAccount: z.boolean().openapi({
      description:
        "Whether the order is free and requires a sign-in, because the shop accepts free orders only from accounts",
    }),
    consents: z.array(z.object({ name: z.enum(["digitalContent", "terms"]), wording: z.string() })).openapi({
      description: "Consents that the buyer must give with exactly this wording: `consents` of the checkout",
    }),
    vatCheck: vatCheckSchema.pick({ state: true, isHeld: true }).optional().openapi({
      description:
        "Check of the VAT ID, if the shop requires one. away: VIES doesn't respond; isHeld: no VAT is charged, and the order is delivered after the check",
    }),
    orderButton: z.string().optional().openapi({
      description: "Label of the order button, if EU consumer law is enabled and the order is not free",
    }),
  })
  .openapi("CheckoutPreview");

function addPreview(app: ServiceApp, { checkout, guest }: CheckoutParts): void {
  const route = createRoute({
    method: "post",
    path: "/api/checkout/preview",
    operationId: "previewCheckout",
    tags: ["checkout"],
    "x-access": "public",
    security: optionalBearer,
    [APPLICATION_SCOPE]: "purchases:read",
    middleware: guest("purchases:read"),
    summary:
      "Preview the prices and availability of a cart without storing anything. Only items are required",
    request: { body: jsonBody(previewBodySchema, { items: checkoutExample.items }) },
    responses: { 200: jsonResponse("Prices", previewSchema) },
    errors: checkoutErrors,
  });
  app.openapi(route, async (c) => {
    const { lines, shippingMethods, consents, ...sums } = await checkout.preview(
      c.req.valid("json"),
      toCaller(c, c.var.guestOrUser),
    );
    const shown = lines.map((line) => {
      const { isAvailable, left } = line;
      return { ...previewLine.show(line), isAvailable, left };
    });
    const lists = { shippingMethods: [...shippingMethods], lines: shown, consents: [...consents] };
    return c.json({ ...sums, ...lists }, 200);
  });
}

/** Adds POST /api/checkout with its preview, and POST /api/orders. */
export function addCheckoutRoutes(app: ServiceApp, parts: CheckoutParts): void {
  const base = {
    method: "post",
    request: { headers: idempotencyHeader, body: jsonBody(checkoutBodySchema, checkoutExample) },
    responses: {
      201: jsonResponse("The order", checkoutResultSchema),
      200: jsonResponse("The existing order of the same request", checkoutResultSchema),
    },
    errors: checkoutErrors,
  } as const;
  const route = createRoute({
    ...base,
    path: "/api/checkout",
    operationId: "checkout",
    tags: ["checkout"],
    "x-access": "public",
    security: optionalBearer,
    [APPLICATION_SCOPE]: "purchases:write",
    middleware: parts.guest("purchases:write"),
    summary: "Place an order as a guest or signed-in user",
  });
  app.openapi(route, async (c) => {
    const request = { body: c.req.valid("json"), key: c.req.valid("header")["idempotency-key"] };
    const { view, status } = await checkOut(parts, toCaller(c, c.var.guestOrUser), request);
    c.header("cache-control", "no-store");
    return c.json(view, status);
  });
  const ownRoute = createRoute({
    ...base,
    path: "/api/orders",
    operationId: "createOrder",
    ...userRoute("orders", parts.user, "purchases:write"),
    summary: "Place an order as the signed-in user. Same as POST /api/checkout",
  });
  app.openapi(ownRoute, async (c) => {
    const request = { body: c.req.valid("json"), key: c.req.valid("header")["idempotency-key"] };
    const { view, status } = await checkOut(parts, toCaller(c, c.var.user), request);
    c.header("cache-control", "no-store");
    return c.json(view, status);
  });
  addPreview(app, parts);
}
