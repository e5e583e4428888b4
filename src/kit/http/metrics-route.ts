/** GET /metrics of a service: OpenMetrics text, for administrators or for all. */
import { createRoute, z } from "@hono/zod-openapi";
import type { Context, Env, MiddlewareHandler } from "hono";
import type { ServiceApp } from "./app.ts";
import { AppError } from "../errors.ts";
import type { ProblemResponse } from "./schemas.ts";
import { type Metrics, METRICS_CONTENT_TYPE } from "../observe/metrics.ts";

/** Access to the metrics of a service. */
export interface MetricsAccess<E extends Env> {
  /** Lets only administrators pass. */
  readonly guard: MiddlewareHandler<E>;
  /** The credentials that the guard takes. */
  readonly security: Record<string, string[]>[];
  /** Errors of the guard, by status. */
  readonly refusals: Readonly<Record<number, ProblemResponse>>;
  /** The administrative scope that opens it. */
  readonly scope: string;
  /** Open to all: who shows no credential gets what everyone may know, an administrator all. */
  readonly isPublic: boolean;
  /** Whether that holds at this moment. Default: always. */
  readonly isOpen?: () => boolean;
}

/** Whether the caller claims to be an administrator, so that a wrong token is refused and not overlooked. */
function showsToken(c: Context): boolean {
  return (
    c.req.header("x-admin-token") !== undefined || /^Bearer\b/iu.test(c.req.header("authorization") ?? "")
  );
}

/** Lets everyone pass who shows no token, while it is open; `passed` learns who is an administrator. */
function openGuard<E extends Env>(
  { guard, isOpen = () => true }: MetricsAccess<E>,
  passed: WeakSet<Request>,
): MiddlewareHandler<E> {
  return async (c, next) => {
    try {
      await guard(c, async () => void passed.add(c.req.raw));
    } catch (error) {
      const isStranger = error instanceof AppError && error.code === "unauthenticated" && !showsToken(c);
      if (!isStranger || !isOpen()) throw error;
    }
    await next();
  };
}

export function addMetricsRoute<E extends Env>(
  app: ServiceApp,
  metrics: Metrics,
  access: MetricsAccess<E>,
): void {
  const { guard, security, refusals, isPublic } = access;
  const administrators = new WeakSet<Request>();
  const who = isPublic
    ? {
        "x-access": "public" as const,
        security: [{}, ...security],
        middleware: openGuard(access, administrators),
      }
    : { "x-access": "admin" as const, security, middleware: guard };
  app.openapi(
    createRoute({
      ...who,
      "x-scope": access.scope,
      method: "get",
      path: "/metrics",
      operationId: "getMetrics",
      tags: ["operation"],
      summary: "Metrics of the service and its process in the OpenMetrics text format",
      responses: {
        200: {
          description: "OpenMetrics 1.0",
          content: { "application/openmetrics-text": { schema: z.string() } },
        },
        ...refusals,
      },
    }),
    (c) => {
      const isAdministrator = !isPublic || administrators.has(c.req.raw);
      return c.body(metrics.render(isAdministrator ? "administrators" : "everyone"), 200, {
        "content-type": METRICS_CONTENT_TYPE,
        "cache-control": "no-store",
      });
    },
  );
}
