/** Lets only signed-in people pass. */
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../../../kit/http/app.ts";
import type { SecurityScheme } from "../../../kit/http/docs.ts";
import { AppError } from "../../../kit/errors.ts";
import {
  assertOwner,
  type Subject,
  findAudience,
  findScopesAt,
  isFirstParty,
  opensScope,
} from "../subject.ts";
import { APPLICATION_SCOPE, insufficientScope } from "../../../records/rights/application-scopes.ts";
import {
  type DeclaredRoute,
  type RouteRegistry,
  nameMatchedRoute,
  readDeclarations,
} from "../../../kit/http/routing.ts";
import type { AccessTokens } from "../access-tokens.ts";
import type { Activity } from "../activity.ts";
import { enrolmentRequired } from "../../base/errors.ts";
import type { Sessions } from "../sessions.ts";
import { findClientId } from "./callers.ts";

const BEARER = /^Bearer +([\w.~+/-]+=*)$/iu;
const MAX_LENGTH = 512;
/** A JWT's scopes and audiences take room. */
const MAX_JWT = 8_192;

export interface BearerEnv {
  Bindings: AppEnv["Bindings"];
  Variables: AppEnv["Variables"] & { subject: Subject; accessToken: string };
}

export const bearerScheme = {
  bearer: { type: "http", scheme: "bearer", description: "The access token of a sign-in" },
  clientSecret: {
    type: "http",
    scheme: "basic",
    description: "Id and secret of a registered application",
  },
} as const satisfies Record<string, SecurityScheme>;

export const bearerSecurity: Record<string, string[]>[] = [{ bearer: [] }];

/** Errors of every route for signed-in users. */
export const bearerErrors = [
  "unauthenticated",
  "token_invalid",
  "forbidden",
  "insufficient_scope",
  "mfa_enrolment_required",
] as const;

/** Routes for users who must set up a second factor first. */
const enrolmentRoutes = new Set([
  "POST /api/auth/mfa/totp",
  "POST /api/auth/mfa/totp/confirm",
  "POST /api/auth/me/passkeys/options",
  "POST /api/auth/me/passkeys",
  "POST /api/auth/reauth",
  "POST /api/auth/logout",
]);

function isJwt(token: string): boolean {
  return token.startsWith("eyJ");
}

/** The part of a context that is read here. */
export interface RequestHeaders {
  readonly req: { header(name: string): string | undefined };
}

/** The token of the Authorization header, undefined without one. Throws `unauthenticated` for another form. */
export function readBearer(c: RequestHeaders): string | undefined {
  const header = c.req.header("authorization");
  if (header === undefined) return undefined;
  const token = header.length > MAX_JWT ? undefined : BEARER.exec(header)?.[1];
  if (token === undefined || (token.length > MAX_LENGTH && !isJwt(token)))
    throw new AppError(
      "unauthenticated",
      'The Authorization header must be "Bearer" followed by an access token',
    );
  return token;
}

interface SubjectDeps {
  readonly sessions: Sessions;
  readonly accessTokens: Pick<AccessTokens, "find">;
  readonly activity: Activity;
}

/**
 * The holder of the token of a request. Throws `unauthenticated` without one, `token_invalid` for a dead one, and
 * `mfa_enrolment_required` for one that only sets up a second factor, unless `mayEnrol`.
 */
export async function getSubject(
  c: RequestHeaders,
  deps: SubjectDeps,
  mayEnrol = false,
): Promise<{ subject: Subject; accessToken: string }> {
  const accessToken = readBearer(c);
  if (accessToken === undefined)
    throw new AppError(
      "unauthenticated",
      "An access token is required. Sign in and send it as Authorization: Bearer",
    );
  const subject = isJwt(accessToken)
    ? (await deps.accessTokens.find(accessToken))?.subject
    : await deps.sessions.find(accessToken);
  const enrolling = subject === undefined ? await deps.sessions.findEnrolling(accessToken) : undefined;
  if (enrolling !== undefined && !mayEnrol) throw enrolmentRequired();
  if (enrolling !== undefined) return { subject: enrolling, accessToken };
  if (subject === undefined)
    throw new AppError(
      "token_invalid",
      "The access token is invalid or expired. Refresh it or sign in again",
    );
  // Without the header, it is the application that the user signed in with.
  deps.activity.note(subject, findClientId(c.req.header("x-auth-client")) ?? subject.session.clientId);
  return { subject, accessToken };
}

