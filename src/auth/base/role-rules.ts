/** Keeps the copies of what roles and groups give; see {@link RoleRules}. */
import { AppError } from "../../kit/errors.ts";
import { findOwn } from "../../kit/find-own.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { state } from "./records.ts";
import { changeState } from "./state.ts";
import { type RoleRules, builtInRoles } from "./role-schema.ts";

export async function readRoleRules(tx: ReadTx): Promise<RoleRules> {
  return (await tx.get(state, "state"))?.roleRules ?? { roles: {}, groups: {} };
}

function withEntry(
  entries: RoleRules["roles"],
  id: string,
  value: readonly string[] | undefined,
): RoleRules["roles"] {
  const { [id]: _former, ...others } = entries;
  return value === undefined || value.length === 0 ? others : { ...others, [id]: [...value] };
}

/** Copies the scopes of a role; undefined for one that is removed. */
export async function keepRoleScopes(
  tx: Tx,
  id: string,
  scopes: readonly string[] | undefined,
): Promise<void> {
  const { roles, ...rest } = await readRoleRules(tx);
  await changeState(tx, { roleRules: { ...rest, roles: withEntry(roles, id, scopes) } });
}

/** Copies the roles of a group; none for a group that is removed. */
export async function keepGroupRoles(tx: Tx, id: string, roleIds: readonly string[]): Promise<void> {
  const { groups, ...rest } = await readRoleRules(tx);
  if (roleIds.length === 0 && findOwn(groups, id) === undefined) return;
  await changeState(tx, { roleRules: { ...rest, groups: withEntry(groups, id, roleIds) } });
}

/** Refuses roles that do not exist. Throws `invalid`, naming the field. */
export function assertRoles(ids: readonly string[], rules: RoleRules): void {
  for (const [index, id] of ids.entries()) {
    if (builtInRoles.has(id) || findOwn(rules.roles, id) !== undefined) continue;
    const message = `is not a role. Create the role "${id}" first`;
    throw new AppError("invalid", `"${id}" ${message}`, {
      errors: [{ pointer: `/roles/${index}`, code: "unknown_role", message }],
    });
  }
}
