/** The sessions of an account and the applications that used it, each with a way to end it. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonResponse, problemResponses } from "../../kit/http/schemas.ts";
import type { Auth } from "../auth.ts";
import { writeEvent } from "../accounts/events.ts";
import { clientIdSchema } from "../ledger-schema.ts";
import { access } from "../records.ts";
import type { SessionRecord } from "./schema.ts";
import { type BearerGuard, bearerErrors, bearerSecurity } from "../http/bearer-guard.ts";
import { toCaller } from "../http/callers.ts";
import { sessionSchema } from "../http/views.ts";

const idParam = z.object({ id: z.string().min(1).max(100) });
const clientParam = z.object({ clientId: clientIdSchema });

function common(bearer: BearerGuard) {
  return { tags: ["sessions"], "x-access": "user" as const, security: bearerSecurity, middleware: bearer };
}

function toView(session: SessionRecord, currentId: string): z.infer<typeof sessionSchema> {
  const { id, label, clientId, createdAt, authenticatedAt, lastSeenAt, expiresAt } = session;
  const { absoluteExpiresAt, amr, aal, ipPrefix, userAgent, impersonatedBy } = session;
  return {
    id,
    label,
    clientId,
    current: id === currentId,
    createdAt,
    authenticatedAt,
    lastSeenAt,
    expiresAt,
    absoluteExpiresAt,
    amr,
    aal,
    ipPrefix,
    userAgent,
    ...(impersonatedBy === undefined ? {} : { impersonatedBy }),
  };
}

function addSessions(app: ServiceApp, auth: Auth, bearer: BearerGuard): void {
  const list = createRoute({
    ...common(bearer),
    method: "get",
    path: "/api/auth/sessions",
    operationId: "listSessions",
    summary: "Where the account is signed in, the newest first",
    responses: {
      200: jsonResponse("The sessions", z.object({ items: z.array(sessionSchema) })),
      ...problemResponses(...bearerErrors),
    },
  });
  app.openapi(list, async (c) => {
    const { user, session } = c.var.subject;
    const sessions = await auth.sessions.list(user.id);
    return c.json({ items: sessions.map((each) => toView(each, session.id)) }, 200);
  });

  const endOthers = createRoute({
    ...common(bearer),
    method: "delete",
    path: "/api/auth/sessions",
    operationId: "endOtherSessions",
    summary: "End all other sessions",
    responses: {
      200: jsonResponse("How many ended", z.object({ ended: z.int() }), { ended: 2 }),
      ...problemResponses(...bearerErrors, "store_unavailable"),
    },
  });
  app.openapi(endOthers, async (c) => {
    const { user, session } = c.var.subject;
    const ended = await auth.sessions.end(user.id, {
      select: ({ id }) => id !== session.id,
      event: { kind: "sessions-revoked", caller: toCaller(c) },
    });
    return c.json({ ended }, 200);
  });

  const end = createRoute({
    ...common(bearer),
    method: "delete",
    path: "/api/auth/sessions/{id}",
    operationId: "endSession",
    summary: "End a session",
    request: { params: idParam },
    responses: {
      204: { description: "It has ended" },
      ...problemResponses(...bearerErrors, "invalid", "not_found", "store_unavailable"),
    },
  });
  app.openapi(end, async (c) => {
    const { id } = c.req.valid("param");
    const ended = await auth.sessions.end(c.var.subject.user.id, {
      select: (session) => session.id === id,
      event: { kind: "session-revoked", caller: toCaller(c) },
    });
    if (ended === 0) throw new AppError("not_found", `There is no session "${id}" in this account`);
    return c.body(null, 204);
  });
}

const applicationSchema = z
  .object({
    clientId: z.string(),
    firstAt: z.int(),
    lastAt: z.int(),
    count: z.int(),
    sessions: z.int().openapi({ description: "Live sessions that it opened" }),
  })
  .openapi("ApplicationAccess");

function addApplications(app: ServiceApp, auth: Auth, bearer: BearerGuard): void {
  const list = createRoute({
    ...common(bearer),
    method: "get",
    path: "/api/auth/applications",
    operationId: "listApplications",
    summary: "Applications that used the account; counts are up to a minute behind",
    responses: {
      200: jsonResponse("The applications", z.object({ items: z.array(applicationSchema) })),
      ...problemResponses(...bearerErrors),
    },
  });
  app.openapi(list, async (c) => {
    const userId = c.var.subject.user.id;
    const [sessions, page] = await Promise.all([
      auth.sessions.list(userId),
      auth.store.read((tx) => tx.list(access, "byUser", { prefix: [userId], limit: 500 })),
    ]);
    const items = page.items.map(({ clientId, firstAt, lastAt, count }) => ({
      clientId,
      firstAt,
      lastAt,
      count,
      sessions: sessions.filter((session) => session.clientId === clientId).length,
    }));
    // Signed in a moment ago, and not counted yet.
    for (const { clientId, createdAt, lastSeenAt, impersonatedBy } of sessions) {
      if (impersonatedBy !== undefined || items.some((item) => item.clientId === clientId)) continue;
      const live = sessions.filter((session) => session.clientId === clientId).length;
      items.push({ clientId, firstAt: createdAt, lastAt: lastSeenAt, count: 0, sessions: live });
    }
    return c.json({ items }, 200);
  });

  const end = createRoute({
    ...common(bearer),
    method: "delete",
    path: "/api/auth/applications/{clientId}",
    operationId: "signOutApplication",
    summary: "End all sessions that an application opened, and forget that it used the account",
    request: { params: clientParam },
    responses: {
      204: { description: "They have ended" },
      ...problemResponses(...bearerErrors, "invalid", "not_found", "store_unavailable"),
    },
  });
  app.openapi(end, async (c) => {
    const { clientId } = c.req.valid("param");
    const userId = c.var.subject.user.id;
    const ended = await auth.sessions.end(userId, { select: (session) => session.clientId === clientId });
    // What was counted and not written yet would bring the application back.
    auth.activity.forget(userId, clientId);
    const isKnown = await auth.store.transact(async (tx) => {
      const removed = await tx.remove(access, `${userId}:${clientId}`);
      if (removed || ended > 0) {
        const caller = toCaller(c);
        await writeEvent(tx, { userId, kind: "application-signed-out", caller, atMs: auth.clock.now() });
      }
      return removed || ended > 0;
    });
    if (!isKnown) throw new AppError("not_found", `The application "${clientId}" did not use this account`);
    return c.body(null, 204);
  });
}

/** Adds sessions and applications. */
export function addSessionRoutes(app: ServiceApp, auth: Auth, options: { bearer: BearerGuard }): void {
  addSessions(app, auth, options.bearer);
  addApplications(app, auth, options.bearer);
}
