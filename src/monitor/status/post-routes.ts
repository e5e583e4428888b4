/** Administration of what is posted on status pages: incidents and maintenance with their updates. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import {
  type PostView,
  newPostSchema,
  newUpdateSchema,
  postPatchSchema,
  postViewSchema,
  updatePatchSchema,
} from "./post-schema.ts";
import type { PostName } from "./post-writing.ts";
import { type StatusRouteParts, pageParams } from "./routes.ts";
import { type PostRecord, postRecordSchema } from "./schema.ts";

const PATH = "/api/admin/status-pages/{pageId}/posts";
const COMPONENT = "cmp_01jd5v6m0c8f3k2n7q4x9y1z5b";
const exampleUpdate = {
  step: "investigating" as const,
  text: "Pages of the shop take up to 8 seconds.",
  components: { [COMPONENT]: "degraded_performance" as const },
};
const example = { title: "Shop is slow", update: exampleUpdate };
export const examplePostView: PostView = {
  id: "inc_01jd5v6m0c8f3k2n7q4x9y1z5c",
  version: 1,
  pageId: "stp_01jd5v6m0c8f3k2n7q4x9y1z5a",
  type: "incident",
  title: example.title,
  impact: "minor",
  state: "open",
  step: "investigating",
  updates: [{ ...exampleUpdate, id: "upd_01jd5v6m0c8f3k2n7q4x9y1z5d", at: "2025-11-20T14:02:00+00:00" }],
  components: exampleUpdate.components,
  startedAt: "2025-11-20T14:02:00+00:00",
  alertIncidentIds: [],
  createdAt: "2025-11-20T14:02:00+00:00",
  updatedAt: "2025-11-20T14:02:00+00:00",
};

const id = (name: string, shown: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .openapi({ param: { name, in: "path" }, example: shown });
const postParams = pageParams.extend({ postId: id("postId", examplePostView.id) });
const updateParams = postParams.extend({ updateId: id("updateId", "upd_01jd5v6m0c8f3k2n7q4x9y1z5d") });
const versionSchema = z.number().int().min(1).optional();
const changeErrors = [...writeErrors, "not_found", "conflict", "version_conflict", "stale_version"] as const;
const answer = { 200: jsonResponse("The updated post", postViewSchema, examplePostView) };

/** A post as administrators see it. */
export function toPostView(post: PostRecord): PostView {
  return {
    ...post,
    updates: post.updates.map((update) => ({ ...update, at: toIsoTime(update.at) })),
    startedAt: toIsoTime(post.startedAt),
    endedAt: toIsoTimeIfAny(post.endedAt),
    plannedFrom: toIsoTimeIfAny(post.plannedFrom),
    plannedTo: toIsoTimeIfAny(post.plannedTo),
    createdAt: toIsoTime(post.createdAt),
    updatedAt: toIsoTime(post.updatedAt),
  };
}

function toName({ pageId, postId }: z.infer<typeof postParams>): PostName {
  return { pageId, id: postId };
}

