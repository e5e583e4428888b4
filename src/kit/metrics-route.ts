/** GET /metrics of a service: OpenMetrics text, for administrators or for all. */
import { createRoute, z } from "@hono/zod-openapi";
import type { Env, MiddlewareHandler } from "hono";
import type { ServiceApp } from "./app.ts";
import type { ErrorCode } from "./errors.ts";
import { problemResponses } from "./http-schemas.ts";
import type { Metrics } from "./metrics.ts";
import { METRICS_CONTENT_TYPE } from "./metrics.ts";

/** Who may read the metrics of a service. */
export interface MetricsAccess<E extends Env> {
  /** Lets only administrators pass. */
  readonly guard: MiddlewareHandler<E>;
  /** The credentials that the guard takes. */
  readonly security: Record<string, string[]>[];
  /** What the guard refuses with. */
  readonly errors: readonly ErrorCode[];
  /** Open to all: the guard is not asked. */
  readonly isPublic: boolean;
}

/** Adds the route. */
export function addMetricsRoute<E extends Env>(
  app: ServiceApp,
  metrics: Metrics,
  access: MetricsAccess<E>,
): void {
  const { guard, security, errors, isPublic } = access;
  const who = isPublic
    ? { "x-access": "public" as const }
    : { "x-access": "admin" as const, security, middleware: guard };
  app.openapi(
    createRoute({
      ...who,
      method: "get",
      path: "/metrics",
      operationId: "getMetrics",
      tags: ["operation"],
      summary: "Metrics of the service and of the process, as OpenMetrics text",
      responses: {
        200: {
          description: "OpenMetrics 1.0",
          content: { "application/openmetrics-text": { schema: z.string() } },
        },
        ...(isPublic ? {} : problemResponses(...errors)),
      },
    }),
    (c) =>
      c.body(metrics.render(), 200, { "content-type": METRICS_CONTENT_TYPE, "cache-control": "no-store" }),
  );
}
