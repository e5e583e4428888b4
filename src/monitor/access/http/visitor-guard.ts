/** Identifies the visitor of a request, for routes that are public too. */
import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "../../../kit/http/app.ts";
import { AppError } from "../../../kit/errors.ts";
import { type OriginRules, isAllowedOrigin, isSameHost } from "../../../kit/outbound/origin.ts";
import { RESOURCE_METADATA_PATH } from "../../../kit/http/security-headers.ts";
import type { SecurityScheme } from "../../../kit/http/docs.ts";
import { APPLICATION_SCOPE, insufficientScope } from "../../../records/rights/application-scopes.ts";
import { type AccountTokens, STATUS_SCOPE } from "../account-tokens.ts";
import { hashSecret } from "../../../kit/secrets/admin-token.ts";
import { tokenPrefixes } from "../tokens.ts";
import type { Credential, Right, RightOf, Visitor } from "../visitor.ts";
import { type AdminSessions, SESSION_PREFIX } from "../sessions.ts";
import { adminSecurity } from "../../edge/admin-env.ts";
import { readBearer } from "./admin-guard.ts";
import { readSessionCookie, readViewerCookie } from "../../edge/cookies.ts";

/**
 * Finds the visitor of a request: at once for a stranger.
 * @throws AppError `unauthenticated` and `rate_limited` for a wrong X-Admin-Token; a session or link that has ended is
 * a stranger's
 */
export type FindVisitor = (c: Context<AppEnv>) => Visitor | Promise<Visitor>;

/** Errors of routes that distinguish visitors. */
export const visitorErrors = [
  "unauthenticated",
  "rate_limited",
  "insufficient_scope",
  "unavailable",
] as const;

/** Common part of such routes. A public site needs no credential. */
export const visitorRoute = {
  security: [{}, ...adminSecurity, { accountToken: [] }] satisfies Record<string, string[]>[],
  [APPLICATION_SCOPE]: STATUS_SCOPE,
};

export const visitorSchemes = {
  accountToken: {
    type: "http",
    scheme: "bearer",
    description:
      "For private sites: an access token from the auth center, or from an application for the resource `monitor` with the scope `status:read`",
  },
} as const satisfies Record<string, SecurityScheme>;

export interface VisitorDeps {
  readonly sessions: Pick<AdminSessions, "checkToken">;
  readonly rightOf: RightOf;
  readonly accountTokens: AccountTokens;
  /** The rights without a credential. */
  readonly strangersRight: () => Right;
  readonly origins: OriginRules;
}

/** Browsers name the page's origin for sockets: no other site may look with the reader's cookie. */
function isOwnPage(c: Context<AppEnv>, origins: OriginRules): boolean {
  const origin = c.req.header("origin");
  const { raw } = c.req;
  return origin === undefined || isSameHost(origin, raw) || isAllowedOrigin(origin, raw, origins);
}

/** The credential of the cookies; a signed-in user may do more than the holder of a link. */
function readCookies(c: Context<AppEnv>, origins: OriginRules): Credential[] {
  if (c.req.header("cookie") === undefined || !isOwnPage(c, origins)) return [];
  const session = readSessionCookie(c, origins.publicUrl);
  const link = readViewerCookie(c, origins.publicUrl);
  return [
    ...(session === undefined ? [] : [{ kind: "session" as const, id: hashSecret(session) }]),
    ...(link === undefined ? [] : [{ kind: "access-token" as const, id: hashSecret(link) }]),
  ];
}

/**
 * @throws AppError `insufficient_scope` for an application without read access, `unavailable` while the auth center is
 */
async function findAccountRight(accountTokens: AccountTokens, token: string): Promise<Right> {
  const answer = await accountTokens(token);
  if (answer === "insufficient_scope") throw insufficientScope("monitor", STATUS_SCOPE);
  if (answer === "away")
    throw new AppError(
      "unavailable",
      "The auth center is unavailable, so the token could not be validated. Try again soon",
      {
        retryAfterSeconds: 1,
      },
    );
  return answer;
}

