/** Administration of checks: lists, one, and what is done with many at once. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse } from "../../kit/http/schemas.ts";
import { line, trimmedLine } from "../../kit/text/schemas.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { addCheckChangeRoutes } from "./change-routes.ts";
import type { BulkAction } from "./checks.ts";
import { checkOrders, namesOfChecks, pageOfChecks } from "./listing.ts";
import { addCheckHistoryRoutes, addCheckHoursRoute } from "./history-routes.ts";
import { CHECKS_PATH, type CheckRouteParts, exampleCheckView } from "./parts-routes.ts";
import { MAX_BULK, checkKinds, checkStates } from "./schema.ts";
import { addCheckTestRoutes } from "./test-routes.ts";
import { checkListSchema } from "./answer-schema.ts";
import { toCheckView } from "./views.ts";

const listQuery = pageQuerySchema.extend({
  q: trimmedLine(100).optional().openapi({ description: "Text in the name, group, tags, note or URL" }),
  group: line(64).optional().openapi({ description: "Name of a group; empty: checks without a group" }),
  tag: trimmedLine(32).optional(),
  state: z.enum(checkStates).optional(),
  kind: z.enum(checkKinds).optional(),
  sort: z
    .enum(checkOrders)
    .default("name")
    .describe('By group and name; "attention": first what is down, from everywhere or from some locations'),
});
const ids = z.array(trimmedLine(64)).min(1).max(MAX_BULK);
const bulkSchema = z
  .strictObject({
    action: z
      .enum(["pause", "resume", "show", "hide", "delete", "group"])
      .describe("`show` and `hide`: whether visitors of the dashboard see the checks"),
    ids,
    group: line(64).trim().optional().describe("New group; only for the action `group`. Empty: no group"),
  })
  .refine(({ action, group }) => (action === "group") === (group !== undefined), {
    path: ["group"],
    message: "is required for the action group, and not allowed for others",
  });

function toBulkAction({ action, group = "" }: z.infer<typeof bulkSchema>): BulkAction {
  return action === "group" ? { action, group } : { action };
}

function addListRoutes(app: ServiceApp, parts: CheckRouteParts): void {
  const { directory, box, findHeartbeat, guard } = parts;
  const adminListChecks = createRoute({
    ...adminRoute("checks", guard),
    method: "get",
    path: CHECKS_PATH,
    operationId: "adminListChecks",
    summary: "Checks with their present states, by group and name",
    request: { query: listQuery },
    responses: {
      200: jsonResponse("A page of items", checkListSchema, {
        items: [exampleCheckView],
        counts: { up: 1, down: 0, partial: 0, unknown: 0, paused: 0 },
      }),
    },
    errors: ["invalid"],
  });
  app.openapi(adminListChecks, (c) => {
    const { limit, cursor, sort, ...filter } = c.req.valid("query");
    const { items, ...page } = pageOfChecks(directory, filter, { limit, cursor, sort });
    return c.json(
      {
        items: items.map(({ record, standing }) =>
          toCheckView(record, { box, standing, heartbeat: findHeartbeat(record.id) }),
        ),
        ...page,
      },
      200,
    );
  });

  // Before the {id} routes: no check has this id.
  const adminListCheckNames = createRoute({
    ...adminRoute("checks", guard),
    method: "get",
    path: `${CHECKS_PATH}/names`,
    operationId: "adminListCheckNames",
    summary: "List the groups and tags of all checks",
    responses: {
      200: jsonResponse("Sorted", z.object({ groups: z.array(z.string()), tags: z.array(z.string()) }), {
        groups: ["Public"],
        tags: ["web"],
      }),
    },
  });
  app.openapi(adminListCheckNames, (c) => c.json(namesOfChecks(directory), 200));
}

function addBulkRoute(app: ServiceApp, { checks, guard }: CheckRouteParts): void {
  const adminChangeChecks = createRoute({
    ...adminRoute("checks", guard),
    method: "post",
    path: `${CHECKS_PATH}/bulk`,
    operationId: "adminChangeChecks",
    summary: "Pause, resume, show, hide, delete or group several checks in one transaction",
    request: { body: jsonBody(bulkSchema, { action: "pause", ids: [exampleCheckView.id] }) },
    responses: {
      200: jsonResponse("IDs of the changed checks", z.object({ changed: z.array(z.string()) }), {
        changed: [exampleCheckView.id],
      }),
    },
  });
  app.openapi(adminChangeChecks, async (c) => {
    const body = c.req.valid("json");
    const changed = await checks.bulk(body.ids, { ...toBulkAction(body), actor: c.var.actor });
    return c.json({ changed: [...changed] }, 200);
  });
}

/** Adds the routes below /api/admin/checks. */
export function addCheckRoutes(app: ServiceApp, parts: CheckRouteParts): void {
  addListRoutes(app, parts);
  addBulkRoute(app, parts);
  addCheckTestRoutes(app, parts);
  addCheckHoursRoute(app, parts);
  addCheckChangeRoutes(app, parts);
  addCheckHistoryRoutes(app, parts);
}
