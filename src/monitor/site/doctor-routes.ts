/** A check of the whole install, for administrators: GET /api/admin/doctor. */
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { GuardEnv } from "../http/admin-guard.ts";
import { adminRoute, createRoute } from "../http/create-route.ts";
import { type DoctorView, doctorSchema } from "./doctor-schema.ts";

const example: DoctorView = {
  verdict: "warning",
  findings: [
    { check: "services", level: "ok", message: "The monitor answers (version 0.1.0)" },
    {
      check: "backups",
      level: "warning",
      message: "No backups are made",
      advice: "Set BACKUP_DIR to a folder outside of the data folder, best on another disk",
    },
  ],
};

/** Adds the route. */
export function addDoctorRoute(
  app: ServiceApp,
  { examine, guard }: { examine: () => Promise<DoctorView>; guard: MiddlewareHandler<GuardEnv> },
): void {
  const adminExamine = createRoute({
    ...adminRoute("operation", guard),
    method: "get",
    path: "/api/admin/doctor",
    operationId: "adminExamine",
    summary:
      "Check services, ports, data folder, backups, mail server, public addresses and proxy of this install",
    description: "The same as `trivet doctor`, seen by the running program. It may take some seconds.",
    responses: { 200: jsonResponse("What was found", doctorSchema, example) },
  });
  app.openapi(adminExamine, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await examine(), 200);
  });
}