const nobodyCodes: ReadonlySet<string> = new Set([
  "unauthenticated",
  "token_invalid",
  "mfa_enrolment_required",
]);

/** The holder of a valid Bearer of any kind, if any: an invalid one counts as none. */
export async function findHolder(c: RequestHeaders, deps: SubjectDeps): Promise<Subject | undefined> {
  try {
    return (await getSubject(c, deps)).subject;
  } catch (error) {
    if (error instanceof AppError && nobodyCodes.has(error.code)) return undefined;
    throw error;
  }
}

/** The same for first-party sign-ins only: the token of an application counts as no sign-in. */
export async function findSubject(c: RequestHeaders, deps: SubjectDeps): Promise<Subject | undefined> {
  const subject = await findHolder(c, deps);
  return subject !== undefined && isFirstParty(subject.session) ? subject : undefined;
}

export type BearerGuard = MiddlewareHandler<BearerEnv>;

/** The common part of routes for signed-in users, with the scopes of applications' tokens that may use them. */
export function bearerRoute(tag: string, bearer: BearerGuard, applicationScope?: string) {
  return {
    tags: [tag],
    "x-access": "user" as const,
    security: bearerSecurity,
    guardErrors: bearerErrors,
    middleware: bearer,
    ...(applicationScope !== undefined && { [APPLICATION_SCOPE]: applicationScope }),
  };
}

/** Writes that an impersonating administrator may send: ending that session, and JWTs, which name both. */
const sharedPaths = new Set(["/api/auth/logout", "/api/auth/token/jwt"]);

/** Throws `forbidden` or `insufficient_scope` when the token of an application does not open a route that needs these scopes. */
export function assertOpen(subject: Subject, needed: string | undefined): void {
  if (isFirstParty(subject.session) || needed === "") return;
  if (needed === undefined)
    throw new AppError(
      "forbidden",
      "Access tokens of applications are not accepted here. The user must do this at the auth center",
    );
  const isForCenter = findAudience(subject)?.includes("auth") === true;
  const here = findScopesAt(subject, "auth");
  const isOpen = (scope: string): boolean => here.includes(scope) || opensScope(subject, scope);
  if (!isForCenter || !needed.split(" ").every(isOpen)) throw insufficientScope("auth", needed);
}

function readApplicationScope(route: DeclaredRoute): string | undefined {
  const scope: unknown = route[APPLICATION_SCOPE];
  return typeof scope === "string" ? scope : undefined;
}

/**
 * Middleware of routes for signed-in people: sets `subject` and `accessToken`. An administrator who acts in an
 * account looks, and changes nothing in its owner's name; an application does what its scopes name.
 */
export function createBearerGuard(deps: SubjectDeps, app: RouteRegistry): BearerGuard {
  let scopes: ReadonlyMap<string, string> | undefined;
  return async (c, next) => {
    const { method, path } = c.req;
    const { subject, accessToken } = await getSubject(c, deps, enrolmentRoutes.has(`${method} ${path}`));
    if (method !== "GET" && method !== "HEAD" && !sharedPaths.has(path)) assertOwner(subject);
    scopes ??= readDeclarations(app, readApplicationScope);
    assertOpen(subject, scopes.get(nameMatchedRoute(c) ?? ""));
    c.set("subject", subject);
    c.set("accessToken", accessToken);
    return next();
  };
}
