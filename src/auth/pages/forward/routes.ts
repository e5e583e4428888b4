/** What a reverse proxy asks before it lets a request through to an application. */
import type { ServiceApp } from "../../../kit/http/app.ts";
import { AppError } from "../../../kit/errors.ts";
import { FORWARDED_QUERY } from "../../../kit/http/query-names.ts";
import { type Gate, isNavigation } from "./gate.tsx";
import { toForwardHeaders } from "../../sessions/validation-views.ts";
import { createRoute } from "../../http/create-route.ts";

const TAG = "tokens";

/** Adds GET /api/auth/forward. */
export function addForwardRoutes(app: ServiceApp, gate: Gate): void {
  const route = createRoute({
    tags: [TAG],
    "x-access": "public",
    security: [],
    [FORWARDED_QUERY]: true,
    method: "get",
    path: "/api/auth/forward",
    operationId: "forwardAuth",
    summary:
      "Whether a browser or program may use the application of X-Forwarded-Host; asked by reverse proxies",
    responses: {
      204: { description: "It may; who comes is in the X-Auth- headers" },
      302: { description: "A person who opens a page signs in first" },
    },
    errors: ["bad_request", "unauthenticated", "forbidden", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const gateway = await gate.open(c);
    const { site, visitor } = gateway;
    if (visitor === undefined) {
      if (isNavigation(c)) return gate.begin(c, gateway);
      throw new AppError("unauthenticated", `Sign in at ${site.origin}/, or send an access token as Bearer`);
    }
    if (visitor.isAllowed) return c.body(null, 204, toForwardHeaders(visitor.subject));
    if (isNavigation(c)) return gate.refuse(c, gateway, visitor);
    throw new AppError("forbidden", `The account may not use the application "${site.client.id}"`);
  });
}
