/** Roles as administrators create, change and give them. */
import { describeChanges } from "../../kit/text/changes.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { writeAudit } from "../../records/audit.ts";
import { type AdminScope, adminScopes } from "../../records/rights/scopes.ts";
import { type Tx, StoreError } from "../../store/store.ts";
import { getUser, putUser } from "../accounts/accounts.ts";
import { assertNotLastAdmin, assertVersion, holdsToken } from "../accounts/admin-accounts.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { endAllSessions } from "../sessions/session-ends.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { groups } from "../groups/records.ts";
import { roles } from "./records.ts";
import { assertRoles, keepGroupRoles, keepRoleScopes, readRoleRules } from "../base/role-rules.ts";
import { type RoleRecord, builtInRoles, isAdministrative } from "../base/role-schema.ts";

/** As many roles as administrators may create. */
export const MAX_ROLES = 50;

/** A role as it is listed; built-in ones have no version. */
export interface ListedRole {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly isBuiltIn: boolean;
  /** Whether it allows everything, also what no scope names. */
  readonly isAdministrative: boolean;
  readonly version: number;
}

interface RoleFields {
  readonly name: string;
  readonly scopes: readonly AdminScope[];
}

interface GivenRoles {
  readonly roles: readonly string[];
  readonly version?: number | undefined;
  readonly actor: Actor;
}

function toListed({ id, name, scopes, editVersion }: RoleRecord): ListedRole {
  return { id, name, scopes, isBuiltIn: false, isAdministrative: false, version: editVersion };
}

const builtIn: readonly ListedRole[] = [...builtInRoles].map(([id, { name, scopes }]) => ({
  id,
  name,
  scopes: scopes === "all" ? adminScopes : scopes,
  isBuiltIn: true,
  isAdministrative: scopes === "all",
  version: 1,
}));
const builtInNames: ReadonlySet<string> = new Set(builtIn.map(({ name }) => name.toLowerCase()));

function refuseTaken(error: unknown, name: string): unknown {
  const isTaken = error instanceof StoreError && error.code === "unique_violation";
  return isTaken ? new AppError("already_exists", `A role named "${name}" exists already`) : error;
}

function assertName(name: string): void {
  if (builtInNames.has(name.toLowerCase()))
    throw new AppError("already_exists", `"${name}" is the name of a built-in role; choose another one`);
}

async function getRole(tx: Tx, id: string): Promise<RoleRecord> {
  if (builtInRoles.has(id))
    throw new AppError("conflict", "Built-in roles cannot be changed; create a role of your own instead");
  const role = await tx.get(roles, id);
  if (role === undefined) throw new AppError("not_found", "This role does not exist");
  return role;
}

function createDefinitions({ store, clock }: Pick<AuthDeps, "store" | "clock">) {
  return {
    /** The built-in ones first. */
    list: async (): Promise<readonly ListedRole[]> => {
      const { items } = await store.read((tx) => tx.list(roles, "id", { limit: MAX_ROLES }));
      return [...builtIn, ...items.map(toListed)];
    },
    /** Throws `already_exists`, `conflict`. */
    create: async ({ name, scopes }: RoleFields, actor: Actor): Promise<ListedRole> => {
      assertName(name);
      const createdAt = clock.now();
      const id = newId("rol", createdAt);
      try {
        return await store.transact(async (tx) => {
          if ((await tx.count(roles)) >= MAX_ROLES)
            throw new AppError("conflict", `There are ${MAX_ROLES} roles of your own: delete some first`);
          const fields = { name, nameKey: name.toLowerCase(), scopes: [...new Set(scopes)] };
          const role = await tx.insert(roles, { id, ...fields, createdAt, editVersion: 1 });
          await keepRoleScopes(tx, id, fields.scopes);
          const changes = [`name: ${name}`, `scopes: ${fields.scopes.join(" ")}`];
          await writeAudit(tx, { actor, action: "role.create", target: id, changes }, clock);
          return toListed(role);
        });
      } catch (error) {
        throw refuseTaken(error, name);
      }
    },
    /** Holders have the new scopes at once. Throws `not_found`, `stale_version`, `already_exists`, `conflict`. */
    change: async (
      id: string,
      { version, actor, ...change }: Partial<RoleFields> & { version?: number | undefined; actor: Actor },
    ): Promise<ListedRole> => {
      if (change.name !== undefined) assertName(change.name);
      try {
        return await store.transact(async (tx) => {
          const before = await getRole(tx, id);
          assertVersion(before, version, "role");
          const { name = before.name, scopes = before.scopes } = change;
          const fields = { name, scopes: [...new Set(scopes)] };
          const editVersion = before.editVersion + 1;
          const next = { ...before, ...fields, nameKey: name.toLowerCase(), editVersion };
          const role = await tx.put(roles, next);
          await keepRoleScopes(tx, id, fields.scopes);
          const changes = describeChanges(before, fields);
          await writeAudit(tx, { actor, action: "role.change", target: id, changes }, clock);
          return toListed(role);
        });
      } catch (error) {
        throw refuseTaken(error, change.name ?? "");
      }
    },
    /** Who had it lose what it opened at once; its id is never used again. Throws `not_found`, `conflict`. */
    remove: (id: string, actor: Actor): Promise<void> =>
      store.transact(async (tx) => {
        const { name } = await getRole(tx, id);
        await tx.remove(roles, id);
        await keepRoleScopes(tx, id, undefined);
        const changes = [`name: ${name}`];
        await writeAudit(tx, { actor, action: "role.delete", target: id, changes }, clock);
      }),
  };
}

