/** Scopes of applications (RFC 6749 section 3.3, OpenID Connect Core 1.0 section 5.4), and what each permits. */
import type { ClientRecord } from "../applications/schema.ts";
import { DEFAULT_SCOPE } from "../sessions/subject.ts";
import { accountScopes } from "../resources/schema.ts";
import { type ResourceNames, type Target, type TargetProblem, readTarget } from "../resources/target.ts";
import { type FindValue, fillTemplates } from "./custom-claims.ts";
import type { OwnClaims, Templates } from "../claims/schema.ts";
import { type ClaimValue, type Person, readClaims } from "./claim-table.ts";

/** `groups` is what Grafana, Gitea and Proxmox ask for; all get refresh tokens, and those of `offline_access` outlive the browser's session. */
export const scopes = accountScopes;
export type Scope = (typeof scopes)[number];

/** The known names, each once, in our order; others are ignored (section 3.1.2.1). */
export function readScopes(text: string): Scope[] {
  const asked = new Set(text.split(" "));
  return scopes.filter((scope) => asked.has(scope));
}

/** Whether scopes as they were granted let the application act while the person is signed out (section 11). */
export function asksOffline(scope: string): boolean {
  return scope.split(" ").includes("offline_access");
}

/** The same scopes but `offline_access`, where a policy does not grant it; the answer says what was granted (RFC 6749 section 5.1). */
export function withoutOffline(scope: string): string {
  return scope
    .split(" ")
    .filter((word) => word !== "offline_access")
    .join(" ");
}

/** The granted scopes of a request, with the default if no scope is known (RFC 6749 section 3.3). */
export function toTarget(
  sent: { get(name: string): string | undefined },
  client: Pick<ClientRecord, "id" | "resources" | "accessTokenFormat">,
  names: ResourceNames,
): Target | TargetProblem {
  const asked = { resource: sent.get("resource"), scope: sent.get("scope") };
  const target = readTarget(asked, client, names);
  if ("error" in target || target.scopes.length > 0) return target;
  return { ...target, scopes: [DEFAULT_SCOPE] };
}

/** The known names without resources, or the default where there are none. */
export function toGrantedScopes(text: string): Scope[] {
  const known = readScopes(text);
  return known.length === 0 ? readScopes(DEFAULT_SCOPE) : known;
}

/** The names that are ignored, as they were sent. */
export function findUnknownScopes(text: string, granted: readonly string[]): string[] {
  return text.split(" ").filter((scope) => scope !== "" && !granted.includes(scope));
}

/** Claims about an account for an application with these scopes, in addition to `sub`. */
export type Claims = Readonly<Record<string, ClaimValue>>;

/** Looks up variables of templates, as far as the scopes include them. */
function createFind(person: Person, granted: readonly Scope[]): FindValue {
  const { user, displayName, custom = {} } = person;
  const entries: [string, OwnClaims[string]][] = [
    ["user.id", user.id],
    ["user.username", user.username],
    ["user.name", displayName],
    ["user.locale", user.locale],
    ["user.zoneinfo", user.timeZone],
  ];
  const { givenName, familyName } = person.profile ?? {};
  if (givenName) entries.push(["user.given_name", givenName]);
  if (familyName) entries.push(["user.family_name", familyName]);
  for (const [name, value] of Object.entries(custom)) entries.push([`user.claims.${name}`, value]);
  if (granted.includes("email")) entries.push(["user.email", user.email]);
  if (granted.includes("groups")) entries.push(["user.groups", [...(user.groups ?? [])]]);
  const values = new Map(entries);
  return (name) => values.get(name);
}

export interface ClaimsTarget {
  readonly issuer: string;
  /** The application's own claims. */
  readonly templates?: Templates | undefined;
}

/** Names, address and groups, as far as the scopes open them (sections 5.1 and 5.4), and what administrators add. */
export function toClaims(
  person: Person,
  granted: readonly Scope[],
  { issuer, templates = {} }: ClaimsTarget,
): Claims {
  const has = (scope: Scope): boolean => granted.includes(scope);
  return {
    ...(has("profile") && {
      ...person.custom,
      ...readClaims(person, "profile", issuer),
      ...fillTemplates(templates, createFind(person, granted)),
    }),
    ...(has("email") && readClaims(person, "email", issuer)),
    ...(has("groups") && readClaims(person, "groups", issuer)),
  };
}
