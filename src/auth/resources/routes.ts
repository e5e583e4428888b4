/** Resources that applications may request tokens for, for administrators. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { type AdminMiddleware, adminRoute, recordIdParams } from "../edge/admin-views.ts";
import { createRoute } from "../edge/create-route.ts";
import type { Resources } from "./resources.ts";
import { type ResourceRecord, builtInResources, resourceFieldsSchema } from "./schema.ts";

const PATH = "/api/admin/resources";
const { shape } = resourceFieldsSchema;
const resourceSchema = z
  .object({
    id: z.string(),
    ...shape,
    createdAt: isoTime,
    version: z.int().openapi({ description: "Also the entity tag" }),
  })
  .openapi("Resource");
const listSchema = z.object({
  builtIn: z.array(
    z.object({ identifier: z.enum(["auth", "shop", "monitor"]), scopes: z.array(z.string()) }),
  ),
  items: z.array(resourceSchema),
});

const exampleFields = {
  identifier: "https://api.example.org",
  title: "Photo library",
  scopes: [{ name: "photos:read", title: "See your photos" }],
};
const example = {
  id: "rsc_01jd5v6m0c8f3k2n7q4x9y1z5a",
  ...exampleFields,
  createdAt: "2025-11-20T12:10:00.000+00:00",
  version: 1,
};
const response = jsonResponse("The resource", resourceSchema, example);
const toRecordView = createView(resourceSchema);

const builtIn = (["auth", "shop", "monitor"] as const).map((identifier) => ({
  identifier,
  scopes: [...builtInResources[identifier]],
}));

function toView(resource: ResourceRecord): z.infer<typeof resourceSchema> {
  return toRecordView(resource, { version: resource.editVersion });
}

/** The resource as an answer's body; its version is the ETag. */
function show(c: Context, resource: ResourceRecord): z.infer<typeof resourceSchema> {
  c.header("etag", `"${resource.editVersion}"`);
  return toView(resource);
}

/** Adds the routes below /api/admin/resources. */
export function addResourceRoutes(
  app: ServiceApp,
  { resources, admin }: { readonly resources: Resources; readonly admin: AdminMiddleware },
): void {
  const list = createRoute({
    ...adminRoute("applications", admin),
    method: "get",
    path: PATH,
    operationId: "adminListResources",
    summary: "What applications may request tokens for: the install's services, and registered resources",
    responses: { 200: jsonResponse("All of them", listSchema, { builtIn, items: [example] }) },
  });
  app.openapi(list, async (c) =>
    c.json({ builtIn, items: (await resources.list()).map((resource) => toView(resource)) }, 200),
  );

  const create = createRoute({
    ...adminRoute("applications", admin),
    method: "post",
    path: PATH,
    operationId: "adminCreateResource",
    summary: "Register a resource; its identifier stays as it is",
    request: { body: jsonBody(resourceFieldsSchema, exampleFields) },
    responses: { 201: response },
    errors: [...writeErrors, "already_exists"],
  });
  app.openapi(create, async (c) => {
    const resource = await resources.create(c.req.valid("json"), c.var.actor);
    return c.json(show(c, resource), 201);
  });

  const change = createRoute({
    ...adminRoute("applications", admin),
    method: "patch",
    path: `${PATH}/{id}`,
    operationId: "adminChangeResource",
    summary: "Change a resource's title or scopes; If-Match guards against lost updates",
    request: {
      params: recordIdParams,
      headers: ifMatchHeader,
      body: jsonBody(
        z.strictObject({ title: shape.title.optional(), scopes: shape.scopes.unwrap().optional() }),
        { title: "Photo library" },
      ),
    },
    responses: { 200: response },
    errors: [...writeErrors, "not_found", "stale_version", "conflict"],
  });
  app.openapi(change, async (c) => {
    const version = readIfMatch(c.req.header("if-match"));
    const options = { change: c.req.valid("json"), version, actor: c.var.actor };
    return c.json(show(c, await resources.change(c.req.valid("param").id, options)), 200);
  });

  const remove = createRoute({
    ...adminRoute("applications", admin),
    method: "delete",
    path: `${PATH}/{id}`,
    operationId: "adminDeleteResource",
    summary: "Remove a resource that no application lists",
    request: { params: recordIdParams },
    responses: { 204: { description: "It is gone" } },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(remove, async (c) => {
    await resources.remove(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}
