/**
 * Who may administer: the administrator token in `X-Admin-Token` or in the query parameter `token`, the access token
 * of an account with the role "admin", or in a browser the cookie of either.
 */
import type { Context, MiddlewareHandler } from "hono";
import type { AdminTokenCheck } from "../../../records/admin-token-check.ts";
import { AppError } from "../../../kit/errors.ts";
import { toAddressPrefix } from "../../../kit/outbound/ip-address.ts";
import type { Administration, AdminRefusal } from "../administrators.ts";
import { type ApiKeys, looksLikeKey } from "../../../records/rights/api-keys.ts";
import type { FindMachine, Principal } from "../../../records/rights/principal.ts";
import type { RouteScopes } from "../../../records/rights/route-scopes.ts";
import type { Log } from "../../../kit/observe/log.ts";
import { assertRecent, type Subject } from "../../sessions/subject.ts";
import { hasSecondFactor } from "../../accounts/status.ts";
import type { ConsoleSessions } from "../../../records/console-sessions.ts";
import type { BrowserSessions } from "../../sessions/browser-sessions.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { readBearer } from "../../sessions/http/bearer-guard.ts";
import { assertOwnPage } from "../../../html/form-origin.ts";
import { createBrowserCookies } from "../../edge/browser-cookies.ts";
import { toClientId } from "../../sessions/http/callers.ts";
import { type AdminEnv } from "../../edge/admin-env.ts";

/** A page of another site can send a query, as the address of a picture. Its guesses must not even be counted. */
function refuseForeignPage(fetchSite: string | undefined): void {
  if (fetchSite !== "cross-site") return;
  throw new AppError(
    "origin_refused",
    "Pages of other sites cannot send the administrator token in the query. Send X-Admin-Token",
  );
}

const refusals = {
  role: "This account is not an administrator. Sign in with an administrator account",
  second_factor:
    "Administrators with two-factor authentication must use it. Sign in again with your second factor",
  second_factor_missing:
    "Administrators must use two-factor authentication. Set it up at /account/two-factor of the auth center. The administrator token (X-Admin-Token) still works",
} as const satisfies Record<AdminRefusal, string>;

export interface AdminGuardDeps {
  readonly checkToken: AdminTokenCheck;
  readonly sessions: Sessions;
  readonly browserSessions: BrowserSessions;
  readonly consoleSessions: ConsoleSessions;
  readonly administration: Administration;
  readonly apiKeys: Pick<ApiKeys, "identify">;
  /** Finds the application of a machine's token. */
  readonly findMachine?: FindMachine | undefined;
  /** Where people reach the service; undefined: as the request says. */
  readonly publicUrl: string | undefined;
  /** Whether the query parameter counts. */
  readonly tokenInQuery: boolean;
  /** Whether a person proves lately who they are before this request is answered. */
  readonly needsFreshProof: (context: Context) => boolean;
  readonly scopes: RouteScopes;
  /** Refuses what only administrators do to accounts and groups that may do more than others. */
  readonly protect: (context: Context) => Promise<void>;
  readonly now: () => number;
  readonly log: Log;
}

/** Finds who sent a request without the administrator token: a key, the session of the console, or a signed-in person. */
function createCallerSearch(deps: AdminGuardDeps) {
  const cookies = createBrowserCookies(deps.publicUrl);
  async function findByBearer(token: string, clientAddress: string): Promise<Principal | Subject> {
    if (looksLikeKey(token)) return deps.apiKeys.identify(token, clientAddress);
    const subject = await deps.sessions.find(token);
    if (subject?.session.parentId !== undefined)
      throw new AppError(
        "forbidden",
        "Access tokens of applications cannot be used for administration. Sign in at the auth center",
      );
    const found = subject ?? (await deps.findMachine?.(token));
    if (found !== undefined) return found;
    throw new AppError("token_invalid", "The access token is invalid or expired. Sign in again");
  }
  return async (c: Context<AdminEnv>): Promise<Principal | Subject> => {
    const token = readBearer(c);
    if (token !== undefined) return findByBearer(token, c.get("clientAddress"));
    const [console, person] = [cookies.console.read(c), cookies.person.read(c)];
    if (console !== undefined || person !== undefined) assertOwnPage(c.req.raw, deps.publicUrl);
    const session = console === undefined ? undefined : await deps.consoleSessions.find(console);
    if (session !== undefined) return { kind: "console", name: session.name, scopes: "all" };
    const found = person === undefined ? undefined : await deps.browserSessions.find(person);
    if (found !== undefined) return found;
    throw new AppError(
      "unauthenticated",
      "Administrator credentials are required. Send the administrator token as X-Admin-Token (or as the query parameter token, if enabled), or send an API key or the access token of an administrator as Bearer",
    );
  };
}

/** Lets only administrators pass and tells the handler who it is. */
export function createAdminGuard(deps: AdminGuardDeps): MiddlewareHandler<AdminEnv> {
  const { checkToken, tokenInQuery } = deps;
  const findOther = createCallerSearch(deps);
  const warned = new Set<string>();
  function warnOnce(userId: string): void {
    if (warned.has(userId)) return;
    warned.add(userId);
    deps.log.warn(
      "An administrator has no two-factor authentication. Enable it with POST /api/auth/mfa/totp",
      {
        userId,
      },
    );
  }
  async function findCaller(c: Context<AdminEnv>): Promise<Principal | Subject> {
    const headerToken = c.req.header("x-admin-token");
    const adminToken = headerToken ?? (tokenInQuery ? c.req.query("token") : undefined);
    if (adminToken === undefined) return findOther(c);
    const place = headerToken === undefined ? "query" : "header";
    if (place === "query") refuseForeignPage(c.req.header("sec-fetch-site"));
    checkToken(adminToken, c.get("clientAddress"), place);
    return { kind: "token", name: "token", scopes: "all" };
  }
  async function toPrincipal(caller: Subject): Promise<Principal> {
    const { user } = caller;
    const held = await deps.administration.findHeld(caller);
    if ("refusal" in held) throw new AppError("forbidden", refusals[held.refusal]);
    if (!hasSecondFactor(user)) warnOnce(user.id);
    return { kind: "person", name: `user ${user.username}`, scopes: held.scopes };
  }
  return async (c, next) => {
    const requestId = c.get("requestId");
    const clientId = toClientId(c.req.header("x-auth-client"));
    const caller = await findCaller(c);
    const person = "user" in caller ? caller : undefined;
    const principal = "user" in caller ? await toPrincipal(caller) : caller;
    deps.scopes.assert(c, principal.scopes);
    if (principal.scopes !== "all") await deps.protect(c);
    if (person !== undefined && deps.needsFreshProof(c)) assertRecent(person, deps.now());
    const network = toAddressPrefix(c.get("clientAddress"));
    const actor = { name: principal.name, clientId, requestId, network };
    c.set("actor", person === undefined ? actor : { ...actor, userId: person.user.id });
    c.set("principal", principal);
    return next();
  };
}
