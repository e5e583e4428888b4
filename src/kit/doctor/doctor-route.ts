/** A check of the whole install, for administrators of each service: GET /api/admin/doctor. */
import { createRoute } from "@hono/zod-openapi";
import type { Env, MiddlewareHandler } from "hono";
import type { ServiceApp } from "../http/app.ts";
import { type DoctorView, doctorSchema } from "../observe/doctor-schema.ts";
import { type ProblemResponse, jsonResponse } from "../http/schemas.ts";

const example: DoctorView = {
  verdict: "warning",
  findings: [
    { check: "services", level: "ok", message: "The monitor responds (version 0.1.0)" },
    {
      check: "backups",
      level: "warning",
      message: "Backups are disabled",
      advice: "Set BACKUP_DIR to a folder outside the data folder, preferably on another disk",
    },
  ],
};

interface DoctorAccess<E extends Env> {
  readonly tag: string;
  /** The administrative scope that opens it. */
  readonly scope: string;
  /** Lets only administrators pass. */
  readonly guard: MiddlewareHandler<E>;
  /** The credentials that the guard takes. */
  readonly security: Record<string, string[]>[];
  /** The guard's own refusals, by status. */
  readonly refusals: Readonly<Record<number, ProblemResponse>>;
}

const nothing = async (): Promise<DoctorView> => ({ verdict: "ok", findings: [] });

export function addDoctorRoute<E extends Env>(
  app: ServiceApp,
  examine: (() => Promise<DoctorView>) | undefined,
  { tag, scope, guard, security, refusals }: DoctorAccess<E>,
): void {
  const adminExamine = createRoute({
    tags: [tag],
    "x-access": "admin",
    "x-scope": scope,
    security,
    middleware: guard,
    method: "get",
    path: "/api/admin/doctor",
    operationId: "adminExamine",
    summary:
      "Check the services, ports, data folder, backups, mail server, public URLs and proxy of this install",
    description: "Same as `trivet doctor`, run by the service itself. It can take several seconds.",
    responses: { 200: jsonResponse("The findings", doctorSchema, example), ...refusals },
  });
  app.openapi(adminExamine, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await (examine ?? nothing)(), 200);
  });
}
