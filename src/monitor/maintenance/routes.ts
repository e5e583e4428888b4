/** Administration of planned maintenance: list, create, replace, delete. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import type { Maintenance } from "./maintenance.ts";
import { type MaintenanceView, maintenanceFieldsSchema, maintenanceViewSchema } from "./schema.ts";
import { adminRoute, resourceRoutes } from "../edge/create-route.ts";

const example = {
  name: "Sunday updates",
  scope: { type: "tag" as const, tag: "db" },
  schedule: { type: "weekly" as const, days: [7], from: "02:00", to: "04:00" },
};
const exampleView: MaintenanceView = {
  ...example,
  id: "mnt_01jd5v6m0c8f3k2n7q4x9y1z5a",
  version: 1,
  nextFrom: "2025-11-23T02:00:00+00:00",
  nextTo: "2025-11-23T04:00:00+00:00",
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

/** Adds the routes below /api/admin/maintenances. */
export function addMaintenanceRoutes(
  app: ServiceApp,
  { maintenance, guard }: { readonly maintenance: Maintenance; readonly guard: MiddlewareHandler<GuardEnv> },
): void {
  const { records } = maintenance;
  resourceRoutes(app, {
    route: adminRoute("alerts", guard),
    path: "/api/admin/maintenances",
    name: "Maintenance",
    noun: "planned maintenance",
    nouns: "planned maintenance",
    params,
    view: maintenanceViewSchema,
    example: exampleView,
    show: (record) => maintenance.toView(record),
    listAll: {
      summary:
        "List planned maintenance. During a window, notifications about its servers and checks are held back",
      run: () => Promise.resolve(maintenance.list()),
    },
    get: { run: records.get },
    create: {
      summary: "Create planned maintenance: once, every week or month, or by a cron expression",
      body: maintenanceFieldsSchema,
      example,
      errors: ["conflict"],
      run: records.create,
    },
    replace: { body: replaceSchema, example: { ...example, version: 1 }, run: records.change },
    change: {
      summary: "Change some fields of planned maintenance",
      body: changeSchema,
      example: { name: "Night updates" },
      run: records.change,
    },
    remove: {
      summary: "Delete planned maintenance. Notifications that it held back are sent",
      run: records.remove,
    },
  });
}
