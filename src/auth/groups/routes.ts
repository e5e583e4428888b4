/** Groups and their members for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { type AdminMiddleware, adminRoute, adminUserSchema, toAdminUser } from "../edge/admin-views.ts";
import { groupIdSchema } from "../base/ledger-schema.ts";
import type { CountedGroup, Groups } from "./groups.ts";
import { groupChangeSchema, groupRecordSchema, newGroupSchema } from "./schema.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";

const groupSchema = groupRecordSchema
  .pick({ id: true, title: true, minimumAssurance: true, claims: true })
  .extend({
    members: z.int(),
    roles: z.array(z.string()).openapi({ description: "Roles that members of the group receive" }),
    createdAt: isoTime,
    version: z.int().openapi({ description: "Also the ETag" }),
  })
  .openapi("Group");
const toView = createView(groupSchema);

const exampleGroup = {
  id: "family",
  title: "Family",
  members: 4,
  roles: [],
  createdAt: "2025-11-20T12:10:00.000+00:00",
  version: 1,
};

const idParam = z
  .string()
  .pipe(groupIdSchema)
  .openapi({ param: { name: "id", in: "path" }, example: "family" });
const groupParams = z.object({ id: idParam });
const memberParams = z.object({
  id: idParam,
  userId: z
    .string()
    .regex(/^usr_[0-9a-z]{1,40}$/u, "must be the id of an account")
    .openapi({ param: { name: "userId", in: "path" }, example: "usr_01jd5v6m0c8f3k2n7q4x9y1z5a" }),
});

interface Parts {
  readonly groups: Groups;
  readonly admin: AdminMiddleware;
}

function toGroupView({ group, members }: CountedGroup): z.infer<typeof groupSchema> {
  return toView(group, { members, roles: [...(group.roles ?? [])], version: group.editVersion });
}

function addGroups(app: ServiceApp, { groups, admin }: Parts): void {
  resourceRoutes(app, {
    route: adminRoute("groups", admin),
    path: "/api/admin/groups",
    name: "Group",
    noun: "group",
    params: groupParams,
    view: groupSchema,
    example: exampleGroup,
    show: toGroupView,
    list: { summary: "List groups, sorted by ID", query: pageQuerySchema, run: groups.list },
    get: { summary: "Get a group", run: groups.get },
    create: {
      summary: "Create a group. Its ID cannot be changed later",
      body: newGroupSchema,
      example: { id: "family", title: "Family" },
      errors: ["already_exists"],
      run: (fields, { actor }) => groups.create(fields, actor),
    },
    change: {
      summary:
        "Change the title of a group, the authentication strength that its members need at every application, or their custom claims. If-Match prevents lost updates",
      body: groupChangeSchema,
      example: { title: "Family and friends", minimumAssurance: "two-factor" },
      run: (id, change, { ifMatch, actor }) => groups.change(id, { ...change, version: ifMatch, actor }),
    },
    remove: {
      summary: "Delete a group. Not possible while an application uses it",
      errors: ["conflict"],
      run: (id, { actor }) => groups.remove(id, actor),
    },
  });
}

function addMemberRoutes(app: ServiceApp, { groups, admin }: Parts): void {
  const adminListGroupMembers = createRoute({
    ...adminRoute("groups", admin),
    method: "get",
    path: "/api/admin/groups/{id}/members",
    operationId: "adminListGroupMembers",
    summary: "List the accounts in a group",
    request: { params: groupParams, query: pageQuerySchema },
    responses: { 200: jsonResponse("A page of accounts", pageSchema(adminUserSchema)) },
  });
  app.openapi(adminListGroupMembers, async (c) => {
    const page = await groups.members(c.req.valid("param").id, c.req.valid("query"));
    return c.json(toPageView(page, toAdminUser), 200);
  });

  const methods = [
    {
      method: "put",
      isMember: true,
      operationId: "adminAddGroupMember",
      summary: "Add an account to a group. Takes effect with the next request",
      description: "The account is in the group",
    },
    {
      method: "delete",
      isMember: false,
      operationId: "adminRemoveGroupMember",
      summary: "Remove an account from a group. Takes effect with the next request",
      description: "The account is not in the group",
    },
  ] as const;
  for (const { isMember, description, ...method } of methods) {
    const refusals = ["invalid", "not_found", "conflict", "store_unavailable"] as const;
    const route = createRoute({
      ...adminRoute("groups", admin),
      ...method,
      path: "/api/admin/groups/{id}/members/{userId}",
      request: { params: memberParams },
      responses: { 204: { description } },
      errors: refusals,
    });
    app.openapi(route, async (c) => {
      const { id, userId } = c.req.valid("param");
      await groups.setMember(id, { userId, isMember, actor: c.var.actor });
      return c.body(null, 204);
    });
  }
}

/** Adds the routes below /api/admin/groups. */
export function addAdminGroupRoutes(app: ServiceApp, parts: Parts): void {
  addGroups(app, parts);
  addMemberRoutes(app, parts);
}
