/** How routes of the monitor are declared. */
import type { MiddlewareHandler } from "hono";
import { commonErrors } from "../../kit/errors.ts";
import { createResourceRoutes } from "../../kit/http/resource-routes.ts";
import { createRoutes } from "../../kit/http/schemas.ts";
import type { monitorNouns } from "./groups.ts";
import { type GuardEnv, adminErrors, adminSecurity } from "./admin-env.ts";

/** `createRoute` of zod-openapi, with the errors of a route by their codes. */
export const createRoute = createRoutes(commonErrors);

/** Adds the routes of a noun where nothing special happens. */
export const resourceRoutes = createResourceRoutes(commonErrors);

/** The common part of the admin routes of one noun. */
export function adminRoute<M extends MiddlewareHandler<GuardEnv>>(
  tag: keyof typeof monitorNouns,
  middleware: M,
) {
  return {
    tags: [tag],
    "x-access": "admin" as const,
    security: adminSecurity,
    guardErrors: adminErrors,
    middleware,
  };
}
