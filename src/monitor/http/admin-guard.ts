/** Who may administer: a session (Bearer or cookie) or the administrator token. */
import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "../../kit/http/app.ts";
import type { SecurityScheme } from "../../kit/http/docs.ts";
import { AppError } from "../../kit/errors.ts";
import type { OriginRules } from "../../kit/outbound/origin.ts";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import type { Access } from "../access/access.ts";
import { tokenPrefixes } from "../access/tokens.ts";
import { type AdminSessions, SESSION_PREFIX } from "../access/sessions.ts";
import { checkCookieOrigin, readSessionCookie, SESSION_COOKIE } from "./cookies.ts";
import type { RouteScopes } from "../../records/rights/route-scopes.ts";
import type { AuditActor } from "../../records/audit.ts";

const BEARER = /^Bearer +([\w.~+/-]+=*)$/iu;

export interface GuardEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] & {
    actor: AuditActor;
    /** The session token that was shown; undefined with the administrator token. */
    sessionToken: string | undefined;
    /** When that session ends, epoch ms. */
    sessionExpiresAt: number | undefined;
  };
}

/** The security schemes themselves, for the OpenAPI document. */
export const adminSchemes = {
  adminToken: {
    type: "apiKey",
    in: "header",
    name: "X-Admin-Token",
    description: "Shown once at the first start",
  },
  adminSession: {
    type: "http",
    scheme: "bearer",
    description: "From POST /api/admin/auth; or the administrator token, for programs such as Prometheus",
  },
  adminCookie: {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description: `From POST /api/admin/auth; needs an Origin of this site. "__Host-${SESSION_COOKIE}" where PUBLIC_URL has https`,
  },
} as const satisfies Record<string, SecurityScheme>;

/** What every admin route can refuse with. */
export const adminErrors = [
  "unauthenticated",
  "insufficient_scope",
  "origin_refused",
  "rate_limited",
] as const;

/** Security schemes of admin routes, any of which will do. */
export const adminSecurity: Record<string, string[]>[] = [
  { adminToken: [] },
  { adminSession: [] },
  { adminCookie: [] },
];

/** The token of a Bearer header; undefined for other schemes and without the header. */
export function readBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1];
}

type Credential = { readonly adminToken: string } | { readonly sessionToken: string };

/** What the caller shows. Bearer takes the administrator token too: it is all that Prometheus can send. */
function findCredential(c: Context, rules: OriginRules): Credential | undefined {
  const adminToken = c.req.header("x-admin-token");
  if (adminToken !== undefined) return { adminToken };
  const header = c.req.header("authorization");
  if (header !== undefined) {
    const token = readBearer(header);
    if (token === undefined)
      throw new AppError(
        "unauthenticated",
        'Authorization must be "Bearer" and a session or the administrator token',
      );
    return token.startsWith(SESSION_PREFIX) ? { sessionToken: token } : { adminToken: token };
  }
  const cookie = readSessionCookie(c, rules.publicUrl);
  if (cookie === undefined) return undefined;
  checkCookieOrigin(c, rules);
  return { sessionToken: cookie };
}

/** Lets administrators pass, and who shows a token for /metrics. */
export function createMetricsGuard(deps: {
  guard: MiddlewareHandler<GuardEnv>;
  access: Pick<Access, "useToken">;
}): MiddlewareHandler<GuardEnv> {
  return async (c, next) => {
    const token = readBearer(c.req.header("authorization"));
    if (token?.startsWith(`${tokenPrefixes.metrics}_`) !== true) return deps.guard(c, next);
    if (deps.access.useToken(hashSecret(token), "metrics") !== undefined) return next();
    throw new AppError("unauthenticated", "The token does not count for /metrics (any more)");
  };
}

/** Lets only administrators pass, and names them to the handler. */
export function createAdminGuard(deps: {
  sessions: AdminSessions;
  origins: OriginRules;
  scopes: RouteScopes;
}): MiddlewareHandler<GuardEnv> {
  const { sessions, origins, scopes } = deps;
  return async (c, next) => {
    const requestId = c.get("requestId");
    const credential = findCredential(c, origins);
    if (credential !== undefined && "adminToken" in credential) {
      const name = sessions.checkToken(credential.adminToken, c.get("clientAddress"));
      c.set("actor", { name, requestId });
      return next();
    }
    const session = credential === undefined ? undefined : await sessions.find(credential.sessionToken);
    if (credential === undefined || session?.right !== "administer") {
      throw new AppError(
        "unauthenticated",
        "Sign in with POST /api/admin/auth and send the session as Bearer, or send X-Admin-Token",
      );
    }
    scopes.assert(c, "all");
    c.set("actor", { name: session.name, requestId });
    c.set("sessionToken", credential.sessionToken);
    c.set("sessionExpiresAt", session.expiresAt);
    return next();
  };
}
