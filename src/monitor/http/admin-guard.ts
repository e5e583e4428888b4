/** Who may administer: a session (Bearer or cookie) or the administrator token. */
import type { Context, MiddlewareHandler } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { AppEnv } from "../../kit/http/app.ts";
import type { SecurityScheme } from "../../kit/http/docs.ts";
import { AppError } from "../../kit/errors.ts";
import { type OriginRules, isAllowedOrigin, ORIGIN_REMEDY } from "../../kit/outbound/origin.ts";
import { type AdminSessions, SESSION_PREFIX, SESSION_SECONDS } from "../admin/sessions.ts";
import type { AuditActor } from "../../records/audit.ts";

const COOKIE = "trivet_monitor_session";
const BEARER = /^Bearer +([\w.~+/-]+=*)$/iu;
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

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
    name: COOKIE,
    description: `From POST /api/admin/auth; needs an Origin of this site. "__Host-${COOKIE}" where PUBLIC_URL has https`,
  },
} as const satisfies Record<string, SecurityScheme>;

/** What every admin route can refuse with. */
export const adminErrors = ["unauthenticated", "origin_refused", "rate_limited"] as const;

/** Security schemes of admin routes, any of which will do. */
export const adminSecurity: Record<string, string[]>[] = [
  { adminToken: [] },
  { adminSession: [] },
  { adminCookie: [] },
];

function checkCookieOrigin(c: Context, rules: OriginRules): void {
  const origin = c.req.header("origin");
  if (SAFE_METHODS.has(c.req.method)) return;
  if (origin !== undefined && isAllowedOrigin(origin, c.req.raw, rules)) return;
  throw new AppError(
    "origin_refused",
    `A change with the session cookie needs an Origin of this site: ${ORIGIN_REMEDY}, or use a Bearer session elsewhere`,
  );
}

type Credential = { readonly adminToken: string } | { readonly sessionToken: string };

/** What the caller shows. Bearer takes the administrator token too: it is all that Prometheus can send. */
function findCredential(c: Context, rules: OriginRules): Credential | undefined {
  const adminToken = c.req.header("x-admin-token");
  if (adminToken !== undefined) return { adminToken };
  const header = c.req.header("authorization");
  if (header !== undefined) {
    const token = BEARER.exec(header)?.[1];
    if (token === undefined)
      throw new AppError(
        "unauthenticated",
        'Authorization must be "Bearer" and a session or the administrator token',
      );
    return token.startsWith(SESSION_PREFIX) ? { sessionToken: token } : { adminToken: token };
  }
  const cookie = getCookie(c, COOKIE, toPrefix(c, rules.publicUrl));
  if (cookie === undefined) return undefined;
  checkCookieOrigin(c, rules);
  return { sessionToken: cookie };
}

/** Lets only administrators pass, and names them to the handler. */
export function createAdminGuard(deps: {
  sessions: AdminSessions;
  origins: OriginRules;
}): MiddlewareHandler<GuardEnv> {
  const { sessions, origins } = deps;
  return async (c, next) => {
    const requestId = c.get("requestId");
    const credential = findCredential(c, origins);
    if (credential !== undefined && "adminToken" in credential) {
      const name = sessions.checkToken(credential.adminToken, c.get("clientAddress"));
      c.set("actor", { name, requestId });
      return next();
    }
    const session = credential === undefined ? undefined : await sessions.find(credential.sessionToken);
    if (credential === undefined || session === undefined) {
      throw new AppError(
        "unauthenticated",
        "Sign in with POST /api/admin/auth and send the session as Bearer, or send X-Admin-Token",
      );
    }
    c.set("actor", { name: session.name, requestId });
    c.set("sessionToken", credential.sessionToken);
    c.set("sessionExpiresAt", session.expiresAt);
    return next();
  };
}

/** Where people come by https the cookie is `Secure`, and its name says that no other host or page set it. */
function toPrefix(c: Context, publicUrl: string | undefined): "host" | undefined {
  return (publicUrl ?? c.req.url).startsWith("https:") ? "host" : undefined;
}

/** Sets the session cookie; `Secure`, and named "__Host-…", where people come by https. */
export function setSessionCookie(c: Context, token: string, publicUrl: string | undefined): void {
  const prefix = toPrefix(c, publicUrl);
  setCookie(c, COOKIE, token, {
    ...(prefix === undefined ? {} : { prefix }),
    httpOnly: true,
    sameSite: "Strict",
    path: "/",
    secure: prefix !== undefined,
    maxAge: SESSION_SECONDS,
  });
}

/** Takes the session cookie back. */
export function clearSessionCookie(c: Context, publicUrl: string | undefined): void {
  const prefix = toPrefix(c, publicUrl);
  deleteCookie(c, COOKIE, {
    ...(prefix === undefined ? {} : { prefix }),
    path: "/",
    secure: prefix !== undefined,
  });
}
