/** Accounts for administrators: list, create, read, change, delete. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import type { AskedBy } from "../../kit/http/resource-routes.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { pageQuerySchema } from "../../kit/http/paging.ts";
import {
  type AdminMiddleware,
  adminRoute,
  adminUserSchema,
  exampleAdminUser,
  recordIdParams,
  toAdminUser,
} from "../edge/admin-views.ts";
import type { AdminEnv } from "../edge/admin-env.ts";
import { adminUserDetailsSchema, toAdminUserDetails } from "./user-details-views.ts";
import type { UserActions } from "./user-actions.ts";
import type { UserAdmin } from "./user-admin.ts";
import type { UserChanges } from "./user-change.ts";
import { userFilterSchema } from "./user-filter-schema.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { refuseLimited } from "../edge/limited.ts";
import { newUserSchema, userChangeSchema, userReplacementSchema } from "./schema.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";

const createdSchema = adminUserSchema
  .extend({
    setPasswordToken: z
      .string()
      .optional()
      .openapi({ description: "Works once, for 24 hours. Shown only in this response" }),
    setPasswordUrl: z
      .string()
      .optional()
      .openapi({ description: "URL of the page to set the password, if one is configured" }),
  })
  .openapi("CreatedUser");

const exampleChange = {
  username: "ann",
  email: "ann@example.org",
  emailVerified: true,
  role: "user",
  locale: "de-AT",
  timeZone: "Europe/Vienna",
  status: "active",
} as const;

/** Query parameters of the list of accounts. */
const userQuerySchema = pageQuerySchema.extend(userFilterSchema.shape);

interface Parts {
  readonly userAdmin: UserAdmin;
  readonly userChanges: UserChanges;
  readonly userActions: UserActions;
  readonly admin: AdminMiddleware;
}

function addCreateRoute(app: ServiceApp, { userAdmin, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    path: "/api/admin/users",
    operationId: "adminCreateUser",
    summary: "Create an account. Without a password, the owner receives a link to set one",
    request: {
      body: jsonBody(newUserSchema, { username: "ann", email: "ann@example.org", displayName: "Ann" }),
    },
    responses: {
      201: jsonResponse("The account", createdSchema, {
        ...exampleAdminUser,
        setPasswordToken: "rst_…",
      }),
    },
    errors: [...writeErrors, "username_taken", "email_taken", "password_blocked", "unavailable"],
  });
  app.openapi(route, async (c) => {
    const fields = c.req.valid("json");
    if (fields.role === "admin" && c.var.principal.scopes !== "all") refuseLimited("roles");
    const { user, ...link } = await userAdmin.create(fields, c.var.actor);
    c.header("location", `/api/admin/users/${user.id}`);
    c.header("etag", `"${user.editVersion}"`);
    c.header("cache-control", "no-store");
    return c.json({ ...toAdminUser(user), ...link }, 201);
  });
}

function addReadRoute(app: ServiceApp, { userAdmin, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "get",
    path: "/api/admin/users/{id}",
    operationId: "adminGetUser",
    summary: "Get an account with its profile, email addresses and applications",
    request: { params: recordIdParams },
    responses: { 200: jsonResponse("The account", adminUserDetailsSchema) },
  });
  app.openapi(route, async (c) => {
    const details = await userAdmin.get(c.req.valid("param").id);
    c.header("etag", `"${details.user.editVersion}"`);
    return c.json(toAdminUserDetails(details), 200);
  });
}

function addUsers(app: ServiceApp, { userAdmin, userChanges, admin }: Parts): void {
  const errors = ["conflict", "username_taken", "email_taken", "last_admin"] as const;
  function run(
    id: string,
    change: z.infer<typeof userChangeSchema>,
    { ifMatch, actor, context }: AskedBy<AdminEnv>,
  ): Promise<UserRecord> {
    // A limited administrator changes only accounts without roles.
    if (change.role === "admin" && context.var.principal.scopes !== "all") refuseLimited("roles");
    return userChanges.change(id, { change, version: ifMatch, actor });
  }
  resourceRoutes(app, {
    route: adminRoute("users", admin),
    path: "/api/admin/users",
    name: "User",
    noun: "account",
    params: recordIdParams,
    view: adminUserSchema,
    example: exampleAdminUser,
    show: toAdminUser,
    versionOf: ({ editVersion }) => editVersion,
    list: {
      summary:
        "List accounts, newest first by default. A search examines 2,000 accounts per page; nextCursor continues from there",
      description: "A page can be short or empty and still have a nextCursor.",
      query: userQuerySchema,
      run: userAdmin.list,
    },
    replace: {
      summary: "Replace the fields of an account. If-Match prevents lost updates",
      body: userReplacementSchema,
      example: exampleChange,
      errors,
      run,
    },
    change: {
      summary:
        "Change some fields of an account. A new email address is unverified unless emailVerified is true",
      body: userChangeSchema,
      example: { role: "admin" },
      errors,
      run,
    },
  });
}

function addDeleteRoute(app: ServiceApp, { userActions, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "delete",
    path: "/api/admin/users/{id}",
    operationId: "adminDeleteUser",
    summary: "Delete an account. It can be restored for 30 days; with purge=true it is erased immediately",
    request: {
      params: recordIdParams,
      query: z.object({ purge: z.enum(["true", "false"]).default("false") }),
    },
    responses: { 204: { description: "Deleted; all sessions have ended" } },
    errors: ["invalid", "not_found", "last_admin", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const { id } = c.req.valid("param");
    const by = { actor: c.var.actor, caller: toCaller(c) };
    if (c.req.valid("query").purge === "true") await userActions.purge(id, by);
    else await userActions.remove(id, by);
    return c.body(null, 204);
  });
}

/** Adds the routes below /api/admin/users that concern an account's own fields. */
export function addAdminUserRoutes(app: ServiceApp, parts: Parts): void {
  addUsers(app, parts);
  addCreateRoute(app, parts);
  addReadRoute(app, parts);
  addDeleteRoute(app, parts);
}
