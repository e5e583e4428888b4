/** Administration of planned maintenance: list, create, replace, delete. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageSchema } from "../../kit/http/paging.ts";
import { ifMatchHeader, jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { changeFrom } from "../edge/versions.ts";
import type { Maintenance } from "./maintenance.ts";
import { type MaintenanceView, maintenanceFieldsSchema, maintenanceViewSchema } from "./schema.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";

const PATH = "/api/admin/maintenances";
const example = {
  name: "Sunday updates",
  scope: { type: "tag" as const, tag: "db" },
  schedule: { type: "weekly" as const, days: [7], from: "02:00", to: "04:00" },
};
const exampleView: MaintenanceView = {
  ...example,
  id: "mnt_01jd5v6m0c8f3k2n7q4x9y1z5a",
  version: 1,
  createdAt: "2025-11-20T12:00:00+00:00",
  updatedAt: "2025-11-20T12:00:00+00:00",
};
const params = z.object({
  id: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: "id", in: "path" }, example: exampleView.id }),
});
const version = z.number().int().min(1).optional();
const replaceSchema = maintenanceFieldsSchema.extend({ version });
const changeSchema = toPatchSchema(maintenanceFieldsSchema).extend({ version });

interface RouteParts {
  readonly maintenance: Maintenance;
  readonly guard: MiddlewareHandler<GuardEnv>;
}

function addReads(app: ServiceApp, parts: RouteParts): void {
  const { maintenance } = parts;
  const adminListMaintenances = createRoute({
    ...adminRoute("alerts", parts.guard),
    method: "get",
    path: PATH,
    operationId: "adminListMaintenances",
    summary: "Planned maintenance: while a window is open, nobody is notified of its servers",
    responses: {
      200: jsonResponse("All of it", pageSchema(maintenanceViewSchema), { items: [exampleView] }),
    },
  });
  app.openapi(adminListMaintenances, (c) => c.json({ items: [...maintenance.list()] }, 200));

  const adminGetMaintenance = createRoute({
    ...adminRoute("alerts", parts.guard),
    method: "get",
    path: `${PATH}/{id}`,
    operationId: "adminGetMaintenance",
    summary: "One planned maintenance",
    request: { params },
    responses: { 200: jsonResponse("The maintenance", maintenanceViewSchema, exampleView) },
  });
  app.openapi(adminGetMaintenance, async (c) => {
    const view = await maintenance.get(c.req.valid("param").id);
    c.header("etag", `"${view.version}"`);
    return c.json(view, 200);
  });
}

function addChanges(app: ServiceApp, parts: RouteParts): void {
  const { maintenance } = parts;
  const adminCreateMaintenance = createRoute({
    ...adminRoute("alerts", parts.guard),
    method: "post",
    path: PATH,
    operationId: "adminCreateMaintenance",
    summary: "Plan maintenance, once or weekly",
    request: { body: jsonBody(maintenanceFieldsSchema, example) },
    responses: { 201: jsonResponse("The maintenance", maintenanceViewSchema, exampleView) },
    errors: [...writeErrors, "conflict"],
  });
  app.openapi(adminCreateMaintenance, async (c) => {
    const view = await maintenance.create(c.req.valid("json"), c.var.actor);
    c.header("location", `${PATH}/${view.id}`);
    c.header("etag", `"${view.version}"`);
    return c.json(view, 201);
  });

  const adminDeleteMaintenance = createRoute({
    ...adminRoute("alerts", parts.guard),
    method: "delete",
    path: `${PATH}/{id}`,
    operationId: "adminDeleteMaintenance",
    summary: "Delete a planned maintenance; what it held back is sent",
    request: { params },
    responses: { 204: { description: "It is gone" } },
  });
  app.openapi(adminDeleteMaintenance, async (c) => {
    await maintenance.remove(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}

function addEdits(app: ServiceApp, parts: RouteParts): void {
  const { maintenance } = parts;
  const adminReplaceMaintenance = createRoute({
    ...adminRoute("alerts", parts.guard),
    method: "put",
    path: `${PATH}/{id}`,
    operationId: "adminReplaceMaintenance",
    summary: "Replace a planned maintenance",
    request: { params, headers: ifMatchHeader, body: jsonBody(replaceSchema, { ...example, version: 1 }) },
    responses: { 200: jsonResponse("The maintenance as it is now", maintenanceViewSchema, exampleView) },
  });
  app.openapi(adminReplaceMaintenance, async (c) => {
    const { version: given, ...fields } = c.req.valid("json");
    const { id } = c.req.valid("param");
    const view = await changeFrom({ ifMatch: c.req.header("if-match"), version: given }, (version) =>
      maintenance.replace(id, { fields, version, actor: c.var.actor }),
    );
    c.header("etag", `"${view.version}"`);
    return c.json(view, 200);
  });

  const adminChangeMaintenance = createRoute({
    ...adminRoute("alerts", parts.guard),
    method: "patch",
    path: `${PATH}/{id}`,
    operationId: "adminChangeMaintenance",
    summary: "Change some of a planned maintenance; what is left out stays as it is",
    request: { params, headers: ifMatchHeader, body: jsonBody(changeSchema, { name: "Night updates" }) },
    responses: { 200: jsonResponse("The maintenance as it is now", maintenanceViewSchema, exampleView) },
  });
  app.openapi(adminChangeMaintenance, async (c) => {
    const { version: given, ...patch } = c.req.valid("json");
    const { id } = c.req.valid("param");
    const view = await changeFrom({ ifMatch: c.req.header("if-match"), version: given }, (from) =>
      maintenance.change(id, { patch, version: from, actor: c.var.actor }),
    );
    c.header("etag", `"${view.version}"`);
    return c.json(view, 200);
  });
}

/** Adds the routes below /api/admin/maintenances. */
export function addMaintenanceRoutes(app: ServiceApp, parts: RouteParts): void {
  addReads(app, parts);
  addChanges(app, parts);
  addEdits(app, parts);
}
