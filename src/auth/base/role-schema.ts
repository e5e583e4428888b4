/** Roles: named sets of administrative scopes, given to people and to groups. */
import { z } from "zod";
import { timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { type AdminScope, adminScopes } from "../../records/rights/scopes.ts";

export const roleIdSchema = z
  .string()
  .min(2)
  .max(40)
  .regex(/^[a-z][a-z0-9_-]*$/u, "must be the ID of a role, such as shop-staff");
export const roleNameSchema = trimmedLine(60);
export const roleScopesSchema = z.array(z.enum(adminScopes)).min(1);

/** As many roles as an account or a group may have. */
export const MAX_ROLES_HELD = 20;
export const heldRolesSchema = z.array(roleIdSchema).max(MAX_ROLES_HELD);

/** A role that administrators created; the built-in ones are {@link builtInRoles}. */
export const roleRecordSchema = z.object({
  id: roleIdSchema,
  version: z.number().int(),
  name: z.string(),
  /** The name in lower case: names are unique. */
  nameKey: z.string(),
  /** Those that this version does not know open nothing. */
  scopes: z.array(z.string()),
  createdAt: timeMs,
  editVersion: z.number().int(),
});
export type RoleRecord = z.infer<typeof roleRecordSchema>;

/** Copies of what roles and groups give, read with every session. */
export const roleRulesSchema = z.object({
  /** Scopes of the roles that administrators created, by id. */
  roles: z.record(z.string(), z.array(z.string())).default({}),
  /** Roles of groups that have any, by the group's id. */
  groups: z.record(z.string(), z.array(z.string())).default({}),
});
export type RoleRules = z.infer<typeof roleRulesSchema>;

interface BuiltInRole {
  readonly name: string;
  /** "all": an administrator, who may do everything. */
  readonly scopes: "all" | readonly AdminScope[];
}

const allReads = adminScopes.filter((scope) => scope.endsWith(":read"));

/** Roles that every center has, by id. */
export const builtInRoles: ReadonlyMap<string, BuiltInRole> = new Map(
  Object.entries<BuiltInRole>({
    owner: { name: "Owner", scopes: "all" },
    administrator: { name: "Administrator", scopes: "all" },
    "shop-staff": { name: "Shop staff", scopes: ["orders:write", "products:write", "chat:write"] },
    support: { name: "Support", scopes: ["chat:write", "orders:read"] },
    accountant: { name: "Accountant", scopes: ["orders:read", "invoices:read"] },
    operator: {
      name: "Operator",
      scopes: [
        "servers:write",
        "checks:write",
        "alerts:write",
        "status-pages:write",
        "monitor-settings:write",
      ],
    },
    viewer: { name: "Viewer", scopes: allReads },
  }),
);

/** Roles whose holders may do everything. */
export function isAdministrative(roleId: string): boolean {
  return builtInRoles.get(roleId)?.scopes === "all";
}
