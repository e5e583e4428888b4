/** A service's metadata for programs that need a token (RFC 9728). */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../http/app.ts";
import { RESOURCE_METADATA_PATH } from "../http/security-headers.ts";
import { AppError } from "../errors.ts";
import { jsonResponse, problemResponses } from "../http/schemas.ts";

export interface ProtectedResource {
  /** The value of `resource`. */
  readonly resource: string;
  /** The issuer of its tokens. */
  readonly authorizationServer: string;
  readonly scopes: readonly string[];
  readonly name: string;
}

const metadataSchema = z
  .object({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
    resource_name: z.string(),
  })
  .openapi("ProtectedResource");
const example = {
  resource: "https://shop.example.org",
  authorization_servers: ["https://accounts.example.org"],
  scopes_supported: ["purchases:read"],
  bearer_methods_supported: ["header"],
  resource_name: "Shop",
};

/** Adds the route; `find` answers undefined where no auth center gives tokens for the service. */
export function addProtectedResourceRoute(
  app: ServiceApp,
  find: (requestUrl: string) => ProtectedResource | undefined,
): void {
  const route = createRoute({
    method: "get",
    path: RESOURCE_METADATA_PATH,
    operationId: "getProtectedResource",
    tags: ["operation"],
    "x-access": "public",
    security: [],
    summary: "Protected resource metadata (RFC 9728): the auth center and scopes of this service",
    responses: {
      200: jsonResponse("The metadata", metadataSchema, example),
      ...problemResponses("not_found"),
    },
  });
  app.openapi(route, (c) => {
    const found = find(c.req.url);
    if (found === undefined)
      throw new AppError("not_found", "This service is not connected to an auth center");
    c.header("cache-control", "public, max-age=300");
    return c.json(
      {
        resource: found.resource,
        authorization_servers: [found.authorizationServer],
        scopes_supported: [...found.scopes],
        bearer_methods_supported: ["header"],
        resource_name: found.name,
      },
      200,
    );
  });
}
