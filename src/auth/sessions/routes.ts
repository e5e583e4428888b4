/** The sessions of an account and the applications that used it, each with a way to end it. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { pageSchema } from "../../kit/http/paging.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { accessRecordSchema } from "../accounts/ledger-schema.ts";
import { clientIdSchema } from "../base/ledger-schema.ts";
import { type BearerGuard, bearerRoute } from "./http/bearer-guard.ts";
import { toCaller } from "./http/callers.ts";
import { sessionSchema, toSession } from "./session-views.ts";
import type { Sessions } from "./sessions.ts";
import type { UsedApplications } from "./used-applications.ts";
import { createRoute } from "../edge/create-route.ts";

const idParam = z.object({ id: z.string().min(1).max(100) });
const clientParam = z.object({ clientId: clientIdSchema });

const applicationSchema = accessRecordSchema
  .pick({ clientId: true, count: true })
  .extend({
    firstAt: isoTime,
    lastAt: isoTime,
    sessions: z.int().openapi({ description: "Active sessions that the application opened" }),
    isOffline: z.boolean().openapi({
      description:
        "Whether a session has offline_access and continues after the user signs out of the browser",
    }),
  })
  .openapi("ApplicationAccess");
const toApplication = createView(applicationSchema);

interface Parts {
  readonly sessions: Sessions;
  readonly bearer: BearerGuard;
}

function addSessions(app: ServiceApp, { sessions, bearer }: Parts): void {
  const list = createRoute({
    ...bearerRoute("sessions", bearer),
    method: "get",
    path: "/api/auth/sessions",
    operationId: "listSessions",
    summary: "List the sessions of the account, newest first",
    responses: { 200: jsonResponse("The sessions", pageSchema(sessionSchema)) },
  });
  app.openapi(list, async (c) => {
    const { user, session } = c.var.subject;
    const live = await sessions.list(user.id);
    return c.json({ items: live.map((each) => toSession(each, { current: each.id === session.id })) }, 200);
  });

  const endOthers = createRoute({
    ...bearerRoute("sessions", bearer),
    method: "delete",
    path: "/api/auth/sessions",
    operationId: "endOtherSessions",
    summary: "Revoke all other sessions",
    responses: {
      200: jsonResponse("Number of revoked sessions", z.object({ ended: z.int() }), { ended: 2 }),
    },
  });
  app.openapi(endOthers, async (c) => {
    const { user, session } = c.var.subject;
    const ended = await sessions.end(user.id, {
      select: ({ id }) => id !== session.id,
      event: { kind: "sessions-revoked", caller: toCaller(c) },
    });
    return c.json({ ended }, 200);
  });

  const end = createRoute({
    ...bearerRoute("sessions", bearer),
    method: "delete",
    path: "/api/auth/sessions/{id}",
    operationId: "endSession",
    summary: "Revoke a session",
    request: { params: idParam },
    responses: { 204: { description: "The session has ended" } },
  });
  app.openapi(end, async (c) => {
    const { id } = c.req.valid("param");
    const ended = await sessions.end(c.var.subject.user.id, {
      select: (session) => session.id === id,
      event: { kind: "session-revoked", caller: toCaller(c) },
    });
    if (ended === 0) throw new AppError("not_found", `The account has no session "${id}"`);
    return c.body(null, 204);
  });
}

function addApplications(
  app: ServiceApp,
  { applications, bearer }: { applications: UsedApplications; bearer: BearerGuard },
): void {
  const list = createRoute({
    ...bearerRoute("sessions", bearer),
    method: "get",
    path: "/api/auth/applications",
    operationId: "listApplications",
    summary: "List the applications that have used the account. Counts can be up to one minute old",
    responses: { 200: jsonResponse("The applications", pageSchema(applicationSchema)) },
  });
  app.openapi(list, async (c) => {
    const used = await applications.list(c.var.subject.user.id);
    return c.json({ items: used.map((each) => toApplication(each)) }, 200);
  });

  const end = createRoute({
    ...bearerRoute("sessions", bearer),
    method: "delete",
    path: "/api/auth/applications/{clientId}",
    operationId: "signOutApplication",
    summary: "Revoke all sessions of an application and remove it from the list",
    request: { params: clientParam },
    responses: { 204: { description: "All sessions have ended" } },
  });
  app.openapi(end, async (c) => {
    await applications.end(c.var.subject.user.id, c.req.valid("param").clientId, toCaller(c));
    return c.body(null, 204);
  });
}

export function addSessionRoutes(app: ServiceApp, parts: Parts & { applications: UsedApplications }): void {
  addSessions(app, parts);
  addApplications(app, parts);
}
