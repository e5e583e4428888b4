/**
 * Refuses query parameters that a route does not declare: a misspelt filter that is ignored answers with
 * everything. Holds below /api; pages and files take whatever a link carries.
 */
import { z, type OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { toInvalidError } from "../text/validation.ts";

/** A route with this member is called by proxies, some of which forward the query of the original request. */
export const FORWARDED_QUERY = "x-forwarded-query";
/** A route with this member is called by programs of others, whose queries are their own. */
export const ANY_QUERY = "x-any-query";

/** The longest name that an answer repeats. */
const MAX_SHOWN = 64;

/** The part of an application that is read here. */
type Registered = Pick<OpenAPIHono, "openAPIRegistry">;

interface QueryNames {
  readonly names: ReadonlySet<string>;
  readonly isForwarded: boolean;
  readonly takesAny: boolean;
}

function listSchemaNames(query: unknown): string[] {
  if (query === undefined) return [];
  if (query instanceof z.ZodObject) return Object.keys(query.shape);
  throw new TypeError("The query of a route must be an object schema");
}

/** Names of secrets that some scheme of the route takes from the query, such as the administrator token. */
function listSecretNames(route: RouteConfig, schemes: ReadonlyMap<string, string>): string[] {
  const names = (route.security ?? []).flatMap((scheme) => Object.keys(scheme));
  return names.flatMap((name) => schemes.get(name) ?? []);
}

function readSchemes(app: Registered): Map<string, string> {
  const schemes = new Map<string, string>();
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== "component" || definition.componentType !== "securitySchemes") continue;
    const { component } = definition;
    if ("in" in component && component.in === "query") schemes.set(definition.name, String(component.name));
  }
  return schemes;
}

function readRoutes(app: Registered): Map<string, QueryNames> {
  const routes = new Map<string, QueryNames>();
  const schemes = readSchemes(app);
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== "route" || !definition.route.path.startsWith("/api/")) continue;
    const { route } = definition;
    const path = route.path.replaceAll(/\{([^{}]+)\}/gu, ":$1");
    const names = new Set([...listSchemaNames(route.request?.query), ...listSecretNames(route, schemes)]);
    routes.set(`${route.method.toUpperCase()} ${path}`, {
      names,
      isForwarded: route[FORWARDED_QUERY] === true,
      takesAny: route[ANY_QUERY] === true,
    });
  }
  return routes;
}

/** Whether the query is that of the request which a proxy asks about (Caddy's forward_auth without "?" in its uri). */
function isOfForwarded(context: Context, query: string): boolean {
  const target = context.req.header("x-forwarded-uri") ?? "";
  const at = target.indexOf("?");
  return at !== -1 && target.slice(at + 1) === query;
}

/** Creates the check of a request's query; it throws `invalid`. */
export function createQueryCheck(app: Registered): (context: Context) => void {
  let routes: Map<string, QueryNames> | undefined;
  return (context) => {
    const { url } = context.req.raw;
    const at = url.indexOf("?");
    if (at === -1) return;
    // Middleware is registered for "ALL"; of several routes that match, the first one answers.
    const matched = matchedRoutes(context).find(({ method }) => method !== "ALL");
    if (matched === undefined) return;
    routes ??= readRoutes(app);
    const declared = routes.get(`${matched.method} ${matched.path}`);
    if (declared === undefined || declared.takesAny) return;
    const query = url.slice(at + 1);
    const unknown = new Set(new URLSearchParams(query).keys());
    for (const name of declared.names) unknown.delete(name);
    if (unknown.size === 0 || (declared.isForwarded && isOfForwarded(context, query))) return;
    const known = [...declared.names].join(", ");
    const message =
      known === "" ? "is unknown; this route takes no parameters" : `is unknown; this route takes: ${known}`;
    const issues = Array.from(unknown, (name) => ({
      path: [name.slice(0, MAX_SHOWN)],
      code: "unknown_parameter",
      message,
    }));
    throw toInvalidError("query", issues);
  };
}