function addReads(app: ServiceApp, { status: { posts }, guard }: StatusRouteParts): void {
  const list = createRoute({
    ...adminRoute("status", guard),
    method: "get",
    path: PATH,
    operationId: "adminListStatusPosts",
    summary: "List incidents and maintenance of a status page, newest first",
    request: {
      params: pageParams,
      query: pageQuerySchema.extend({ state: postRecordSchema.shape.state.optional() }),
    },
    responses: {
      200: jsonResponse("A page of items", pageSchema(postViewSchema), { items: [examplePostView] }),
    },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(list, async (c) => {
    const page = await posts.list(c.req.valid("param").pageId, c.req.valid("query"));
    return c.json(toPageView(page, toPostView), 200);
  });

  const get = createRoute({
    ...adminRoute("status", guard),
    method: "get",
    path: `${PATH}/{postId}`,
    operationId: "adminGetStatusPost",
    summary: "Get an incident or maintenance",
    request: { params: postParams },
    responses: { 200: jsonResponse("The post", postViewSchema, examplePostView) },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(get, async (c) => {
    const view = toPostView(await posts.get(toName(c.req.valid("param"))));
    c.header("etag", `"${view.version}"`);
    return c.json(view, 200);
  });
}

function addChanges(app: ServiceApp, { status: { posts }, guard }: StatusRouteParts): void {
  const create = createRoute({
    ...adminRoute("status", guard),
    method: "post",
    path: PATH,
    operationId: "adminCreateStatusPost",
    summary: "Create an incident or maintenance, published or as a draft",
    request: { params: pageParams, body: jsonBody(newPostSchema, example) },
    responses: { 201: jsonResponse("The post", postViewSchema, examplePostView) },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(create, async (c) => {
    const { pageId } = c.req.valid("param");
    const view = toPostView(await posts.create(pageId, { fields: c.req.valid("json"), actor: c.var.actor }));
    c.header("location", `${PATH.replace("{pageId}", pageId)}/${view.id}`);
    c.header("etag", `"${view.version}"`);
    return c.json(view, 201);
  });

  const change = createRoute({
    ...adminRoute("status", guard),
    method: "patch",
    path: `${PATH}/{postId}`,
    operationId: "adminChangeStatusPost",
    summary: "Change the title, impact or planned time of a post. Subscribers are not notified",
    request: {
      params: postParams,
      headers: ifMatchHeader,
      body: jsonBody(postPatchSchema.extend({ version: versionSchema }), { title: "The shop is slow" }),
    },
    responses: answer,
    errors: changeErrors,
  });
  app.openapi(change, async (c) => {
    const { version, ...patch } = c.req.valid("json");
    const name = toName(c.req.valid("param"));
    const ifMatch = readIfMatch(c.req.header("if-match"));
    const post = await posts.change(name, { patch, version, ifMatch, actor: c.var.actor });
    c.header("etag", `"${post.version}"`);
    return c.json(toPostView(post), 200);
  });

  const remove = createRoute({
    ...adminRoute("status", guard),
    method: "delete",
    path: `${PATH}/{postId}`,
    operationId: "adminDeleteStatusPost",
    summary: "Delete a post with all its updates",
    request: { params: postParams },
    responses: { 204: { description: "Deleted" } },
  });
  app.openapi(remove, async (c) => {
    await posts.remove(toName(c.req.valid("param")), c.var.actor);
    return c.body(null, 204);
  });
}

function addPublishing(app: ServiceApp, { status: { posts }, guard }: StatusRouteParts): void {
  const publish = createRoute({
    ...adminRoute("status", guard),
    method: "post",
    path: `${PATH}/{postId}/publish`,
    operationId: "adminPublishStatusPost",
    summary: "Publish a draft",
    request: {
      params: postParams,
      body: jsonBody(z.strictObject({ notifies: z.boolean().default(true) }), { notifies: true }),
    },
    responses: answer,
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(publish, async (c) => {
    const { notifies } = c.req.valid("json");
    const post = await posts.publish(toName(c.req.valid("param")), { notifies, actor: c.var.actor });
    return c.json(toPostView(post), 200);
  });
}

function addUpdates(app: ServiceApp, { status: { posts }, guard }: StatusRouteParts): void {
  const add = createRoute({
    ...adminRoute("status", guard),
    method: "post",
    path: `${PATH}/{postId}/updates`,
    operationId: "adminAddStatusUpdate",
    summary: "Add an update to an incident or maintenance. The last step ends it",
    request: {
      params: postParams,
      headers: ifMatchHeader,
      body: jsonBody(newUpdateSchema.extend({ version: versionSchema }), {
        step: "resolved",
        text: "All systems are operational again.",
      }),
    },
    responses: answer,
    errors: changeErrors,
  });
  app.openapi(add, async (c) => {
    const { version, ...fields } = c.req.valid("json");
    const name = toName(c.req.valid("param"));
    const ifMatch = readIfMatch(c.req.header("if-match"));
    const post = await posts.addUpdate(name, { fields, version, ifMatch, actor: c.var.actor });
    return c.json(toPostView(post), 200);
  });

  const edit = createRoute({
    ...adminRoute("status", guard),
    method: "patch",
    path: `${PATH}/{postId}/updates/{updateId}`,
    operationId: "adminEditStatusUpdate",
    summary: "Edit an update. Subscribers are not notified",
    request: {
      params: updateParams,
      body: jsonBody(updatePatchSchema, { text: "All systems are operational." }),
    },
    responses: answer,
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(edit, async (c) => {
    const { updateId, ...name } = c.req.valid("param");
    const patch = c.req.valid("json");
    const post = await posts.editUpdate(toName(name), { updateId, patch, actor: c.var.actor });
    return c.json(toPostView(post), 200);
  });

  const remove = createRoute({
    ...adminRoute("status", guard),
    method: "delete",
    path: `${PATH}/{postId}/updates/{updateId}`,
    operationId: "adminDeleteStatusUpdate",
    summary: "Delete an update. The previous update becomes the current one",
    request: { params: updateParams },
    responses: answer,
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(remove, async (c) => {
    const { updateId, ...name } = c.req.valid("param");
    const post = await posts.removeUpdate(toName(name), { updateId, actor: c.var.actor });
    return c.json(toPostView(post), 200);
  });
}

export function addStatusPostRoutes(app: ServiceApp, parts: StatusRouteParts): void {
  addReads(app, parts);
  addChanges(app, parts);
  addPublishing(app, parts);
  addUpdates(app, parts);
}
