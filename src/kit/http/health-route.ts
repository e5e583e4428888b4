/** GET /api/health of a service. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "./app.ts";
import { jsonResponse } from "./schemas.ts";
import type { HealthReport } from "../observe/health.ts";

export const healthSchema = z.object({
  status: z.enum(["ok", "degraded", "failing"]),
  version: z.string(),
  newerVersion: z
    .string()
    .optional()
    .openapi({ description: "A newer release, if UPDATE_CHECK is set", example: "1.3.0" }),
  timestamp: z.iso.datetime(),
  uptimeSeconds: z.number().int(),
  checks: z.record(z.string(), z.object({ status: z.enum(["ok", "failing"]), durationMs: z.number().int() })),
  data: z
    .object({
      damaged: z.number().int().openapi({ description: "Number of damaged or missing files" }),
      checkedAt: z.iso
        .datetime()
        .optional()
        .openapi({ description: "Time of the last full verification of the stored data" }),
    })
    .optional(),
});

/** Adds the route; the schema is that of the reports which `health` gives. */
export function addHealthRoute(
  app: ServiceApp,
  health: () => Promise<HealthReport>,
  schema: z.ZodType<HealthReport> = healthSchema,
): void {
  const route = createRoute({
    method: "get",
    path: "/api/health",
    operationId: "getHealth",
    tags: ["operation"],
    "x-access": "public",
    summary: "Health check of the service",
    responses: {
      200: jsonResponse("Healthy or degraded", schema),
      503: jsonResponse("Unhealthy", schema),
    },
  });
  app.openapi(route, async (c) => {
    const report = await health();
    c.header("cache-control", "no-store");
    return c.json(report, report.status === "failing" ? 503 : 200);
  });
}
