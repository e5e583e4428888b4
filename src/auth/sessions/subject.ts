import { type UserRecord, type ProfileRecord } from "../accounts/schema.ts";
import { type SessionRecord } from "./schema.ts";
import { type ClientRecord } from "../applications/schema.ts";
import { type AccessRules } from "../base/policy-schema.ts";
import { type RoleRules } from "../base/role-schema.ts";
import { limitScope, selectScopes } from "../resources/target.ts";
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../base/errors.ts";
import { type Lifetimes, ownLifetimes, toLifetimes } from "../policy/lifetimes.ts";

/** The scope of applications that request none. */
export const DEFAULT_SCOPE = "openid";

/** A signed-in person. */
export interface Subject {
  readonly user: UserRecord;
  readonly session: SessionRecord;
  readonly displayName: string;
  /** Absent while an account has none. */
  readonly profile?: ProfileRecord | undefined;
  /** The application that holds the token; undefined for a first-party sign-in. */
  readonly application?: ClientRecord | undefined;
  /** Requirements of the site and its groups when the session was read. */
  readonly rules?: AccessRules | undefined;
  /** Scopes of roles and groups when the session was read. */
  readonly roleRules?: RoleRules | undefined;
}

/** Whether the person signed in at the center itself; what /oauth/token issued belongs to one application. */
export function isFirstParty({ parentId }: Pick<SessionRecord, "parentId">): boolean {
  return parentId === undefined;
}

/**
 * The scopes of an application's token; `openid` where it asked for none (RFC 6749 section 3.3). Undefined where
 * scopes don't apply: at a first-party sign-in, and at sign-ins of the install's own services from before they
 * asked for scopes.
 */
export function findScope({
  session,
  application,
}: Pick<Subject, "session" | "application">): string | undefined {
  if (isFirstParty(session)) return undefined;
  if (session.scope === undefined) return application?.isOwn === true ? undefined : DEFAULT_SCOPE;
  return limitScope(session.scope, session.audience ?? [], application?.resources ?? []);
}

/** Whether a sign-in opens what a scope names. */
export function opensScope(subject: Pick<Subject, "session" | "application">, name: string): boolean {
  const scope = findScope(subject);
  return scope === undefined || scope.split(" ").includes(name);
}

/** The resources at which an application's token opens anything; undefined for a first-party sign-in, which opens all. */
export function findAudience({
  session,
  application,
}: Pick<Subject, "session" | "application">): readonly string[] | undefined {
  if (isFirstParty(session)) return undefined;
  if (session.audience !== undefined && session.audience.length > 0) return session.audience;
  // A service of the install reads the account; without `resource` any other application gets tokens for itself.
  return application?.isOwn === true ? ["auth", application.id] : (application?.audiences ?? []);
}

/** The scopes of an application's token at a resource, in addition to those of OpenID Connect. */
export function findScopesAt(
  subject: Pick<Subject, "session" | "application">,
  resource: string,
): readonly string[] {
  const { session, application } = subject;
  if (findAudience(subject)?.includes(resource) !== true) return [];
  return selectScopes(session.scope ?? "", resource, application?.resources ?? []);
}

/** The resources that an application is: what tokens of others may be for. */
export function listOwned({
  id,
  audiences,
  isOwn,
}: Pick<ClientRecord, "id" | "audiences" | "isOwn">): readonly string[] {
  return isOwn ? [id, ...audiences] : audiences;
}

/** Whether an application may learn whose token it is: it was issued to it, or is for a resource that it is. */
export function isMeantFor(subject: Subject, asking: ClientRecord): boolean {
  if (isFirstParty(subject.session)) return false;
  const audience = findAudience(subject) ?? [];
  return subject.session.clientId === asking.id || listOwned(asking).some((id) => audience.includes(id));
}

/** The scopes of a token as far as they concern who asks: a resource learns those that are valid there. */
export function findScopeFor(subject: Subject, asking: ClientRecord): string | undefined {
  const scope = findScope(subject);
  if (scope === undefined || subject.session.clientId === asking.id) return scope;
  return limitScope(scope, listOwned(asking), subject.application?.resources ?? []);
}

/** Refuses what only the owner may do. Throws `forbidden` in an administrator's session. */
export function assertOwner({ session }: Subject): void {
  if (session.impersonatedBy !== undefined) {
    throw new AppError(
      "forbidden",
      "This action is not allowed while impersonating a user. Only the owner can do it",
    );
  }
}

/** A sign-in or `reauth` counts as recent for this long. */
const RECENT_MS = 10 * 60_000;

/** Whether the owner proved who they are within 10 minutes; what an application holds never counts as that. */
export function isRecent({ session }: Subject, nowMs: number): boolean {
  return session.parentId === undefined && session.authenticatedAt + RECENT_MS > nowMs;
}

/**
 * Refuses a sensitive change unless the owner proved who they are within 10 minutes.
 * Throws `forbidden`, `reauth_required`.
 */
export function assertRecent(subject: Subject, nowMs: number): void {
  assertOwner(subject);
  if (isRecent(subject, nowMs)) return;
  throw new AuthError(
    "reauth_required",
    "This action requires a recent sign-in. Reauthenticate with POST /api/auth/reauth, then repeat the request within 10 minutes",
  );
}

/** Of a session that is renewed, by what its application's policy says now. */
export function findLifetimes({ application, rules = {}, session }: Subject): Lifetimes {
  return application === undefined
    ? ownLifetimes
    : toLifetimes(application, rules, session.isOffline === true);
}
