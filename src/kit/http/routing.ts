/** Questions about an application's routes. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env, Hono } from "hono";
import { matchedRoutes } from "hono/route";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const knownMethods = new Set<string>([...METHODS, "HEAD", "OPTIONS"]);

/** Route of requests that no route took, so that probing for paths grows no metric. */
const UNMATCHED = "unmatched";

/** Methods that some route takes at `path`, with HEAD and OPTIONS; empty when there is none. Middleware, registered for "ALL", does not count. */
export function findMethods<E extends Env>(app: Hono<E>, path: string): string[] {
  const found: string[] = METHODS.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method !== "ALL"),
  );
  if (found.length === 0) return [];
  return [...found, ...(found.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
}

/** The pattern of the route that took the request, such as "/api/servers/:id", or "unmatched". */
export function findRoute(context: Context): string {
  const routes = matchedRoutes(context);
  const route = routes[routes.length - 1];
  return route === undefined || (route.method === "ALL" && route.path.endsWith("*")) ? UNMATCHED : route.path;
}

/** The method, or "OTHER" for an unknown one. */
export function toKnownMethod(method: string): string {
  return knownMethods.has(method) ? method : "OTHER";
}

/** Whether a request wants a page rather than JSON (RFC 9110 section 12.5.1). */
export function wantsPage(context: Context): boolean {
  return /\btext\/html\b/iu.test(context.req.header("accept") ?? "");
}

/** Whether a page is an answer that the request takes: curl accepts every type, and scripts often send no Accept. */
export function takesPage(context: Context): boolean {
  return wantsPage(context) || /^\s*$|\*\/\*/u.test(context.req.header("accept") ?? "");
}

/** Whether it is a person who is answered: a browser asks, and not for what only programs and pages ask for. */
export function isForPeople(context: Context): boolean {
  return wantsPage(context) && !/^\/(?:api|assets)(?:\/|$)/u.test(context.req.path);
}

export type RouteRegistry = Pick<OpenAPIHono, "openAPIRegistry">;
type Definition = RouteRegistry["openAPIRegistry"]["definitions"][number];
export type DeclaredRoute = Extract<Definition, { type: "route" }>["route"];

/** The name of a route, such as "GET /api/admin/users/:id". */
export function nameRoute({ method, path }: Pick<DeclaredRoute, "method" | "path">): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{([^{}]+)\}/gu, ":$1")}`;
}

/** The name of the route that answers this request; undefined when only middleware matches. */
export function nameMatchedRoute(context: Context): string | undefined {
  // Middleware is registered for "ALL"; of several routes that match, the first one answers.
  const matched = matchedRoutes(context).find(({ method }) => method !== "ALL");
  return matched && `${matched.method} ${matched.path}`;
}

/** Reads something from the declaration of every route of an application, by the route's name. */
export function readDeclarations<T>(
  app: RouteRegistry,
  read: (route: DeclaredRoute) => T | undefined,
): Map<string, T> {
  const found = new Map<string, T>();
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== "route") continue;
    const value = read(definition.route);
    if (value !== undefined) found.set(nameRoute(definition.route), value);
  }
  return found;
}
