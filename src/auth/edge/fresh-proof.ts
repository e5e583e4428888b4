/**
 * Which admin routes ask people for a fresh proof of who they are: every write, and reads that give away secrets. A
 * route that is harmless says so in its declaration, so that a new one is closed until somebody decides.
 */
import type { Context } from "hono";
import { type RouteRegistry, nameMatchedRoute, readDeclarations } from "../../kit/http/routing.ts";

/** With `false` a write of administrators needs no fresh proof, with `true` a read needs one. */
export const FRESH_PROOF = "x-fresh-proof";

/** Creates the check of a request that a route of `app` answers. */
export function createFreshProofCheck(app: RouteRegistry): (context: Context) => boolean {
  let declared: Map<string, boolean> | undefined;
  return (context) => {
    const name = nameMatchedRoute(context);
    if (name === undefined) return true;
    declared ??= readDeclarations(app, ({ [FRESH_PROOF]: needed }) =>
      typeof needed === "boolean" ? needed : undefined,
    );
    return declared.get(name) ?? !name.startsWith("GET ");
  };
}
