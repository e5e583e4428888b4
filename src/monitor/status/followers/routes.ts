/** Administration of who follows a status page: list, add, remove, export. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../../kit/http/app.ts";
import { pageQuerySchema } from "../../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../../kit/http/schemas.ts";
import type { GuardEnv } from "../../edge/admin-env.ts";
import { adminRoute, createRoute } from "../../edge/create-route.ts";
import type { StatusPages } from "../status-pages.ts";
import type { Followers } from "./followers.ts";
import { subscriberListSchema } from "./answer-schema.ts";
import { type SubscriberView, addedSubscriberSchema, subscriberViewSchema } from "./schema.ts";

const PATH = "/api/admin/status-pages/{pageId}/subscribers";
const exampleView: SubscriberView = {
  id: "sub_01jd5v6m0c8f3k2n7q4x9y1z5a",
  way: "mail",
  address: "ada@example.org",
  componentIds: [],
  language: "en",
  state: "active",
  consent: "address",
  createdAt: "2025-11-20T12:00:00+00:00",
  activeSince: "2025-11-20T12:04:00+00:00",
};
const pageParams = z.object({
  pageId: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: "pageId", in: "path" }, example: "stp_01jd5v6m0c8f3k2n7q4x9y1z5a" }),
});
const subscriberParams = pageParams.extend({
  subscriberId: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: "subscriberId", in: "path" }, example: exampleView.id }),
});
const addedSchema = subscriberViewSchema.extend({
  secret: z.string().optional().describe("Secret that signs the requests to the webhook"),
});

export interface SubscriberRouteParts {
  readonly followers: Pick<Followers, "admin" | "findFault">;
  readonly pages: Pick<StatusPages, "get">;
  readonly guard: MiddlewareHandler<GuardEnv>;
}

function addReads(app: ServiceApp, { followers, pages, guard }: SubscriberRouteParts): void {
  const adminListSubscribers = createRoute({
    ...adminRoute("status", guard),
    method: "get",
    path: PATH,
    operationId: "adminListSubscribers",
    summary: "List the subscribers of a status page, newest first, with the available subscription types",
    request: {
      params: pageParams,
      query: pageQuerySchema.extend({ state: z.enum(["pending", "active"]).optional() }),
    },
    responses: {
      200: jsonResponse("A page of items", subscriberListSchema, {
        items: [exampleView],
        counts: { active: 1, pending: 0 },
        faults: {},
      }),
    },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(adminListSubscribers, async (c) => {
    const { pageId } = c.req.valid("param");
    const page = await pages.get(pageId);
    const list = await followers.admin.list(pageId, c.req.valid("query"));
    const faults = {
      mail: await followers.findFault(page, "mail"),
      webhook: await followers.findFault(page, "webhook"),
    };
    return c.json({ ...list, items: [...list.items], faults }, 200);
  });

  const csv: Record<string, { schema: { type: "string" } }> = { "text/csv": { schema: { type: "string" } } };
  const adminExportSubscribers = createRoute({
    ...adminRoute("status", guard),
    method: "get",
    path: `${PATH}/export`,
    operationId: "adminExportSubscribers",
    summary: "Export the subscribers of a status page as CSV",
    request: { params: pageParams },
    responses: { 200: { description: "The subscribers, oldest first", content: csv } },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(adminExportSubscribers, async (c) => {
    const { pageId } = c.req.valid("param");
    const { slug } = await pages.get(pageId);
    return c.body(await followers.admin.export(pageId, c.var.actor), 200, {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="subscribers-${slug}.csv"`,
      "cache-control": "no-store",
    });
  });
}

function addChanges(app: ServiceApp, { followers, guard }: SubscriberRouteParts): void {
  const adminAddSubscriber = createRoute({
    ...adminRoute("status", guard),
    method: "post",
    path: PATH,
    operationId: "adminAddSubscriber",
    summary: "Add a subscriber who has given consent",
    request: {
      params: pageParams,
      body: jsonBody(addedSubscriberSchema, { address: "ada@example.org", hasConsent: true }),
    },
    responses: { 201: jsonResponse("The subscriber", addedSchema, exampleView) },
    errors: [...writeErrors, "not_found", "already_exists", "conflict"],
  });
  app.openapi(adminAddSubscriber, async (c) => {
    const { pageId } = c.req.valid("param");
    return c.json(await followers.admin.add(pageId, c.req.valid("json"), c.var.actor), 201);
  });

  const adminRemoveSubscriber = createRoute({
    ...adminRoute("status", guard),
    method: "delete",
    path: `${PATH}/{subscriberId}`,
    operationId: "adminRemoveSubscriber",
    summary: "Remove a subscriber without a notification",
    request: { params: subscriberParams },
    responses: { 204: { description: "Deleted" } },
  });
  app.openapi(adminRemoveSubscriber, async (c) => {
    const { pageId, subscriberId } = c.req.valid("param");
    await followers.admin.remove(pageId, subscriberId, c.var.actor);
    return c.body(null, 204);
  });
}

/** Adds the routes below /api/admin/status-pages/{pageId}/subscribers. */
export function addSubscriberRoutes(app: ServiceApp, parts: SubscriberRouteParts): void {
  addReads(app, parts);
  addChanges(app, parts);
}