export type Roles = ReturnType<typeof createRoles>;

export function createRoles(deps: Pick<AuthDeps, "store" | "clock" | "outbox" | "publicUrl">) {
  const { store, clock } = deps;
  return {
    ...createDefinitions(deps),
    /** Sets the roles of an account. Throws `not_found`, `stale_version`, `invalid`, `last_admin`, `conflict`. */
    setForUser: (userId: string, { roles: given, version, actor }: GivenRoles): Promise<UserRecord> =>
      store.transact(async (tx) => {
        const before = await getUser(tx, userId);
        assertVersion(before, version);
        if (before.status === "deleted")
          throw new AppError("conflict", "The account is deleted; restore it first");
        const ids = [...new Set(given)];
        assertRoles(ids, await readRoleRules(tx));
        const role = ids.some(isAdministrative) ? "admin" : "user";
        if (role === "user" && !holdsToken(actor)) await assertNotLastAdmin(tx, before, clock.now());
        const { roles: _former, ...rest } = before;
        const next: UserRecord = { ...rest, role, ...(ids.length === 0 ? {} : { roles: ids }) };
        // Another role of administrators begins with a new sign-in, as everywhere.
        const ended = role === before.role ? next : await endAllSessions(tx, next, clock.now());
        const after = await putUser(tx, ended, { edited: true });
        const changes = [`roles: ${ids.join(" ")}`];
        await writeAudit(tx, { actor, action: "user.roles", target: userId, changes }, clock);
        await tellOwner(tx, deps, { user: after, notice: "role-changed" });
        return after;
      }),
    /** Sets the roles of a group's members. Throws `not_found`, `stale_version`, `invalid`. */
    setForGroup: (
      groupId: string,
      { roles: given, version, actor }: GivenRoles,
    ): Promise<{ readonly roles: string[]; readonly version: number }> =>
      store.transact(async (tx) => {
        const before = await tx.get(groups, groupId);
        if (before === undefined) throw new AppError("not_found", `There is no group "${groupId}"`);
        assertVersion(before, version, "group");
        const ids = [...new Set(given)];
        assertRoles(ids, await readRoleRules(tx));
        const index = ids.findIndex(isAdministrative);
        if (index >= 0) {
          const message = "cannot be a group's role: give it to people";
          throw new AppError("invalid", `"${ids[index] ?? ""}" ${message}`, {
            errors: [{ pointer: `/roles/${index}`, code: "administrative", message }],
          });
        }
        const { roles: _former, ...rest } = before;
        const next = { ...rest, ...(ids.length === 0 ? {} : { roles: ids }) };
        const group = await tx.put(groups, { ...next, editVersion: before.editVersion + 1 });
        await keepGroupRoles(tx, groupId, ids);
        const changes = [`roles: ${ids.join(" ")}`];
        await writeAudit(tx, { actor, action: "group.roles", target: groupId, changes }, clock);
        return { roles: ids, version: group.editVersion };
      }),
  };
}
