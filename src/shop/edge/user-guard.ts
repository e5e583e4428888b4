/** Lets only signed-in people pass, or distinguishes them from guests. */
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../../kit/http/app.ts";
import type { SecurityScheme } from "../../kit/http/docs.ts";
import { AppError } from "../../kit/errors.ts";
import {
  APPLICATION_SCOPE,
  type ApplicationScope,
  insufficientScope,
} from "../../records/rights/application-scopes.ts";
import { ShopError } from "../base/errors.ts";
import type { Caller, ShopUser } from "../users/caller.ts";
import type { UserCheck, UserCheckResult } from "../users/user-check.ts";

export interface UserEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] & { user: ShopUser };
}

export interface GuestEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] & { guestOrUser: ShopUser | undefined };
}

export type ShopScope = ApplicationScope<"shop">;

export type UserGuard = (scope: ShopScope) => MiddlewareHandler<UserEnv>;
export type GuestGuard = (scope: ShopScope) => MiddlewareHandler<GuestEnv>;

export const bearerScheme = {
  bearer: { type: "http", scheme: "bearer", description: "The access token of a sign-in at the auth center" },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "shop_session",
    description:
      'From GET /sign-in. Named "__Host-…" where people come by https; changes with it need an Origin of the shop',
  },
} as const satisfies Record<string, SecurityScheme>;

export const bearerSecurity: Record<string, string[]>[] = [{ bearer: [] }, { session: [] }];
/** With or without a sign-in. */
export const optionalBearer: Record<string, string[]>[] = [{}, ...bearerSecurity];

/** Errors of every route for signed-in users. */
export const userErrors = [
  "unauthenticated",
  "token_invalid",
  "forbidden",
  "insufficient_scope",
  "auth_unavailable",
  "origin_refused",
] as const;

/** What works in a shop alone. */
const NO_ACCOUNTS =
  "This shop has no customer accounts. Guests order with POST /api/checkout, open orders with X-Order-Token, and ask questions with POST /api/questions";
const MAX_USER_AGENT = 200;

/** Throws unless the token opens a route; pages have no scope, and applications have no pages. Writing includes reading. */
function assertScope(held: readonly string[] | undefined, scope: ShopScope | undefined): void {
  if (held === undefined) return;
  if (scope === undefined)
    throw new AppError(
      "forbidden",
      "Access tokens of applications cannot open pages. Use the API under /api",
    );
  const isOpen = held.includes(scope) || held.includes(scope.replace(/:read$/u, ":write"));
  if (!isOpen) throw insufficientScope("shop", scope);
}

/**
 * The user of the token in a request; undefined without one. A cookie of an expired session counts as none: its owner
 * may still buy as a guest.
 * @throws AppError `token_invalid` for a token that the auth center rejects, `auth_unavailable` when it cannot be
 * checked, `forbidden` for a change by an administrator of the auth center in someone's account, `insufficient_scope`
 * for an application without `scope`
 */
export async function findUser(
  check: UserCheck,
  request: Pick<Request, "headers" | "method">,
  scope?: ShopScope,
): Promise<ShopUser | undefined> {
  const isBearer = request.headers.get("authorization") !== null;
  if (!isBearer && (await check.hasSession?.(request)) !== true) return undefined;
  const result = await check.validateRequest(request);
  if (!isBearer && result.status === "refused") return undefined;
  if (result.status === "valid") {
    assertScope(result.scopes, scope);
    if (result.impersonatedBy === undefined) return result.user;
    if (request.method === "GET" || request.method === "HEAD")
      return { ...result.user, impersonatedBy: result.impersonatedBy };
    throw new AppError("forbidden", "Only reading is allowed while impersonating a user");
  }
  if (check.hasAccounts === false) throw new AppError("token_invalid", NO_ACCOUNTS);
  throw toRefusal(
    result,
    "The auth center is unavailable, so the token could not be validated. Try again soon",
  );
}

type Refused = Exclude<UserCheckResult, { status: "valid" }>;

function toRefusal(result: Refused, unavailableText: string): AppError {
  if (result.status === "auth_unavailable")
    return new ShopError("auth_unavailable", unavailableText, {
      retryAfterSeconds: result.retryAfterSeconds,
    });
  return new AppError(
    "token_invalid",
    "The access token is invalid or expired. Refresh it or sign in again at the auth center",
  );
}

/** The verified addresses of the caller, the primary one first. @throws AppError `token_invalid`, `auth_unavailable` */
export async function getAddresses(
  check: UserCheck,
  request: Pick<Request, "headers">,
): Promise<readonly string[]> {
  const result = await check.readAddresses(request);
  if (result.status === "known") return result.addresses;
  if (result.status === "insufficient_scope") throw insufficientScope("auth", "email");
  throw toRefusal(
    result,
    "The auth center is unavailable, so your email addresses could not be read. Try again soon",
  );
}

/** The user of a request's token. @throws AppError as {@link findUser}, and `unauthenticated` without one */
export async function getUser(
  check: UserCheck,
  request: Pick<Request, "headers" | "method">,
  scope?: ShopScope,
): Promise<ShopUser> {
  const user = await findUser(check, request, scope);
  if (user !== undefined) return user;
  if (check.hasAccounts === false) throw new AppError("unauthenticated", NO_ACCOUNTS);
  throw new AppError(
    "unauthenticated",
    "An access token is required. Sign in at the auth center and send the token as Authorization: Bearer",
  );
}

/** Middleware of routes for signed-in people: sets `user`. */
export function createUserGuard(check: UserCheck): UserGuard {
  return (scope) => async (c, next) => {
    c.set("user", await getUser(check, c.req.raw, scope));
    return next();
  };
}

/** The common part of the routes for signed-in people of one noun. */
export function userRoute(tag: string, guard: UserGuard, scope: ShopScope) {
  return {
    tags: [tag],
    "x-access": "user" as const,
    security: bearerSecurity,
    guardErrors: userErrors,
    [APPLICATION_SCOPE]: scope,
    middleware: guard(scope),
  };
}

/** Middleware of public routes: sets `guestOrUser`. */
export function createGuestGuard(check: UserCheck): GuestGuard {
  return (scope) => async (c, next) => {
    c.set("guestOrUser", await findUser(check, c.req.raw, scope));
    return next();
  };
}

/** The caller of the request in a context. */
export function toCaller(
  c: {
    readonly req: { header(name: string): string | undefined };
    readonly var: { readonly requestId: string; readonly clientAddress: string };
  },
  user?: ShopUser,
): Caller {
  return {
    user,
    clientAddress: c.var.clientAddress,
    userAgent: (c.req.header("user-agent") ?? "")
      .replaceAll(/[^\u0020-\u007e]/gu, "")
      .slice(0, MAX_USER_AGENT),
    requestId: c.var.requestId,
  };
}
