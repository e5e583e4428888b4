/** Subscriptions for administrators: lists, cancellation, extension. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/paging.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { subscriptionStates } from "../subscriptions/schema.ts";
import {
  type SubscriptionView,
  renewalView,
  subscriptionPageSchema,
  subscriptionSchema,
  subscriptionView,
} from "./answer-schema.ts";
import { subscriptionExtensionSchema, subscriptionMoveSchema } from "./change-schema.ts";
import type { ShownSubscription, Subscriptions } from "./subscriptions.ts";

const TAG = "admin subscriptions";
const PATH = "/api/admin/subscriptions";

const time = "2026-11-21T09:00:00.000+00:00";
const until = "2027-11-21T09:00:00.000+00:00";
const example: SubscriptionView = {
  id: "sub_01jd5v6m0c8f3k2n7q4x9y1z5c",
  version: 4,
  number: "S-7KQ4MP2X",
  orderId: "ord_01jd5v6m0c8f3k2n7q4x9y1z5a",
  orderNumber: "251121-7KQ4MPXA",
  lineId: "lin_01jd5v6m0c8f3k2n7q4x9y1z5a",
  productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
  title: "Photo Desk",
  options: { devices: "3 devices" },
  currency: "EUR",
  state: "active",
  way: "automatic",
  every: "year",
  count: 1,
  graceDays: 7,
  price: 2_900,
  quantity: 1,
  paidUntil: until,
  renewsAt: until,
  provider: "stripe",
  reference: "sub_1QK0000000000000000000",
  email: "ann@example.org",
  renewals: [
    {
      number: 1,
      orderId: "ord_01jd5v6m0c8f3k2n7q4x9y1z5b",
      orderNumber: "261107-2XQ4MPXB",
      total: 2_900,
      state: "paid",
      from: time,
      until,
    },
  ],
  events: [{ at: time, by: "system", event: "paid", note: "261107-2XQ4MPXB" }],
  createdAt: time,
  updatedAt: time,
};

const querySchema = pageQuerySchema.extend({
  state: z.enum(subscriptionStates).optional(),
  orderId: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .openapi({ description: "Of the order that they began with" }),
});

function toView({ subscription, first, renewals, price, quantity }: ShownSubscription): SubscriptionView {
  const { terms, remote, state, paidUntil, events } = subscription;
  const isRenewing = state === "active" || state === "past_due";
  return {
    ...subscriptionView.show(subscription),
    every: terms.every,
    count: terms.count,
    graceDays: terms.graceDays,
    price,
    quantity,
    renewsAt: isRenewing ? toIsoTime(paidUntil) : undefined,
    provider: remote?.provider,
    reference: remote?.reference || undefined,
    problem: remote?.said,
    email: first?.email,
    orderNumber: first?.number,
    renewals: renewals.map(renewalView.show),
    events: events.map(({ at, ...event }) => Object.assign({ at: toIsoTime(at) }, event)),
  };
}

interface Parts {
  readonly subscriptions: Subscriptions;
  readonly admin: AdminGuard;
}

function addReadRoutes(app: ServiceApp, { subscriptions, admin }: Parts): void {
  const list = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListSubscriptions",
    summary: "List subscriptions, newest first",
    request: { query: querySchema },
    responses: { 200: jsonResponse("A page of subscriptions", subscriptionPageSchema, { items: [example] }) },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(list, async (c) =>
    c.json(toPageView(await subscriptions.list(c.req.valid("query")), toView), 200),
  );
  const get = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/{id}`,
    operationId: "adminGetSubscription",
    summary: "Get a subscription with its renewals and its history",
    request: { params: idParams(example.id) },
    responses: { 200: jsonResponse("The subscription", subscriptionSchema, example) },
  });
  app.openapi(get, async (c) => {
    const shown = await subscriptions.get(c.req.valid("param").id);
    c.header("etag", `"${shown.subscription.version}"`);
    return c.json(toView(shown), 200);
  });
}

const moves = {
  cancel:
    "Cancel a subscription with effect at the end of the paid period. A repeated request changes nothing",
  resume: "Undo a cancellation before the paid period ends",
} as const;

function addMoveRoutes(app: ServiceApp, { subscriptions, admin }: Parts): void {
  for (const name of ["cancel", "resume"] as const) {
    const route = createRoute({
      ...adminRoute(TAG, admin),
      method: "post",
      path: `${PATH}/{id}/${name}`,
      operationId: name === "cancel" ? "adminCancelSubscription" : "adminResumeSubscription",
      summary: moves[name],
      request: {
        params: idParams(example.id),
        headers: ifMatchHeader,
        body: jsonBody(
          subscriptionMoveSchema
            .clone()
            .openapi(name === "cancel" ? "SubscriptionCancellation" : "SubscriptionResumption"),
          { version: 4 },
        ),
      },
      responses: { 200: jsonResponse("The subscription", subscriptionSchema, example) },
      errors: [...writeErrors, "not_found", "conflict", "version_conflict", "stale_version"],
    });
    app.openapi(route, async (c) => {
      const about = { ...c.req.valid("json"), ifMatch: readIfMatch(c.req.header("if-match")) };
      const shown = await subscriptions[name](c.req.valid("param").id, { ...about, actor: c.var.actor });
      c.header("etag", `"${shown.subscription.version}"`);
      return c.json(toView(shown), 200);
    });
  }
  const extend = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/{id}/extend`,
    operationId: "adminExtendSubscription",
    summary: "Extend the paid period without a payment. Later periods are counted from the new end",
    request: {
      params: idParams(example.id),
      headers: ifMatchHeader,
      body: jsonBody(subscriptionExtensionSchema.clone().openapi("SubscriptionExtension"), {
        paidUntil: "2028-01-31T09:00:00+00:00",
        version: 4,
      }),
    },
    responses: { 200: jsonResponse("The subscription", subscriptionSchema, example) },
    errors: [...writeErrors, "not_found", "conflict", "version_conflict", "stale_version"],
  });
  app.openapi(extend, async (c) => {
    const about = { ...c.req.valid("json"), ifMatch: readIfMatch(c.req.header("if-match")) };
    const shown = await subscriptions.extend(c.req.valid("param").id, { ...about, actor: c.var.actor });
    c.header("etag", `"${shown.subscription.version}"`);
    return c.json(toView(shown), 200);
  });
}

/** Adds the routes. */
export function addAdminSubscriptionRoutes(app: ServiceApp, parts: Parts): void {
  addReadRoutes(app, parts);
  addMoveRoutes(app, parts);
}
