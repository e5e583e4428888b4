/** Which scope each admin route needs: from the route's tag and method, or from `x-scope` in its declaration. */
import type { Context } from "hono";
import { AppError } from "../../kit/errors.ts";
import {
  type DeclaredRoute,
  type RouteRegistry,
  nameMatchedRoute,
  nameRoute,
  readDeclarations,
} from "../../kit/http/routing.ts";
import {
  type AdminNoun,
  type AdminScope,
  type HeldScopes,
  type ScopedService,
  isAdminScope,
  opensAdminScope,
} from "./scopes.ts";

/** The scope of a route that differs from the one that its tag and method give. */
export const ROUTE_SCOPE = "x-scope";

/** "administrator": only who may do everything, and no API key. "any": anyone who may do anything at all. */
export type RouteScope = AdminScope | "administrator" | "any";

/** The noun of each tag of a service. */
export type TagNouns<S extends ScopedService> = Readonly<
  Record<string, AdminNoun<S> | "administrator" | "any">
>;

function isRouteScope(text: unknown): text is RouteScope {
  return text === "administrator" || text === "any" || (typeof text === "string" && isAdminScope(text));
}

function toRouteScope(route: DeclaredRoute, nouns: TagNouns<ScopedService>): RouteScope | undefined {
  const own: unknown = route[ROUTE_SCOPE];
  if (own !== undefined) return isRouteScope(own) ? own : "administrator";
  // Signing in takes no credential, since it gives one.
  if (route["x-access"] !== "admin" || route.security?.length === 0) return undefined;
  const noun = nouns[route.tags?.[0] ?? ""];
  // Unlisted tags stay closed to keys and roles.
  if (noun === undefined || noun === "administrator") return "administrator";
  if (noun === "any") return noun;
  return `${noun}:${route.method === "get" ? "read" : "write"}`;
}

const ONLY_ADMINISTRATORS =
  "This action requires an administrator. Sign in as an administrator or send the administrator token";

/** Throws `insufficient_scope` when `held` does not open what a route needs. */
export function assertScope(held: HeldScopes, needed: RouteScope): void {
  if (held === "all" || needed === "any") return;
  if (needed === "administrator")
    throw new AppError("insufficient_scope", ONLY_ADMINISTRATORS, { details: { scope: needed } });
  if (opensAdminScope(held, needed)) return;
  throw new AppError(
    "insufficient_scope",
    `The scope ${needed} is required. Ask an administrator to add it to your role, or to create an API key with it`,
    { details: { scope: needed } },
  );
}

export interface RouteScopes {
  /** The scope of a route as OpenAPI names it; undefined for a route that does not administer. */
  find(route: Pick<DeclaredRoute, "method" | "path">): RouteScope | undefined;
  /** Throws `insufficient_scope` when `held` does not open the route that answers this request. */
  assert(context: Context, held: HeldScopes): void;
}

/** Reads the scopes of an application's routes on first use: routes added later have none. */
export function createRouteScopes(app: RouteRegistry, nouns: TagNouns<ScopedService>): RouteScopes {
  let declared: Map<string, RouteScope> | undefined;
  const read = (): Map<string, RouteScope> =>
    (declared ??= readDeclarations(app, (route) => toRouteScope(route, nouns)));
  return {
    find: (route) => read().get(nameRoute(route)),
    assert: (context, held) => {
      const name = nameMatchedRoute(context);
      assertScope(held, (name === undefined ? undefined : read().get(name)) ?? "administrator");
    },
  };
}
