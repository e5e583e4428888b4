/** Activity and sessions of an account, for administrators. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { type AdminMiddleware, adminRoute, recordIdParams } from "../edge/admin-views.ts";
import { toCaller } from "../sessions/http/callers.ts";
import {
  adminSessionSchema,
  eventSchema,
  exampleEvent,
  exampleSession,
  toAdminSession,
  toEvent,
} from "../sessions/session-views.ts";
import type { UserActivity } from "./user-activity.ts";
import { createRoute } from "../edge/create-route.ts";

interface Parts {
  readonly userActivity: UserActivity;
  readonly admin: AdminMiddleware;
}

function addSessionRoutes(app: ServiceApp, { userActivity, admin }: Parts): void {
  const adminListUserSessions = createRoute({
    ...adminRoute("users", admin),
    method: "get",
    path: "/api/admin/users/{id}/sessions",
    operationId: "adminListUserSessions",
    summary: "List the sessions of an account, newest first",
    request: { params: recordIdParams },
    responses: {
      200: jsonResponse("The sessions", pageSchema(adminSessionSchema), { items: [exampleSession] }),
    },
  });
  app.openapi(adminListUserSessions, async (c) => {
    const live = await userActivity.sessions(c.req.valid("param").id);
    return c.json({ items: live.map((session) => toAdminSession(session)) }, 200);
  });

  const sessionId = recordIdParams.shape.id.openapi({
    param: { name: "sessionId", in: "path" },
    example: "ses_01jd5v6m0c8f3k2n7q4x9y1z5a",
  });
  const adminEndUserSession = createRoute({
    ...adminRoute("users", admin),
    method: "delete",
    path: "/api/admin/users/{id}/sessions/{sessionId}",
    operationId: "adminEndUserSession",
    summary: "Revoke a session of an account (revoke-sessions revokes all)",
    request: { params: recordIdParams.extend({ sessionId }) },
    responses: { 204: { description: "The session has ended" } },
  });
  app.openapi(adminEndUserSession, async (c) => {
    const { id, sessionId: ended } = c.req.valid("param");
    await userActivity.endSession(id, ended, { actor: c.var.actor, caller: toCaller(c) });
    return c.body(null, 204);
  });
}

/** Adds sessions and events below /api/admin/users/{id}. */
export function addAdminUserActivityRoutes(app: ServiceApp, parts: Parts): void {
  addSessionRoutes(app, parts);
  const { userActivity, admin } = parts;
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "get",
    path: "/api/admin/users/{id}/events",
    operationId: "adminListUserEvents",
    summary: "List the events of an account, newest first",
    request: { params: recordIdParams, query: pageQuerySchema },
    responses: { 200: jsonResponse("A page of events", pageSchema(eventSchema), { items: [exampleEvent] }) },
  });
  app.openapi(route, async (c) => {
    const page = await userActivity.events(c.req.valid("param").id, c.req.valid("query"));
    return c.json(toPageView(page, toEvent), 200);
  });
}
