/** The scopes of a person's roles, computed from what is read with the session. */
import { type AdminScope, adminScopes, isAdminScope, listScopes } from "../../records/rights/scopes.ts";
import { findOwn } from "../../kit/find-own.ts";
import type { UserRecord } from "./schema.ts";
import { type RoleRules, builtInRoles, isAdministrative } from "../base/role-schema.ts";

/** Members administer the monitor and the shop of the install. */
export const ADMIN_GROUP = "trivet-admins";

const ofServices: readonly AdminScope[] = [...listScopes("shop"), ...listScopes("monitor")];

function toScopes(roleId: string, rules: RoleRules): readonly string[] {
  const builtIn = builtInRoles.get(roleId);
  if (builtIn === undefined) return findOwn(rules.roles, roleId) ?? [];
  return builtIn.scopes === "all" ? adminScopes : builtIn.scopes;
}

/** The roles of an account and of its groups; "admin" accounts have one of the administrative ones. */
export function listRoles(
  { role, roles = [], groups = [] }: Pick<UserRecord, "role" | "roles" | "groups">,
  rules: RoleRules | undefined,
): string[] {
  const own = role === "admin" && !roles.some(isAdministrative) ? ["administrator", ...roles] : roles;
  return [...new Set([...own, ...groups.flatMap((id) => findOwn(rules?.groups, id) ?? [])])];
}

/** Everything that the roles of an account and of its groups open, in the usual order. */
export function findAdminScopes(
  user: Pick<UserRecord, "role" | "roles" | "groups">,
  rules: RoleRules = { roles: {}, groups: {} },
): readonly AdminScope[] {
  if (user.role === "admin") return adminScopes;
  const isInGroup = user.groups?.includes(ADMIN_GROUP) === true;
  const roles = listRoles(user, rules);
  if (roles.length === 0) return isInGroup ? ofServices : [];
  const held = new Set<string>(isInGroup ? ofServices : []);
  for (const id of roles) for (const scope of toScopes(id, rules)) held.add(scope);
  return adminScopes.filter((scope) => held.has(scope) && isAdminScope(scope));
}

/** Whether an account may do more than others, so that only administrators change it. */
export function isPrivileged(
  user: Pick<UserRecord, "role" | "roles" | "groups">,
  rules: RoleRules | undefined,
): boolean {
  return findAdminScopes(user, rules).length > 0;
}
