/** Lets only administrators pass: by the administrator token, the session of the console that began with it, or signed in with their account. */
import type { Context, MiddlewareHandler } from "hono";
import { type AdminTokenCheck, createAdminTokenCheck } from "../../records/admin-token-check.ts";
import type { AppEnv } from "../../kit/http/app.ts";
import type { SecurityScheme } from "../../kit/http/docs.ts";
import { AppError } from "../../kit/errors.ts";
import type { ShopDeps } from "../base/deps.ts";
import { ShopError } from "../base/errors.ts";
import { type ConsoleSessions, createConsoleSessions } from "../../records/console-sessions.ts";
import { type HostCookie, createHostCookie } from "../../kit/http/cookies.ts";
import { assertOwnPage } from "../../html/form-origin.ts";
import type { UserCheck, UserCheckResult } from "../users/user-check.ts";
import type { Actor } from "../users/caller.ts";
import { type ApiKeys, type KeyDeps, createApiKeys, looksLikeKey } from "../../records/rights/api-keys.ts";
import type { AccountCenter } from "../../kit/outbound/account-center.ts";
import { type NeedsFreshProof, assertFreshProof } from "../../records/rights/fresh-proof.ts";
import { createFindMachine } from "../../records/rights/machines.ts";
import type { FindMachine, Principal, PrincipalVariables } from "../../records/rights/principal.ts";
import { type HeldScopes, pickScopes } from "../../records/rights/scopes.ts";
import type { RouteScopes } from "../../records/rights/route-scopes.ts";
import type { shopNouns } from "./groups.ts";

export interface AdminEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] & PrincipalVariables & { actor: Actor };
}

export type AdminGuard = MiddlewareHandler<AdminEnv>;

const BEARER = /^Bearer +([\w.~+/-]+=*)$/iu;
const CONSOLE_COOKIE = "shop_console";

/** The cookie of who came to the console with the administrator token. */
function createConsoleCookie(publicUrl: string | undefined): HostCookie {
  // A default local URL does not say how people reach the shop.
  const known = publicUrl?.startsWith("https:") === true ? publicUrl : undefined;
  return createHostCookie(CONSOLE_COOKIE, known, "Strict");
}

export const adminSchemes = {
  adminToken: {
    type: "apiKey",
    in: "header",
    name: "X-Admin-Token",
    description: "The administrator token, shown once at the first start",
  },
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: "An API key (`key_…`) from POST /api/admin/api-keys with the scope of the route",
  },
  adminCookie: {
    type: "apiKey",
    in: "cookie",
    name: CONSOLE_COOKIE,
    description:
      'From POST /api/console/session. Named "__Host-…" where people come by https; counts only from pages of the shop',
  },
} as const satisfies Record<string, SecurityScheme>;

export const adminSecurity: Record<string, string[]>[] = [
  { adminToken: [] },
  { apiKey: [] },
  { session: [] },
  { adminCookie: [] },
];

/** Errors of every admin route. */
export const adminErrors = [
  "unauthenticated",
  "token_invalid",
  "forbidden",
  "insufficient_scope",
  "reauth_required",
  "origin_refused",
  "auth_unavailable",
  "rate_limited",
  "store_unavailable",
] as const;

/** Someone's administration rights here; undefined: none. */
export function findHeld({
  administers,
  adminScopes = [],
}: Pick<Extract<UserCheckResult, { status: "valid" }>, "administers" | "adminScopes">):
  | HeldScopes
  | undefined {
  if (administers === true) return "all";
  const scopes = pickScopes("shop", adminScopes);
  return scopes.size === 0 ? undefined : scopes;
}

/** A signed-in administrator. Tokens of other applications do not count: they would administer too. */
async function findAdministrator(check: UserCheck, request: Request): Promise<Principal> {
  if ((await check.hasSession?.(request)) === true) {
    const result = await check.validateRequest(request);
    if (result.status === "auth_unavailable")
      throw new ShopError(
        "auth_unavailable",
        "The auth center is unavailable. Send X-Admin-Token, or try again later",
        {
          retryAfterSeconds: result.retryAfterSeconds,
        },
      );
    if (result.status === "valid") {
      const scopes = findHeld(result);
      if (scopes !== undefined)
        return {
          kind: "person",
          name: `account ${result.user.username}`,
          scopes,
          proof: { provedAt: result.provedAt, hasCenter: true },
        };
      throw new AppError(
        "forbidden",
        result.administers === false
          ? "Administrators must use two-factor authentication. Set it up at the auth center and sign in with it"
          : "This account is not an administrator of the shop",
      );
    }
  }
  throw new AppError(
    "unauthenticated",
    "Administrator credentials are required. Send the administrator token as X-Admin-Token or an API key as Bearer, or sign in at /sign-in",
  );
}

