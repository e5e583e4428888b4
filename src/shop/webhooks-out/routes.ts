/** Webhooks to others, for administrators: endpoints, their secrets, and what was sent. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { viewOf } from "../../kit/http/view.ts";
import { isoTimeSchema, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import type { WebhookLog } from "./deliveries.ts";
import type { EndpointState, WebhookEndpoints } from "./endpoints.ts";
import {
  type DeliveryView,
  deliveryListSchema,
  deliverySchema,
  deliveryView,
  wholeDeliverySchema,
} from "./answer-schema.ts";
import {
  type DeliveryRecord,
  deliveryStateSchema,
  endpointChangeSchema,
  endpointRecordSchema,
  newEndpointSchema,
} from "./schema.ts";
import type { createWebhookSender } from "./sender.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

const TAG = "admin webhooks";
const PATH = "/api/admin/webhooks";
const ITEM = `${PATH}/{id}` as const;
const LOG = `${ITEM}/deliveries` as const;

const newSchema = newEndpointSchema.clone().openapi("NewWebhook");
const changeSchema = endpointChangeSchema
  .extend({ version: z.int().min(1).optional() })
  .openapi("WebhookChange");

const endpoint = viewOf(
  endpointRecordSchema,
  ["id", "version", "url", "description", "types", "offReason"],
  ["previousUntil", "createdAt", "updatedAt"],
);
const stateShape = {
  ...endpoint.shape,
  enabled: z.boolean(),
  failingSince: isoTimeSchema
    .optional()
    .describe("Start of the failures: every attempt since then has failed"),
  nextAttemptAt: isoTimeSchema
    .optional()
    .describe("Time of the next attempt while deliveries fail; at least one per minute"),
};
const endpointSchema = z.object(stateShape).openapi("Webhook");
const secretSchema = z
  .object({ ...stateShape, secret: z.string().describe("Shown only in this response") })
  .openapi("WebhookSecret");

function toEndpointView({
  endpoint: record,
  failingSince,
  pausedUntil,
}: EndpointState): z.infer<typeof endpointSchema> {
  return {
    ...endpoint.show(record),
    enabled: record.on !== undefined,
    failingSince: toIsoTimeIfAny(failingSince),
    nextAttemptAt: toIsoTimeIfAny(pausedUntil),
  };
}

function toDeliveryView(record: DeliveryRecord): DeliveryView {
  const { state, nextAttemptAt } = record;
  const next = state === "waiting" ? nextAttemptAt : undefined;
  return { ...deliveryView.show(record), nextAttemptAt: toIsoTimeIfAny(next) };
}

const at = "2026-11-21T09:00:00.000+00:00";
const exampleNew = { url: "https://erp.example.org/trivet", types: ["order.paid", "stock.out"] } as const;
const exampleEndpoint = {
  ...exampleNew,
  id: "whe_01jd5v6m0c8f3k2n7q4x9y1z5a",
  version: 1,
  description: "",
  enabled: true,
  createdAt: at,
  updatedAt: at,
};
const exampleDelivery = {
  id: "whd_01jd5v6m0c8f3k2n7q4x9y1z5b",
  eventId: "evt_01jd5v6m0c8f3k2n7q4x9y1z5c",
  type: "order.paid",
  state: "sent",
  attempts: 1,
  lastStatus: 200,
  lastAnswer: "ok",
  durationMs: 41,
  createdAt: at,
  lastAttemptAt: at,
  sentAt: at,
};
const secretAnswer = jsonResponse("The webhook with its secret, which is not shown again", secretSchema, {
  ...exampleEndpoint,
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0p1q2r3s4t4=",
});
const answer = jsonResponse(
  "The webhook. The ETag is its version, for If-Match",
  endpointSchema,
  exampleEndpoint,
);
const params = idParams(exampleEndpoint.id);
const logParams = params.extend({
  deliveryId: z
    .string()
    .min(1)
    .max(100)
    .openapi({ param: { name: "deliveryId", in: "path" }, example: exampleDelivery.id }),
});

interface WebhookParts {
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookLog: WebhookLog;
  readonly webhookSender: ReturnType<typeof createWebhookSender>;
  readonly admin: AdminGuard;
}

function addWebhooks(app: ServiceApp, { webhookEndpoints: endpoints, admin }: WebhookParts): void {
  resourceRoutes(app, {
    route: adminRoute(TAG, admin),
    path: PATH,
    name: "Webhook",
    noun: "webhook",
    params,
    view: endpointSchema,
    example: exampleEndpoint,
    show: toEndpointView,
    listAll: {
      summary: "List all webhooks",
      page: pageSchema(endpointSchema).openapi("WebhookList"),
      run: () => endpoints.list(),
    },
    get: { summary: "Get a webhook with its delivery state", run: (id) => endpoints.get(id) },
    change: {
      summary: "Change, disable or enable a webhook. Waiting events are sent when it is enabled again",
      body: changeSchema,
      example: { enabled: false },
      run: (id, fields, by) => endpoints.change(id, { fields, ...by }),
    },
    remove: {
      summary: "Delete a webhook with its waiting events and its log",
      run: (id, { actor }) => endpoints.remove(id, actor),
    },
  });
}

function addCreateRoute(app: ServiceApp, { webhookEndpoints: endpoints, admin }: WebhookParts): void {
  const create = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: PATH,
    operationId: "adminCreateWebhook",
    summary: "Create a webhook. Only this response contains the signing secret",
    request: { body: jsonBody(newSchema, exampleNew) },
    responses: { 201: secretAnswer },
    errors: [...writeErrors, "conflict"],
  });
  app.openapi(create, async (c) => {
    const { secret, ...made } = await endpoints.create(c.req.valid("json"), c.var.actor);
    c.header("etag", `"${made.endpoint.version}"`);
    c.header("location", `${PATH}/${made.endpoint.id}`);
    return c.json({ ...toEndpointView(made), secret }, 201);
  });
}

function addActRoutes(app: ServiceApp, parts: WebhookParts): void {
  const { webhookEndpoints, webhookLog, webhookSender, admin } = parts;
  const rotate = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${ITEM}/rotate-secret`,
    operationId: "adminRotateWebhookSecret",
    summary: "Rotate the signing secret. For one day, requests are also signed with the previous one",
    request: { params },
    responses: { 200: secretAnswer },
  });
  app.openapi(rotate, async (c) => {
    const { secret, ...found } = await webhookEndpoints.rotate(c.req.valid("param").id, c.var.actor);
    return c.json({ ...toEndpointView(found), secret }, 200);
  });

  const resume = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${ITEM}/resume`,
    operationId: "adminResumeWebhook",
    [FRESH_PROOF]: false,
    summary: "Send all waiting events now",
    request: { params },
    responses: { 200: answer },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(resume, async (c) => {
    const { id } = c.req.valid("param");
    const found = await webhookEndpoints.resume(id, c.var.actor);
    webhookSender.wake([id]);
    return c.json(toEndpointView(found), 200);
  });

  const test = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${ITEM}/test`,
    operationId: "adminTestWebhook",
    [FRESH_PROOF]: false,
    summary: "Send a webhook.test event immediately and return the response of the endpoint",
    request: { params },
    responses: { 200: jsonResponse("The response of the endpoint", deliverySchema, exampleDelivery) },
    errors: ["invalid", "not_found", "unavailable", "store_unavailable"],
  });
  app.openapi(test, async (c) =>
    c.json(toDeliveryView(await webhookLog.test(c.req.valid("param").id, c.var.actor)), 200),
  );
}

function addLogRoutes(app: ServiceApp, { webhookLog, webhookSender, admin }: WebhookParts): void {
  const list = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: LOG,
    operationId: "adminListWebhookDeliveries",
    summary:
      "List sent and waiting deliveries, newest first. Sent ones are stored for three days, failed ones for seven",
    request: { params, query: pageQuerySchema.extend({ state: deliveryStateSchema.optional() }) },
    responses: {
      200: jsonResponse("Deliveries", deliveryListSchema, {
        items: [exampleDelivery],
      }),
    },
  });
  app.openapi(list, async (c) => {
    const page = await webhookLog.list(c.req.valid("param").id, c.req.valid("query"));
    return c.json(toPageView(page, toDeliveryView), 200);
  });

  const get = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${LOG}/{deliveryId}`,
    operationId: "adminGetWebhookDelivery",
    summary: "Get a delivery with its body",
    request: { params: logParams },
    responses: {
      200: jsonResponse("The delivery", wholeDeliverySchema, {
        ...exampleDelivery,
        body: '{"type":"order.paid"}',
      }),
    },
  });
  app.openapi(get, async (c) => {
    const { id, deliveryId } = c.req.valid("param");
    const found = await webhookLog.get(id, deliveryId);
    return c.json({ ...toDeliveryView(found), body: found.body }, 200);
  });

  const redeliver = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${LOG}/{deliveryId}/redeliver`,
    operationId: "adminRedeliverWebhook",
    [FRESH_PROOF]: false,
    summary: "Resend an event with the same webhook-id",
    request: { params: logParams },
    responses: { 200: jsonResponse("The delivery, queued for sending", deliverySchema, exampleDelivery) },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(redeliver, async (c) => {
    const { id, deliveryId } = c.req.valid("param");
    const found = await webhookLog.redeliver(id, deliveryId, c.var.actor);
    webhookSender.wake([id]);
    return c.json(toDeliveryView(found), 200);
  });
}

/** Adds the routes below /api/admin/webhooks. */
export function addAdminWebhookRoutes(app: ServiceApp, parts: WebhookParts): void {
  addWebhooks(app, parts);
  addCreateRoute(app, parts);
  addActRoutes(app, parts);
  addLogRoutes(app, parts);
}
