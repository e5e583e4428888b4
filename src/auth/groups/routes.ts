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
    roles: z.array(z.string()).openapi({ description: "Roles of its members" }),
    createdAt: isoTime,
    version: z.int().openapi({ description: "Also the entity tag" }),
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
    list: { summary: "Groups by id", query: pageQuerySchema, run: groups.list },
    get: { summary: "One group", run: groups.get },
    create: {
      summary: "Make a group; its id stays as it is",
      body: newGroupSchema,
      example: { id: "family", title: "Family" },
      errors: ["already_exists"],
      run: (fields, { actor }) => groups.create(fields, actor),
    },
    change: {
      summary:
        "Change the title of a group, what sign-ins of its members must prove at every application, or the claims that applications are told of them; If-Match guards against lost updates",
      body: groupChangeSchema,
      example: { title: "Family and friends", minimumAssurance: "two-factor" },
      run: (id, change, { ifMatch, actor }) => groups.change(id, { ...change, version: ifMatch, actor }),
    },
    remove: {
      summary: "Take everybody out of a group and remove it; not while an application names it",
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
    summary: "The accounts in a group",
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
      summary: "Take an account into a group; it holds from the next request on",
      description: "It is in the group",
    },
    {
      method: "delete",
      isMember: false,
      operationId: "adminRemoveGroupMember",
      summary: "Take an account out of a group; it holds from the next request on",
      description: "It is not in the group",
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
