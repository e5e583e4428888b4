/**
 * Which admin routes ask people for a fresh proof of who they are: every write, and reads that give away secrets. A
 * harmless route says so in its declaration, so that a new one is protected by default.
 */
import type { Context } from "hono";
import { AppError } from "../../kit/errors.ts";
import {
  type DeclaredRoute,
  type RouteRegistry,
  nameMatchedRoute,
  readDeclarations,
} from "../../kit/http/routing.ts";
import type { Proof } from "./principal.ts";
import type { RouteScope, RouteScopes } from "./route-scopes.ts";

/** With `false` a write of administrators needs no fresh proof, with `true` a read needs one. */
export const FRESH_PROOF = "x-fresh-proof";
const FRESH_MINUTES = 10;
/** The way to a fresh proof at the auth center and back, for a browser that signed in there. */
export const PROOF_PATH = "/sign-in?fresh=1";

/** Whether a person proves who they are before a request is answered. */
export type NeedsFreshProof = (context: Context) => boolean;

/** Creates the check for requests to a route of `app`. */
export function createFreshProofCheck(
  app: RouteRegistry,
  isDaily: (route: DeclaredRoute) => boolean = () => false,
): NeedsFreshProof {
  let declared: Map<string, boolean> | undefined;
  return (context) => {
    const name = nameMatchedRoute(context);
    if (name === undefined) return true;
    declared ??= readDeclarations(app, (route) => {
      const own: unknown = route[FRESH_PROOF];
      return typeof own === "boolean" ? own : route.method !== "get" && !isDaily(route);
    });
    return declared.get(name) ?? !name.startsWith("GET ");
  };
}

/** Finds what staff do all day by its scope: asked every ten minutes, people would answer without reading. */
export function createDailyWork(
  scopes: Pick<RouteScopes, "find">,
  daily: ReadonlySet<RouteScope>,
): (route: DeclaredRoute) => boolean {
  return (route) => {
    const scope = scopes.find(route) ?? "administrator";
    return scope === "any" || scope.endsWith(":read") || daily.has(scope);
  };
}

/** Throws `reauth_required`, or `unauthenticated` to who signed in without the center, unless the person proved who they are within ten minutes. */
export function assertFreshProof({ provedAt, hasCenter }: Proof, nowMs: number): void {
  if (provedAt !== undefined && provedAt + FRESH_MINUTES * 60_000 > nowMs) return;
  const lead = `This action requires a sign-in within the last ${FRESH_MINUTES} minutes`;
  if (!hasCenter) throw new AppError("unauthenticated", `${lead}. Sign in again and repeat the request`);
  throw new AppError(
    "reauth_required",
    `${lead}. Open ${PROOF_PATH}, reauthenticate at the auth center, and repeat the request`,
    { details: { path: PROOF_PATH, max_age: FRESH_MINUTES * 60 } },
  );
}
