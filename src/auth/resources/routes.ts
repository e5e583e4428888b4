/** Resources that applications may request tokens for, for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { type AdminMiddleware, adminRoute, recordIdParams } from "../edge/admin-views.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import type { Resources } from "./resources.ts";
import {
  type ResourceRecord,
  type ResourceView,
  builtInResources,
  resourceChangeSchema,
  resourceFieldsSchema,
} from "./schema.ts";

const PATH = "/api/admin/resources";
const { shape } = resourceFieldsSchema;
const resourceSchema = z
  .object({
    id: z.string(),
    ...shape,
    createdAt: isoTime,
    version: z.int().openapi({ description: "Also the ETag" }),
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
const toRecordView = createView(resourceSchema);

const builtIn = (["auth", "shop", "monitor"] as const).map((identifier) => ({
  identifier,
  scopes: [...builtInResources[identifier]],
}));

function toView(resource: ResourceRecord): ResourceView {
  return toRecordView(resource, { version: resource.editVersion });
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
    summary:
      "List the resources that applications can request tokens for: the services of this install and registered resources",
    responses: { 200: jsonResponse("All items", listSchema, { builtIn, items: [example] }) },
  });
  app.openapi(list, async (c) =>
    c.json({ builtIn, items: (await resources.listAll()).map((resource) => toView(resource)) }, 200),
  );

  resourceRoutes(app, {
    route: adminRoute("applications", admin),
    path: PATH,
    name: "Resource",
    noun: "resource",
    params: recordIdParams,
    view: resourceSchema,
    example,
    show: toView,
    get: { summary: "Get a registered resource", run: resources.get },
    create: {
      summary: "Register a resource. Its identifier cannot be changed later",
      body: resourceFieldsSchema,
      example: exampleFields,
      errors: ["already_exists"],
      run: resources.create,
    },
    change: {
      summary: "Change the title or scopes of a resource. If-Match prevents lost updates",
      body: resourceChangeSchema,
      example: { title: "Photo library" },
      errors: ["conflict"],
      run: resources.change,
    },
    remove: {
      summary: "Delete a resource that no application uses",
      errors: ["conflict"],
      run: resources.remove,
    },
  });
}
