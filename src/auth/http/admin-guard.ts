/**
 * Who may administer: the administrator token in `X-Admin-Token` or in the query parameter `token`, or the
 * access token of an account with the role "admin".
 */
import type { MiddlewareHandler } from "hono";
import type { AdminTokenCheck } from "../../records/admin-token-check.ts";
import type { AppEnv } from "../../kit/http/app.ts";
import type { SecurityScheme } from "../../kit/http/docs.ts";
import { AppError } from "../../kit/errors.ts";
import type { Log } from "../../kit/observe/log.ts";
import { assertRecent } from "../accounts/status.ts";
import type { Actor } from "../caller.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { hasSecondFactor } from "../second-factor/completion.ts";
import { readBearer } from "./bearer-guard.ts";
import { toClientId } from "./callers.ts";

export interface AdminEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] & { actor: Actor };
}

export const adminSchemes = {
  adminToken: {
    type: "apiKey",
    in: "header",
    name: "X-Admin-Token",
    description: "Shown once at the first start",
  },
  adminQuery: {
    type: "apiKey",
    in: "query",
    name: "token",
    description: "The same token; prefer the header, since addresses end up in the logs of proxies",
  },
} as const satisfies Record<string, SecurityScheme>;

/** Any of these will do. */
export const adminSecurity: Record<string, string[]>[] = [
  { adminToken: [] },
  { adminQuery: [] },
  { bearer: [] },
];

/** What every admin route can refuse with. */
export const adminErrors = [
  "unauthenticated",
  "token_invalid",
  "forbidden",
  "origin_refused",
  "reauth_required",
  "rate_limited",
] as const;

/** A page of another site can send a query, as the address of a picture. Its guesses must not even be counted. */
function refuseForeignPage(fetchSite: string | undefined): void {
  if (fetchSite !== "cross-site") return;
  throw new AppError(
    "origin_refused",
    "A page of another site cannot send the administrator token in the query; send X-Admin-Token",
  );
}

/**
 * What gives away secrets, or takes or gives away accounts: whoever signed in long ago proves again who they are.
 * Of all that changes accounts only the points are left out.
 */
const sensitive = [
  /^GET \/api\/admin\/(?:users\/export|outbox)$/u,
  /^(?:POST|PUT|PATCH|DELETE) \/api\/admin\/users(?:\/(?![^/]+\/points$)|$)/u,
  /^(?:POST|PUT|PATCH) \/api\/admin\/settings\//u,
];

/** Lets only administrators pass and tells the handler who it is. */
export function createAdminGuard(deps: {
  checkToken: AdminTokenCheck;
  sessions: Sessions;
  /** Whether the query parameter counts. */
  tokenInQuery: boolean;
  now: () => number;
  log: Log;
}): MiddlewareHandler<AdminEnv> {
  const { checkToken, sessions, tokenInQuery } = deps;
  const warned = new Set<string>();
  function warnOnce(userId: string): void {
    if (warned.has(userId)) return;
    warned.add(userId);
    deps.log.warn("An administrator has no second factor; switch one on with POST /api/auth/mfa/totp", {
      userId,
    });
  }
  return async (c, next) => {
    const requestId = c.get("requestId");
    const clientId = toClientId(c.req.header("x-auth-client"));
    const headerToken = c.req.header("x-admin-token");
    const adminToken = headerToken ?? (tokenInQuery ? c.req.query("token") : undefined);
    if (adminToken !== undefined) {
      const place = headerToken === undefined ? "query" : "header";
      if (place === "query") refuseForeignPage(c.req.header("sec-fetch-site"));
      checkToken(adminToken, c.get("clientAddress"), place);
      c.set("actor", { name: "token", clientId, requestId });
      return next();
    }
    const accessToken = readBearer(c);
    if (accessToken === undefined) {
      throw new AppError(
        "unauthenticated",
        "Send the administrator token as X-Admin-Token (or in the query as token, unless that is switched off), or the access token of an administrator as Bearer",
      );
    }
    const subject = await sessions.find(accessToken);
    if (subject === undefined)
      throw new AppError("token_invalid", "The access token is not valid (any more); sign in again");
    const { user, session } = subject;
    if (user.role !== "admin" || session.impersonatedBy !== undefined)
      throw new AppError("forbidden", "This account is not an administrator");
    if (hasSecondFactor(user) && session.aal < 2)
      throw new AppError(
        "forbidden",
        "Sign in again with the second factor: administrators who have one use it",
      );
    if (!hasSecondFactor(user)) warnOnce(user.id);
    // Hono takes HEAD for GET.
    const request = `${c.req.method === "HEAD" ? "GET" : c.req.method} ${c.req.path}`;
    if (sensitive.some((pattern) => pattern.test(request))) assertRecent(subject, deps.now());
    c.set("actor", { name: `user ${user.username}`, clientId, requestId, userId: user.id });
    return next();
  };
}
