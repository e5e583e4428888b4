/** Lets only the holder of the administrator token pass, and what all admin routes share. */
import type { MiddlewareHandler } from "hono";
import type { AdminTokenCheck } from "../../records/admin-token-check.ts";
import type { AppEnv } from "../../kit/http/app.ts";
import type { SecurityScheme } from "../../kit/http/docs.ts";
import { AppError } from "../../kit/errors.ts";
import type { Actor } from "../users/caller.ts";

export interface AdminEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] & { actor: Actor };
}

export type AdminGuard = MiddlewareHandler<AdminEnv>;

export const adminSchemes = {
  adminToken: {
    type: "apiKey",
    in: "header",
    name: "X-Admin-Token",
    description: "Shown once at the first start",
  },
} as const satisfies Record<string, SecurityScheme>;

export const adminSecurity: Record<string, string[]>[] = [{ adminToken: [] }];

/** What every admin route can refuse with. */
export const adminErrors = ["unauthenticated", "rate_limited", "store_unavailable"] as const;

/** Middleware of admin routes: sets `actor`. */
export function createAdminGuard(checkToken: AdminTokenCheck): AdminGuard {
  return async (c, next) => {
    const token = c.req.header("x-admin-token");
    if (token === undefined)
      throw new AppError("unauthenticated", "Send the administrator token as X-Admin-Token");
    checkToken(token, c.get("clientAddress"));
    c.set("actor", { name: "token", clientId: "shop", requestId: c.get("requestId") });
    return next();
  };
}

/** The common part of the admin routes of one noun. */
export function adminRoute(tag: string, middleware: AdminGuard) {
  return { tags: [tag], "x-access": "admin" as const, security: adminSecurity, middleware };
}
