/**
 * Which admin routes ask people for a fresh proof of who they are: every write, and reads that give away secrets. A
 * route that is harmless says so in its declaration, so that a new one is closed until somebody decides.
 */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";

/** With `false` a write of administrators needs no fresh proof, with `true` a read needs one. */
export const FRESH_PROOF = "x-fresh-proof";

type Registered = Pick<OpenAPIHono, "openAPIRegistry">;

function readDeclared(app: Registered): Map<string, boolean> {
  const declared = new Map<string, boolean>();
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== "route") continue;
    const { method, path, [FRESH_PROOF]: needed } = definition.route;
    const pattern = path.replaceAll(/\{([^{}]+)\}/gu, ":$1");
    if (typeof needed === "boolean") declared.set(`${method.toUpperCase()} ${pattern}`, needed);
  }
  return declared;
}

/** Makes the check of a request that a route of `app` answers. */
export function createFreshProofCheck(app: Registered): (context: Context) => boolean {
  let declared: Map<string, boolean> | undefined;
  return (context) => {
    // Middleware stands for "ALL"; of several routes that match, the first one answers.
    const matched = matchedRoutes(context).find(({ method }) => method !== "ALL");
    if (matched === undefined) return true;
    declared ??= readDeclared(app);
    return declared.get(`${matched.method} ${matched.path}`) ?? matched.method !== "GET";
  };
}
