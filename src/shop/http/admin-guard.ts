/** Lets only administrators pass, by the administrator token or signed in with their account, and what all admin routes share. */
import type { MiddlewareHandler } from "hono";
import type { AdminTokenCheck } from "../../records/admin-token-check.ts";
import type { AppEnv } from "../../kit/http/app.ts";
import type { SecurityScheme } from "../../kit/http/docs.ts";
import { AppError } from "../../kit/errors.ts";
import { ShopError } from "../errors.ts";
import type { UserCheck } from "../users/user-check.ts";
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

export const adminSecurity: Record<string, string[]>[] = [{ adminToken: [] }, { session: [] }];

/** What every admin route can refuse with. */
export const adminErrors = [
  "unauthenticated",
  "forbidden",
  "origin_refused",
  "auth_unavailable",
  "rate_limited",
  "store_unavailable",
] as const;

/** Who signed in here and administers. Tokens of other applications do not count: they would administer too. */
async function findAdministrator(check: UserCheck, request: Request): Promise<string> {
  if ((await check.hasSession?.(request)) === true) {
    const result = await check.validateRequest(request);
    if (result.status === "auth_unavailable")
      throw new ShopError(
        "auth_unavailable",
        "The auth center does not answer; send X-Admin-Token, or wait",
        {
          retryAfterSeconds: result.retryAfterSeconds,
        },
      );
    if (result.status === "valid") {
      if (result.administers === true) return `account ${result.user.username}`;
      throw new AppError(
        "forbidden",
        result.administers === false
          ? "Administrators need a second factor: set one up at the auth center, and sign in with it"
          : "This account does not administer the shop",
      );
    }
  }
  throw new AppError(
    "unauthenticated",
    "Send the administrator token as X-Admin-Token, or sign in at /sign-in",
  );
}

/** Middleware of admin routes: sets `actor`. */
export function createAdminGuard(checkToken: AdminTokenCheck, check: UserCheck): AdminGuard {
  return async (c, next) => {
    const token = c.req.header("x-admin-token");
    if (token !== undefined) checkToken(token, c.get("clientAddress"));
    const name = token === undefined ? await findAdministrator(check, c.req.raw) : "token";
    c.set("actor", { name, clientId: "shop", requestId: c.get("requestId") });
    return next();
  };
}

/** The common part of the admin routes of one noun. */
export function adminRoute(tag: string, middleware: AdminGuard) {
  return {
    tags: [tag],
    "x-access": "admin" as const,
    security: adminSecurity,
    guardErrors: adminErrors,
    middleware,
  };
}
