/** Roles as administrators create, change and give them. */
import { describeChanges } from "../../kit/text/changes.ts";
import { AppError } from "../../kit/errors.ts";
import { writeAudit } from "../../records/audit.ts";
import { createResource } from "../../records/resource.ts";
import type { ChangedBy } from "../../records/versions.ts";
import { type AdminScope, adminScopes } from "../../records/rights/scopes.ts";
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

function assertName(name: string): void {
  if (builtInNames.has(name.toLowerCase()))
    throw new AppError("already_exists", `"${name}" is the name of a built-in role. Choose another one`);
}

function assertOwn(id: string): void {
  if (builtInRoles.has(id))
    throw new AppError("conflict", "Built-in roles cannot be changed. Create a custom role instead");
}

function createDefinitions(deps: Pick<AuthDeps, "store" | "clock">) {
  const records = createResource(deps, {
    collection: roles,
    noun: "role",
    idPrefix: "rol",
    auditName: "role",
    atMost: MAX_ROLES,
    unique: { index: "byName", keyOf: ({ nameKey }) => [nameKey], field: "name" },
    orders: {},
    create: ({ name, scopes }: RoleFields, { id, nowMs }) => ({
      id,
      version: 0,
      name,
      nameKey: name.toLowerCase(),
      scopes: [...new Set(scopes)],
      createdAt: nowMs,
      editVersion: 1,
    }),
    change: (before, { name = before.name, scopes }: Partial<RoleFields>) => ({
      ...before,
      name,
      nameKey: name.toLowerCase(),
      scopes: [...new Set<string>(scopes ?? before.scopes)],
    }),
    check: async (_tx, { name }, { before }) => {
      if (name !== before?.name) assertName(name);
    },
    afterWrite: (tx, { id, scopes }) => keepRoleScopes(tx, id, scopes),
    afterRemove: (tx, { id }) => keepRoleScopes(tx, id, undefined),
    describe: ({ name, scopes }, action) => [
      `name: ${name}`,
      ...(action === "create" ? [`scopes: ${scopes.join(" ")}`] : []),
    ],
    describeChange: (before, { name, scopes }) => describeChanges(before, { name, scopes }),
  });
  return {
    /** The built-in ones first. */
    list: async (): Promise<readonly ListedRole[]> => [
      ...builtIn,
      ...(await records.listAll()).map(toListed),
    ],
    /** Throws `already_exists`, `conflict`. */
    create: async (fields: RoleFields, by: ChangedBy): Promise<ListedRole> =>
      toListed(await records.create(fields, by)),
    /** Holders have the new scopes at once. Throws `not_found`, `stale_version`, `already_exists`, `conflict`. */
    change: async (id: string, fields: Partial<RoleFields>, by: ChangedBy): Promise<ListedRole> => {
      assertOwn(id);
      return toListed(await records.change(id, fields, by));
    },
    /** Its holders lose its scopes at once; its ID is never used again. Throws `not_found`, `conflict`. */
    remove: async (id: string, by: ChangedBy): Promise<void> => {
      assertOwn(id);
      await records.remove(id, by);
    },
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
          throw new AppError("conflict", "The account is deleted. Restore it first");
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
          const message = "cannot be assigned to a group. Assign it to users";
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
