/** Roles for administrators: which there are, own ones, and who has them. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import {
  type AdminMiddleware,
  adminRoute,
  adminUserSchema,
  answerUser,
  exampleAdminUser,
  recordIdParams,
} from "../edge/admin-views.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import { groupIdSchema } from "../base/ledger-schema.ts";
import type { ListedRole, Roles } from "./roles.ts";
import { heldRolesSchema } from "../base/role-schema.ts";
import { type RoleView, roleFieldsSchema, roleSchema } from "./view-schema.ts";

const example: RoleView = {
  id: "rol_01jd5v6m0c8f3k2n7q4x9y1z5a",
  name: "Packers",
  scopes: ["orders:write", "products:read"],
  builtIn: false,
  everything: false,
  version: 1,
};
const onlyAdministrators = { "x-scope": "administrator" } as const;
const params = z.object({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,60}$/u, "must be the ID of a role")
    .openapi({ param: { name: "id", in: "path" }, example: example.id }),
});
const groupParams = z.object({
  id: z
    .string()
    .pipe(groupIdSchema)
    .openapi({ param: { name: "id", in: "path" }, example: "family" }),
});

interface Parts {
  readonly roles: Roles;
  readonly admin: AdminMiddleware;
}

function toView({ id, name, scopes, isBuiltIn, isAdministrative, version }: ListedRole): RoleView {
  return { id, name, scopes: [...scopes], builtIn: isBuiltIn, everything: isAdministrative, version };
}

function addDefinitions(app: ServiceApp, { roles, admin }: Parts): void {
  resourceRoutes(app, {
    route: adminRoute("roles", admin),
    path: "/api/admin/roles",
    name: "Role",
    noun: "role",
    params,
    view: roleSchema,
    example,
    show: toView,
    listAll: {
      summary: "List roles, built-in roles first",
      page: z.object({ items: z.array(roleSchema) }),
      run: roles.list,
    },
    create: {
      ...onlyAdministrators,
      summary: "Create a role (a named set of scopes)",
      body: roleFieldsSchema,
      example: { name: example.name, scopes: ["orders:write", "products:read"] },
      errors: ["already_exists", "conflict"],
      run: roles.create,
    },
    change: {
      ...onlyAdministrators,
      summary: "Change a role. The new scopes apply immediately. If-Match prevents lost updates",
      body: roleFieldsSchema.partial(),
      example: { name: "Packing" },
      errors: ["already_exists", "conflict"],
      run: roles.change,
    },
    remove: {
      ...onlyAdministrators,
      summary: "Delete a role. Its users lose the scopes immediately",
      errors: ["conflict"],
      run: roles.remove,
    },
  });
}

const given = z.strictObject({ roles: heldRolesSchema });

function addAssignments(app: ServiceApp, { roles, admin }: Parts): void {
  const ofUser = createRoute({
    ...adminRoute("users", admin),
    ...onlyAdministrators,
    method: "put",
    path: "/api/admin/users/{id}/roles",
    operationId: "adminSetUserRoles",
    summary: 'Set the roles of an account; "owner" and "administrator" make it an administrator',
    request: {
      params: recordIdParams,
      headers: ifMatchHeader,
      body: jsonBody(given, { roles: ["shop-staff"] }),
    },
    responses: { 200: jsonResponse("The updated account", adminUserSchema, exampleAdminUser) },
    errors: [...writeErrors, "not_found", "conflict", "last_admin", "stale_version"],
  });
  app.openapi(ofUser, async (c) => {
    const version = readIfMatch(c.req.header("if-match"));
    const options = { ...c.req.valid("json"), version, actor: c.var.actor };
    return answerUser(c, await roles.setForUser(c.req.valid("param").id, options));
  });

  const ofGroup = createRoute({
    ...adminRoute("groups", admin),
    ...onlyAdministrators,
    method: "put",
    path: "/api/admin/groups/{id}/roles",
    operationId: "adminSetGroupRoles",
    summary: 'Set the roles of a group\'s members; "owner" and "administrator" are for people alone',
    request: {
      params: groupParams,
      headers: ifMatchHeader,
      body: jsonBody(given, { roles: ["support"] }),
    },
    responses: {
      200: jsonResponse("The roles", given, { roles: ["support"] }),
    },
    errors: [...writeErrors, "not_found", "stale_version"],
  });
  app.openapi(ofGroup, async (c) => {
    const version = readIfMatch(c.req.header("if-match"));
    const options = { ...c.req.valid("json"), version, actor: c.var.actor };
    const group = await roles.setForGroup(c.req.valid("param").id, options);
    c.header("etag", `"${group.version}"`);
    return c.json({ roles: group.roles }, 200);
  });
}

/** Adds the routes below /api/admin/roles, and those that give roles. */
export function addAdminRoleRoutes(app: ServiceApp, parts: Parts): void {
  addDefinitions(app, parts);
  addAssignments(app, parts);
}
