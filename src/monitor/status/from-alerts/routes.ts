/** Administration: an incident of an alert becomes a draft of a status page. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../../kit/http/schemas.ts";
import type { GuardEnv } from "../../edge/admin-env.ts";
import { adminRoute, createRoute } from "../../edge/create-route.ts";
import { postViewSchema } from "../post-schema.ts";
import { examplePostView, toPostView } from "../post-routes.ts";
import type { AlertPosts } from "./alert-posts.ts";

const params = z.object({
  id: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: "id", in: "path" }, example: "inc_01jd5w7n1d9g4m3p8r5y0z2a6b" }),
});
const bodySchema = z.strictObject({
  pageId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      "ID of the status page. Default: the page with an affected component, otherwise the first page",
    ),
});
const exampleDraft = { ...examplePostView, state: "draft" as const };

export function addAlertPostRoutes(
  app: ServiceApp,
  { alertPosts, guard }: { alertPosts: AlertPosts; guard: MiddlewareHandler<GuardEnv> },
): void {
  const route = createRoute({
    ...adminRoute("status", guard),
    method: "post",
    path: "/api/admin/incidents/{id}/draft",
    operationId: "adminDraftIncident",
    summary: "Create a draft post from an alert. It is not visible until you publish it",
    request: { params, body: jsonBody(bodySchema, {}) },
    responses: {
      200: jsonResponse("The existing post", postViewSchema, exampleDraft),
      201: jsonResponse("The draft", postViewSchema, exampleDraft),
    },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(route, async (c) => {
    const { pageId } = c.req.valid("json");
    const { post, isNew } = await alertPosts.draft(c.req.valid("param").id, { pageId, actor: c.var.actor });
    c.header("location", `/api/admin/status-pages/${post.pageId}/posts/${post.id}`);
    c.header("etag", `"${post.version}"`);
    return isNew ? c.json(toPostView(post), 201) : c.json(toPostView(post), 200);
  });
}