export interface AdminGuardDeps {
  readonly checkToken: AdminTokenCheck;
  readonly userCheck: UserCheck;
  readonly consoleSessions: ConsoleSessions;
  /** Of the console's sessions. */
  readonly cookie: HostCookie;
  readonly publicUrl: string | undefined;
  readonly scopes: RouteScopes;
  readonly needsFreshProof: NeedsFreshProof;
  readonly now: () => number;
  readonly apiKeys: ApiKeys;
  /** Finds the application of a machine's token. */
  readonly findMachine?: FindMachine | undefined;
}

/** Dependencies of the guard and of signing in to the console. */
export function createAdminParts(
  { store, clock, limits, publicUrl: shopUrl }: Pick<ShopDeps, "store" | "clock" | "limits" | "publicUrl">,
  options: {
    readonly tokenHashes: readonly string[];
    readonly onTokenUse?: (() => void) | undefined;
    readonly userCheck: UserCheck;
    readonly scopes: RouteScopes;
    readonly needsFreshProof: NeedsFreshProof;
    readonly center?: AccountCenter | undefined;
    /** Notifies the administrators about new and changed API keys. */
    readonly tellKey?: KeyDeps["tell"];
  },
): AdminGuardDeps {
  const { tokenHashes, onTokenUse, userCheck, scopes, needsFreshProof, center, tellKey } = options;
  const publicUrl = shopUrl === "" ? undefined : shopUrl;
  return {
    checkToken: createAdminTokenCheck({ limits, tokenHashes, onFirstUse: onTokenUse }),
    userCheck,
    consoleSessions: createConsoleSessions({ store, clock, expiry: clock, tokenHashes }),
    cookie: createConsoleCookie(publicUrl),
    publicUrl,
    scopes,
    needsFreshProof,
    now: () => clock.now(),
    findMachine: createFindMachine(center),
    apiKeys: createApiKeys({ store, clock, limits, expiry: clock, tell: tellKey }),
  };
}

/** Middleware of admin routes: sets `actor`. */
export function createAdminGuard(deps: AdminGuardDeps): AdminGuard {
  const { checkToken, userCheck, consoleSessions, cookie, publicUrl, scopes, apiKeys, findMachine } = deps;
  async function findPrincipal(c: Context<AdminEnv>): Promise<Principal> {
    const token = c.req.header("x-admin-token");
    if (token !== undefined) {
      checkToken(token, c.get("clientAddress"));
      return { kind: "token", name: "token", scopes: "all" };
    }
    const authorization = c.req.header("authorization");
    const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    if (bearer !== undefined && looksLikeKey(bearer)) return apiKeys.identify(bearer, c.get("clientAddress"));
    const machine = bearer === undefined ? undefined : await findMachine?.(bearer);
    if (machine !== undefined) return machine;
    const held = authorization === undefined ? cookie.read(c) : undefined;
    if (held !== undefined) {
      assertOwnPage(c.req.raw, publicUrl);
      const session = await consoleSessions.find(held);
      if (session !== undefined) return { kind: "console", name: session.name, scopes: "all" };
    }
    return findAdministrator(userCheck, c.req.raw);
  }
  return async (c, next) => {
    const principal = await findPrincipal(c);
    scopes.assert(c, principal.scopes);
    if (principal.proof !== undefined && deps.needsFreshProof(c))
      assertFreshProof(principal.proof, deps.now());
    c.set("principal", principal);
    c.set("actor", { name: principal.name, clientId: "shop", requestId: c.get("requestId") });
    return next();
  };
}

/** The common part of the admin routes of one noun. */
export function adminRoute(tag: keyof typeof shopNouns, middleware: AdminGuard) {
  return {
    tags: [tag],
    "x-access": "admin" as const,
    security: adminSecurity,
    guardErrors: adminErrors,
    middleware,
  };
}