export function createFindVisitor(deps: VisitorDeps): FindVisitor {
  const { sessions, rightOf, accountTokens, strangersRight, origins } = deps;
  const strangers: Readonly<Record<Right, Visitor>> = {
    nothing: { right: "nothing" },
    view: { right: "view" },
    administer: { right: "administer" },
  };
  const known = new WeakMap<Request, Visitor>();

  function readHeaders(c: Context<AppEnv>): Credential | undefined {
    const adminToken = c.req.header("x-admin-token");
    if (adminToken !== undefined) {
      sessions.checkToken(adminToken, c.get("clientAddress"));
      return { kind: "administrator-token" };
    }
    const bearer = readBearer(c.req.header("authorization"));
    if (bearer?.startsWith(SESSION_PREFIX)) return { kind: "session", id: hashSecret(bearer) };
    if (bearer?.startsWith(`${tokenPrefixes.view}_`)) return { kind: "access-token", id: hashSecret(bearer) };
    // Any other is a proxy's: it is not for the monitor. One of the auth center shows no more than everyone sees.
    if (bearer === undefined || strangersRight() !== "nothing" || !/^(?:acc_|eyJ)/u.test(bearer))
      return undefined;
    return { kind: "account-token", id: hashSecret(bearer), token: bearer };
  }

  async function findBest(c: Context<AppEnv>, credentials: readonly Credential[]): Promise<Visitor> {
    let best: Visitor = strangers[strangersRight()];
    for (const credential of credentials) {
      if (credential.kind === "account-token" && best.right !== "nothing") continue;
      const right =
        credential.kind === "account-token"
          ? await findAccountRight(accountTokens, credential.token)
          : await rightOf(credential);
      if (right === "administer" || (right === "view" && best.right === "nothing"))
        best = { right, credential };
      if (best.right === "administer") break;
    }
    // A response to a credential must not enter shared caches.
    if (best.right !== strangersRight()) c.header("cache-control", "private, no-cache");
    known.set(c.req.raw, best);
    return best;
  }

  return (c) => {
    const found = known.get(c.req.raw);
    if (found !== undefined) return found;
    const shown = readHeaders(c);
    // A proxy's own header must not hide the cookies of who signed in.
    const isForeign = shown === undefined || shown.kind === "account-token";
    const credentials = [
      ...(isForeign ? readCookies(c, origins) : []),
      ...(shown === undefined ? [] : [shown]),
    ];
    return credentials.length === 0 ? strangers[strangersRight()] : findBest(c, credentials);
  };
}

/** Paths that a private site shows to strangers: nothing of them is about a server. */
const openPaths = new Set([
  "/",
  "/api",
  "/api/health",
  "/api/access",
  "/api/access/session",
  "/api/enrol",
  "/api/agent/report",
  "/sign-in",
  "/callback",
  "/backchannel-logout",
  "/install.sh",
  "/download",
  "/metrics",
  "/openapi.json",
  "/admin",
  RESOURCE_METADATA_PATH,
  "/favicon.ico",
  "/site.css",
  "/site.webmanifest",
  // Status pages say themselves who may look.
  "/status",
]);
/** The pages' shell and files, routes with their own guard, and what machines load. */
const openPrefixes = [
  "/assets/",
  "/site-logo/",
  "/servers/",
  "/admin/",
  "/api/admin/",
  "/view/",
  "/download/",
  "/swagger/",
  "/status/",
  // Jobs show the key in the address.
  "/ping/",
  "/api/push/",
];

/** While the site is private, requires a viewer, except for routes with their own rule. */
export function createPrivateGuard(deps: {
  readonly isPrivate: () => boolean;
  readonly findVisitor: FindVisitor;
  /** The page on which one signs in, for who wants a page; else undefined. */
  readonly toPage: (c: Context<AppEnv>) => Promise<Response> | undefined;
}): MiddlewareHandler<AppEnv> {
  async function guard(c: Context<AppEnv>, next: () => Promise<void>): Promise<Response | void> {
    const { path } = c.req;
    const isOpen = openPaths.has(path) || openPrefixes.some((prefix) => path.startsWith(prefix));
    if (isOpen || (await deps.findVisitor(c)).right !== "nothing") return next();
    const page = deps.toPage(c);
    if (page !== undefined) return page;
    throw new AppError(
      "unauthenticated",
      "This site is private. Open a viewer link, sign in, or send a session or token as Bearer",
    );
  }
  return (c, next) => (deps.isPrivate() ? guard(c, next) : next());
}
