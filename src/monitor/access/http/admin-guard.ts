/** Who may administer: the holder of a session (Bearer or cookie) or of the administrator token. */
import type { Context, MiddlewareHandler } from "hono";
import { AppError } from "../../../kit/errors.ts";
import type { OriginRules } from "../../../kit/outbound/origin.ts";
import { hashSecret } from "../../../kit/secrets/admin-token.ts";
import type { Access } from "../access.ts";
import { tokenPrefixes } from "../tokens.ts";
import { type AdminSessions, SESSION_PREFIX } from "../sessions.ts";
import { checkCookieOrigin, readSessionCookie } from "../../edge/cookies.ts";
import { type ApiKeys, looksLikeKey } from "../../../records/rights/api-keys.ts";
import type { FindMachine, Principal } from "../../../records/rights/principal.ts";
import { type NeedsFreshProof, assertFreshProof } from "../../../records/rights/fresh-proof.ts";
import type { RouteScopes } from "../../../records/rights/route-scopes.ts";
import { type GuardEnv } from "../../edge/admin-env.ts";

const BEARER = /^Bearer +([\w.~+/-]+=*)$/iu;

/** The token of a Bearer header; undefined for other schemes and without the header. */
export function readBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1];
}

type Credential =
  | { readonly adminToken: string }
  | { readonly sessionToken: string }
  | { readonly apiKey: string };

/** The caller's credential. Bearer accepts the administrator token too: Prometheus can send nothing else. */
function findCredential(c: Context, rules: OriginRules): Credential | undefined {
  const adminToken = c.req.header("x-admin-token");
  if (adminToken !== undefined) return { adminToken };
  const header = c.req.header("authorization");
  if (header !== undefined) {
    const token = readBearer(header);
    if (token === undefined)
      throw new AppError(
        "unauthenticated",
        'Authorization must be "Bearer" and a session, an API key or the administrator token',
      );
    if (looksLikeKey(token)) return { apiKey: token };
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
    throw new AppError("unauthenticated", "The token is invalid, expired or not for /metrics");
  };
}

interface AdminGuardDeps {
  readonly sessions: AdminSessions;
  readonly origins: OriginRules;
  readonly scopes: RouteScopes;
  readonly needsFreshProof: NeedsFreshProof;
  readonly now: () => number;
  readonly apiKeys: Pick<ApiKeys, "identify">;
  /** Finds the application of a machine's token. */
  readonly findMachine?: FindMachine | undefined;
}

/** Lets only administrators pass, and names them to the handler. */
export function createAdminGuard(deps: AdminGuardDeps): MiddlewareHandler<GuardEnv> {
  const { sessions, origins, scopes, needsFreshProof, now, apiKeys, findMachine } = deps;
  async function findByToken(token: string, clientAddress: string): Promise<Principal> {
    const machine = await findMachine?.(token);
    return machine ?? { kind: "token", name: sessions.checkToken(token, clientAddress), scopes: "all" };
  }
  async function findBySession(c: Context<GuardEnv>, token: string | undefined): Promise<Principal> {
    const session = token === undefined ? undefined : await sessions.find(token);
    if (session === undefined || (session.scopes !== "all" && session.scopes.size === 0)) {
      throw new AppError(
        "unauthenticated",
        "Administrator credentials are required. Sign in with POST /api/admin/auth and send the session as Bearer, or send X-Admin-Token or an API key as Bearer",
      );
    }
    c.set("sessionToken", token);
    c.set("sessionExpiresAt", session.expiresAt);
    const { name, scopes: held, adminScopes, proof } = session;
    return { kind: proof === undefined ? "console" : "person", name, scopes: held, adminScopes, proof };
  }
  return async (c, next) => {
    const credential = findCredential(c, origins) ?? { sessionToken: undefined };
    const clientAddress = c.get("clientAddress");
    const principal =
      "adminToken" in credential
        ? await findByToken(credential.adminToken, clientAddress)
        : "apiKey" in credential
          ? await apiKeys.identify(credential.apiKey, clientAddress)
          : await findBySession(c, credential.sessionToken);
    scopes.assert(c, principal.scopes);
    if (principal.proof !== undefined && needsFreshProof(c)) assertFreshProof(principal.proof, now());
    c.set("actor", { name: principal.name, requestId: c.get("requestId") });
    c.set("principal", principal);
    return next();
  };
}
