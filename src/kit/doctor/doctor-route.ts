/** A check of the whole install, for administrators of each service: GET /api/admin/doctor. */
import { createRoute } from "@hono/zod-openapi";
import type { Env, MiddlewareHandler } from "hono";
import type { ServiceApp } from "../http/app.ts";
import { type DoctorView, doctorSchema } from "../observe/doctor-schema.ts";
import { type ProblemResponse, jsonResponse } from "../http/schemas.ts";

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
      "Check services, ports, data folder, backups, mail server, public addresses and proxy of this install",
    description: "The same as `trivet doctor`, seen by the running program. It may take some seconds.",
    responses: { 200: jsonResponse("What was found", doctorSchema, example), ...refusals },
  });
  app.openapi(adminExamine, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await (examine ?? nothing)(), 200);
  });
}
